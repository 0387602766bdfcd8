import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { pino } from 'pino';
import { createStream } from 'rotating-file-stream';
import { systemClock } from '../core/base/clock.ts';
import type { Log } from '../core/base/ports.ts';

const hidden = '‹hidden›';

/** The ids of the companion's own records are long, but they must stay readable in the log. */
const ownId = /^([a-z]{2,5}_)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type RedactionRule = { find: RegExp; show: (found: string) => string };

/** The person might send the log to others, so it must not contain addresses, secrets or the names of home folders. */
const redactionRules: readonly RedactionRule[] = [
  { find: /[^\s@<>"'=]+@[^\s@<>"'=]+\.[a-z]{2,}/gi, show: () => hidden },
  { find: /(https?:\/\/[^\s?#"']+)[?#][^\s"']*/gi, show: (found) => found.replace(/[?#].*$/, `?${hidden}`) },
  { find: /\b(Bearer|Pairing|Basic)\s+\S+/gi, show: (found) => `${found.split(/\s/)[0]} ${hidden}` },
  { find: /[\w.~+/=-]{24,}/g, show: (found) => hidePathSecrets(found) },
  { find: /(?<![\w.:-])\d{6}(?!\w|[.:-]\w)/g, show: () => hidden },
  { find: /((?:\/(?:home|Users)|[A-Z]:\\Users)[\\/])[^\\/\s"']+/g, show: (found) => found.replace(/[^\\/]+$/, '~') },
];

const minSecretChars = 24;

const isSecretLike = (text: string): boolean =>
  text.length >= minSecretChars && !ownId.test(text) && /[a-z]/i.test(text) && /\d/.test(text);

/**
 * In a path, hides each segment that looks like a token. Hides other text with slashes as a whole if it might be a
 * base64 key.
 */
const hidePathSecrets = (run: string): string => {
  const parts = run.split('/');
  if (parts.length === 1 || looksLikePath(run))
    return parts.map((part) => (isSecretLike(part) ? hidden : part)).join('/');
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run) ? hidden : run;
};

const looksLikePath = (run: string): boolean => /^([\w-]+=)?[./~]/.test(run) || run.includes('//');

export const redactLogText = (text: string): string =>
  redactionRules.reduce((left, { find, show }) => left.replace(find, show), text);

const secretName = /key|token|secret|passw|cookie|authorization|e-?mail|phone|address/i;

export const redactLogFacts = (
  facts: Readonly<Record<string, string | number | boolean>>,
): Record<string, string | number | boolean> =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      secretName.test(name) ? hidden : typeof value === 'string' ? redactLogText(value) : value,
    ]),
  );

const rotation = { size: '1M', rotate: 4, mode: 0o600 } as const;
const fileName = 'companion.log';

export type HostLog = {
  log: Log;
  dir: string;
  newest: (lines: number) => Promise<string[]>;
  close: () => Promise<void>;
};

type LogOptions = {
  dataDir: string;
  verbose: boolean;
  /** The maximum size of one file, in the format of rotating-file-stream. */
  size?: string;
};

const writeToTerminal: Log = (level, message, facts = {}) => {
  const more = Object.entries(facts).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  // Programs read the start-up line from stdout, so log lines go to stderr.
  process.stderr.write(`${new Date(systemClock.now()).toISOString()} ${level} ${message}${more.join('')}\n`);
};

export const createLog = ({ dataDir, verbose, size = rotation.size }: LogOptions): HostLog => {
  const dir = join(dataDir, 'logs');
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch {
    // Ignore the error: code that needs the data folder reports that the folder is not writable.
  }
  const stream = createStream(fileName, { ...rotation, size, path: dir });
  stream.on('error', () => undefined);
  const file = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime, messageKey: 'what' }, stream);
  return {
    dir,
    log: (level, message, facts = {}) => {
      const [what, known] = [redactLogText(message), redactLogFacts(facts)];
      file[level](known, what);
      if (verbose || level !== 'info') writeToTerminal(level, what, known);
    },
    newest: async (lines) => {
      const text = await readFile(join(dir, fileName), 'utf8').catch(() => '');
      return text.trimEnd().split('\n').slice(-lines);
    },
    close: async () => {
      // `finished` rejects at once if the stream has failed earlier.
      const ended = finished(stream).catch(() => undefined);
      stream.end();
      await ended;
    },
  };
};
