import { pathOfScreen } from '../../ipc/screens.ts';
import { discardFileSync } from '../../disk/changeFiles.ts';
import { isAbsolute, resolve, basename, dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';

export const linkScheme = 'listing-companion';

/** Plain words between slashes; what comes behind them is not read. */
const linkPattern = new RegExp(`^${linkScheme}://([\\w/-]*)(?:[?#]|$)`);

const idPattern = /^[\w-]{1,100}$/;

/**
 * The place in the window that a link names ("listing-companion://items/it_1"): a screen by its id, and perhaps one thing in
 * it; null when there is no such place. A link never does anything.
 */
export const pathOfLink = (link: string): string | null => {
  const [, path = ''] = linkPattern.exec(link) ?? [];
  const [screen, id, ...more] = path.split('/').filter((part) => part !== '');
  if (screen === undefined || more.length > 0 || (id !== undefined && !idPattern.test(id))) return null;
  return pathOfScreen(screen, id);
};

/** What somebody handed to the app: folders and photos to take in, and a link to follow. */
export type OpenRequest = { paths: string[]; link: string | null };

/** Sorts the arguments of a command line that are no flags. Relative paths begin at `cwd`, where the command was given. */
export const openRequestOf = (args: readonly string[], cwd: string): OpenRequest => ({
  link: args.find((arg) => arg.startsWith(`${linkScheme}:`)) ?? null,
  // An address of any scheme is not a path: "file:" and its like are not followed.
  paths: args.filter((arg) => !/^[a-z][a-z0-9+.-]+:/i.test(arg)).map((arg) => resolve(cwd, arg)),
});

/**
 * A request as another start wrote it, or null. By hand, as this file is read before Chromium starts: it would wait for zod,
 * which nothing needs so early.
 */
const readOpenRequest = (value: unknown): OpenRequest | null => {
  if (typeof value !== 'object' || value === null || !('paths' in value) || !('link' in value)) return null;
  const { paths, link } = value;
  if (!Array.isArray(paths) || (typeof link !== 'string' && link !== null)) return null;
  const listed: unknown[] = paths;
  const whole = listed.filter((path): path is string => typeof path === 'string' && isAbsolute(path));
  return whole.length === listed.length ? { paths: whole, link } : null;
};

/**
 * What a second start hands to the first, which cannot read it off the command line that it is given as well: Chromium
 * puts all switches first there, away from their values. Anything else only shows the window.
 */
export const openRequestOfSecondInstance = (data: unknown): OpenRequest => {
  const arrival = typeof data === 'object' && data !== null && 'arrival' in data ? readOpenRequest(data.arrival) : null;
  return arrival ?? { paths: [], link: null };
};

type OpenRequestReceiver = {
  /** Makes items of these paths. Rejects with a sentence for the person. */
  add: (paths: string[]) => Promise<unknown>;
  show: (place?: string) => void;
  /** Tells why something could not be added. */
  failed: (error: unknown) => void;
};

export type OpenRequests = {
  receive: (request: OpenRequest) => void;
  /** From now on what arrives is taken at once. Answers whether something had arrived before. */
  deliverTo: (receiver: OpenRequestReceiver) => boolean;
};

/**
 * Takes what arrives, however it arrives: on the command line, handed over by a second start, dropped on the app's icon,
 * by a link. What comes before the companion runs is kept until there is a receiver. `resolveFile` gives the request
 * that a file stands for.
 */
export const createOpenRequests = (
  resolveFile: (request: OpenRequest) => OpenRequest = (request) => request,
): OpenRequests => {
  const early: OpenRequest[] = [];
  let receiver: OpenRequestReceiver | null = null;

  const deliver = ({ paths, link }: OpenRequest, { add, show, failed }: OpenRequestReceiver): void => {
    const place = link === null ? null : pathOfLink(link);
    if (paths.length > 0) add(paths).catch(failed);
    show(place ?? (paths.length > 0 ? '/' : undefined));
  };

  return {
    receive: (given) => {
      const request = resolveFile(given);
      if (receiver === null) early.push(request);
      else deliver(request, receiver);
    },
    deliverTo: (given) => {
      receiver = given;
      for (const request of early) deliver(request, given);
      return early.splice(0).length > 0;
    },
  };
};

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
    discardFileSync(path);
    return text.length > maxFileBytes ? null : readOpenRequest(JSON.parse(text));
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
      if (now - statSync(path).mtimeMs > maxStartMs) discardFileSync(path);
    }
  } catch {
    // There never was one, or another start has taken it.
  }
};
