import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { pino } from 'pino';
import { createStream } from 'rotating-file-stream';
import type { Log } from '../core/base/ports.ts';
import { redact, redactFacts } from './redact.ts';

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
  process.stderr.write(`${new Date().toISOString()} ${level} ${message}${more.join('')}\n`);
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
