import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { pino } from 'pino';
import { createStream } from 'rotating-file-stream';
import { systemClock } from '../core/base/clock.ts';
import type { Log } from '../core/base/ports.ts';

const hidden = '‹hidden›';

/** Ids of the companion's own things are long too, and are what makes a line useful. */
const ownId = /^([a-z]{2,5}_)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Rule = { find: RegExp; show: (found: string) => string };

/** What must not lie in a file that a person may send to somebody: addresses, keys, tokens, codes, and their own folders. */
const rules: readonly Rule[] = [
  { find: /[^\s@<>"'=]+@[^\s@<>"'=]+\.[a-z]{2,}/gi, show: () => hidden },
  { find: /(https?:\/\/[^\s?#"']+)[?#][^\s"']*/gi, show: (found) => found.replace(/[?#].*$/, `?${hidden}`) },
  { find: /\b(Bearer|Pairing|Basic)\s+\S+/gi, show: (found) => `${found.split(/\s/)[0]} ${hidden}` },
  { find: /[\w.~+/=-]{24,}/g, show: (found) => hideSecrets(found) },
  { find: /(?<![\w.:-])\d{6}(?!\w|[.:-]\w)/g, show: () => hidden },
  { find: /((?:\/(?:home|Users)|[A-Z]:\\Users)[\\/])[^\\/\s"']+/g, show: (found) => found.replace(/[^\\/]+$/, '~') },
];

const longRun = 24;

/** Long runs with letters and digits mixed are keys and tokens, unless they are an id. */
const isSecretLike = (text: string): boolean =>
  text.length >= longRun && !ownId.test(text) && /[a-z]/i.test(text) && /\d/.test(text);

/** Of a path each part by itself may be a token; slashes within what is no path are those of a key in base64. */
const hideSecrets = (run: string): string => {
  const parts = run.split('/');
  if (parts.length === 1 || isPath(run)) return parts.map((part) => (isSecretLike(part) ? hidden : part)).join('/');
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run) ? hidden : run;
};

const isPath = (run: string): boolean => /^([\w-]+=)?[./~]/.test(run) || run.includes('//');

/** A text without what is nobody else's business. */
export const redact = (text: string): string => rules.reduce((left, { find, show }) => left.replace(find, show), text);

const secretName = /key|token|secret|passw|cookie|authorization|e-?mail|phone|address/i;

/** Facts of a log line, redacted by their names and by what they look like. */
export const redactFacts = (
  facts: Readonly<Record<string, string | number | boolean>>,
): Record<string, string | number | boolean> =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      secretName.test(name) ? hidden : typeof value === 'string' ? redact(value) : value,
    ]),
  );

/** The newest file and the four before it are kept. */
const rotation = { size: '1M', rotate: 4, mode: 0o600 } as const;
const fileName = 'companion.log';

/** A log that a host writes: `dir` holds its files; `newest` answers its last lines. */
export type HostLog = {
  log: Log;
  dir: string;
  newest: (lines: number) => Promise<string[]>;
  close: () => Promise<void>;
};

type LogOptions = {
  dataDir: string;
  /** Says everything on stderr too; otherwise only warnings and errors. */
  verbose: boolean;
  /** Of one file, as rotating-file-stream writes sizes. */
  size?: string;
};

const writeToTerminal: Log = (level, message, facts = {}) => {
  const more = Object.entries(facts).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  // stdout belongs to the start-up line that programs read.
  process.stderr.write(`${new Date(systemClock.now()).toISOString()} ${level} ${message}${more.join('')}\n`);
};

/**
 * Writes what happens to rotated files below the data folder, one JSON line an event, without keys, tokens, codes, e-mail
 * addresses and home folders. A disk that is full or read-only does not stop the companion.
 */
export const createLog = ({ dataDir, verbose, size = rotation.size }: LogOptions): HostLog => {
  const dir = join(dataDir, 'logs');
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch {
    // A data folder that cannot be written to is told in a sentence by what needs it.
  }
  const stream = createStream(fileName, { ...rotation, size, path: dir });
  stream.on('error', () => undefined);
  const file = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime, messageKey: 'what' }, stream);
  return {
    dir,
    log: (level, message, facts = {}) => {
      const [what, known] = [redact(message), redactFacts(facts)];
      file[level](known, what);
      if (verbose || level !== 'info') writeToTerminal(level, what, known);
    },
    newest: async (lines) => {
      const text = await readFile(join(dir, fileName), 'utf8').catch(() => '');
      return text.trimEnd().split('\n').slice(-lines);
    },
    close: async () => {
      // Settles with whatever came first: the last line, an error before or after this moment, or the end of the stream.
      const ended = finished(stream).catch(() => undefined);
      stream.end();
      await ended;
    },
  };
};
