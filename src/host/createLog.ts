import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { pino } from 'pino';
import { createStream } from 'rotating-file-stream';
import { systemClock } from '../core/base/clock.ts';
import type { Log } from '../core/base/ports.ts';

const hidden = '‹hidden›';

/** Ids of the companion's own records. They are long but must stay readable in the log. */
const ownId = /^([a-z]{2,5}_)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type RedactionRule = { find: RegExp; show: (found: string) => string };

/**
 * What must not appear in a file that a person may share: addresses, keys, tokens, codes, and the names of home
 * folders.
 */
const redactionRules: readonly RedactionRule[] = [
  { find: /[^\s@<>"'=]+@[^\s@<>"'=]+\.[a-z]{2,}/gi, show: () => hidden },
  { find: /(https?:\/\/[^\s?#"']+)[?#][^\s"']*/gi, show: (found) => found.replace(/[?#].*$/, `?${hidden}`) },
  { find: /\b(Bearer|Pairing|Basic)\s+\S+/gi, show: (found) => `${found.split(/\s/)[0]} ${hidden}` },
  { find: /[\w.~+/=-]{24,}/g, show: (found) => hidePathSecrets(found) },
  { find: /(?<![\w.:-])\d{6}(?!\w|[.:-]\w)/g, show: () => hidden },
  { find: /((?:\/(?:home|Users)|[A-Z]:\\Users)[\\/])[^\\/\s"']+/g, show: (found) => found.replace(/[^\\/]+$/, '~') },
];

const minSecretChars = 24;

/** Whether a long text with letters and digits is probably a key or token and not an id. */
const isSecretLike = (text: string): boolean =>
  text.length >= minSecretChars && !ownId.test(text) && /[a-z]/i.test(text) && /\d/.test(text);

/** In a path, each segment may be a token. Slashes elsewhere are part of a base64 key. */
const hidePathSecrets = (run: string): string => {
  const parts = run.split('/');
  if (parts.length === 1 || looksLikePath(run))
    return parts.map((part) => (isSecretLike(part) ? hidden : part)).join('/');
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run) ? hidden : run;
};

const looksLikePath = (run: string): boolean => /^([\w-]+=)?[./~]/.test(run) || run.includes('//');

/** Returns a text without personal data and secrets. */
export const redactLogText = (text: string): string =>
  redactionRules.reduce((left, { find, show }) => left.replace(find, show), text);

const secretName = /key|token|secret|passw|cookie|authorization|e-?mail|phone|address/i;

/** Returns the facts of a log line, redacted by name and by content. */
export const redactLogFacts = (
  facts: Readonly<Record<string, string | number | boolean>>,
): Record<string, string | number | boolean> =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      secretName.test(name) ? hidden : typeof value === 'string' ? redactLogText(value) : value,
    ]),
  );

/** Keeps the current file and four older ones. */
const rotation = { size: '1M', rotate: 4, mode: 0o600 } as const;
const fileName = 'companion.log';

/** The log of a host. `dir` contains its files; `newest` returns its last lines. */
export type HostLog = {
  log: Log;
  dir: string;
  newest: (lines: number) => Promise<string[]>;
  close: () => Promise<void>;
};

type LogOptions = {
  dataDir: string;
  /** Also writes every line to stderr; otherwise only warnings and errors. */
  verbose: boolean;
  /** The maximum size of one file, in the format of rotating-file-stream. */
  size?: string;
};

const writeToTerminal: Log = (level, message, facts = {}) => {
  const more = Object.entries(facts).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  // stdout is reserved for the start-up line that programs read.
  process.stderr.write(`${new Date(systemClock.now()).toISOString()} ${level} ${message}${more.join('')}\n`);
};

/**
 * Creates the log: rotated files below the data folder, one JSON line per event, without keys, tokens, codes, e-mail
 * addresses and home folders. A full or read-only disk does not stop the companion.
 */
export const createLog = ({ dataDir, verbose, size = rotation.size }: LogOptions): HostLog => {
  const dir = join(dataDir, 'logs');
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch {
    // The code that needs the data folder reports that it is not writable.
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
      // Settles on an earlier error, a later error, or the end of the stream.
      const ended = finished(stream).catch(() => undefined);
      stream.end();
      await ended;
    },
  };
};
