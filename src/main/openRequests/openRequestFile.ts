import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { openRequestSchema, type OpenRequest } from './openRequests.ts';

/**
 * A second start sends its whole command line to the first. Electron before 45 took 32 kB of it and killed the first start
 * over one byte more; no system lets a command line grow without end.
 */
const maxCommandLineBytes = 8 * 1024;
/** So much is written by a start that the system still let happen. */
const maxFileBytes = 8 * 1024 * 1024;

const maxStartMs = 10 * 60_000;
const fileNamePattern = /^given-[0-9a-f-]{36}\.json$/;
const dirOf = (dataDir: string): string => join(dataDir, 'arriving');

/** Whether words of a command line are more than is surely handed over. */
export const needsFile = (given: readonly string[]): boolean =>
  Buffer.byteLength(given.join('\0')) > maxCommandLineBytes;

/** Puts what was given into a file that only this user reads; answers its path, which is to be given in its place. */
export const writeOpenRequestFile = (dataDir: string, arrival: OpenRequest): string => {
  const dir = dirOf(dataDir);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const path = join(dir, `given-${randomUUID()}.json`);
  writeFileSync(path, JSON.stringify(arrival), { flag: 'wx', mode: 0o600 });
  return path;
};

const readOpenRequestFile = (path: string): OpenRequest | null => {
  try {
    const text = readFileSync(path, 'utf8');
    rmSync(path, { force: true });
    return text.length > maxFileBytes ? null : openRequestSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
};

/** What was given, where a file stands in its place. The file goes. */
export const resolveOpenRequest = (dataDir: string, arrival: OpenRequest): OpenRequest => {
  const [path, ...more] = arrival.paths;
  const isList = path !== undefined && dirname(path) === dirOf(dataDir) && fileNamePattern.test(basename(path));
  return isList && more.length === 0 ? (readOpenRequestFile(path) ?? { paths: [], link: arrival.link }) : arrival;
};

/** Takes away lists of starts that came to nothing: those that lie for longer than a start takes. */
export const removeStaleFiles = (dataDir: string, now: number): void => {
  try {
    for (const name of readdirSync(dirOf(dataDir)).filter((one) => fileNamePattern.test(one))) {
      const path = join(dirOf(dataDir), name);
      if (now - statSync(path).mtimeMs > maxStartMs) rmSync(path, { force: true });
    }
  } catch {
    // There never was one, or another start has taken it.
  }
};
