import { findScreenPath } from '../../ipc/screens.ts';
import { discardFileSync } from '../../disk/changeFiles.ts';
import { isAbsolute, resolve, basename, dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';

export const linkScheme = 'listing-companion';

const linkPattern = new RegExp(`^${linkScheme}://([\\w/-]*)(?:[?#]|$)`);

const idPattern = /^[\w-]{1,100}$/;

/** Accepts links such as "listing-companion://items/it_1" and returns null for others. A link must only navigate. */
export const findLinkPath = (link: string): string | null => {
  const [, path = ''] = linkPattern.exec(link) ?? [];
  const [screen, id, ...more] = path.split('/').filter((part) => part !== '');
  if (screen === undefined || more.length > 0 || (id !== undefined && !idPattern.test(id))) return null;
  return findScreenPath(screen, id);
};

export type OpenRequest = { paths: string[]; link: string | null };

export const parseOpenRequest = (args: readonly string[], cwd: string): OpenRequest => ({
  link: args.find((arg) => arg.startsWith(`${linkScheme}:`)) ?? null,
  // An argument with a URL scheme, such as "file:", is not a path.
  paths: args.filter((arg) => !/^[a-z][a-z0-9+.-]+:/i.test(arg)).map((arg) => resolve(cwd, arg)),
});

/** Loading zod would delay the start of Chromium, so zod is not used. */
const validateOpenRequest = (value: unknown): OpenRequest | null => {
  if (typeof value !== 'object' || value === null || !('paths' in value) || !('link' in value)) return null;
  const { paths, link } = value;
  if (!Array.isArray(paths) || (typeof link !== 'string' && link !== null)) return null;
  const listed: unknown[] = paths;
  const whole = listed.filter((path): path is string => typeof path === 'string' && isAbsolute(path));
  return whole.length === listed.length ? { paths: whole, link } : null;
};

/** A second instance sends its request as data, because Chromium reorders the command line of the second instance. */
export const parseSecondInstanceRequest = (data: unknown): OpenRequest => {
  const arrival =
    typeof data === 'object' && data !== null && 'arrival' in data ? validateOpenRequest(data.arrival) : null;
  return arrival ?? { paths: [], link: null };
};

type OpenRequestReceiver = {
  /** Creates items from these paths. The promise rejects with a sentence for the person. */
  add: (paths: string[]) => Promise<unknown>;
  show: (place?: string) => void;
  failed: (error: unknown) => void;
};

export type OpenRequestQueue = {
  receive: (request: OpenRequest) => void;
  deliverTo: (receiver: OpenRequestReceiver) => boolean;
};

/** Queues requests until there is a receiver. `resolveFile` replaces a request file with the content of the file. */
export const createOpenRequestQueue = (
  resolveFile: (request: OpenRequest) => OpenRequest = (request) => request,
): OpenRequestQueue => {
  const early: OpenRequest[] = [];
  let receiver: OpenRequestReceiver | null = null;

  const deliverRequest = ({ paths, link }: OpenRequest, { add, show, failed }: OpenRequestReceiver): void => {
    const place = link === null ? null : findLinkPath(link);
    if (paths.length > 0) add(paths).catch(failed);
    show(place ?? (paths.length > 0 ? '/' : undefined));
  };

  return {
    receive: (given) => {
      const request = resolveFile(given);
      if (receiver === null) early.push(request);
      else deliverRequest(request, receiver);
    },
    deliverTo: (given) => {
      receiver = given;
      for (const request of early) deliverRequest(request, given);
      return early.splice(0).length > 0;
    },
  };
};

/**
 * Before version 45, Electron crashed if the command line of a second instance was longer than 32 kB, so this limit is
 * far below.
 */
const maxCommandLineBytes = 8 * 1024;
/** Larger than the longest command line that any operating system allows. */
const maxFileBytes = 8 * 1024 * 1024;

const maxStartMs = 10 * 60_000;
const fileNamePattern = /^given-[0-9a-f-]{36}\.json$/;
const getOpenRequestDir = (dataDir: string): string => join(dataDir, 'arriving');

/** Returns whether the arguments are too long for the command line of a second instance. */
export const needsRequestFile = (given: readonly string[]): boolean =>
  Buffer.byteLength(given.join('\0')) > maxCommandLineBytes;

export const writeOpenRequestFile = (dataDir: string, arrival: OpenRequest): string => {
  const dir = getOpenRequestDir(dataDir);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const path = join(dir, `given-${randomUUID()}.json`);
  writeFileSync(path, JSON.stringify(arrival), { flag: 'wx', mode: 0o600 });
  return path;
};

const readOpenRequestFile = (path: string): OpenRequest | null => {
  try {
    const text = readFileSync(path, 'utf8');
    discardFileSync(path);
    return text.length > maxFileBytes ? null : validateOpenRequest(JSON.parse(text));
  } catch {
    return null;
  }
};

export const resolveOpenRequest = (dataDir: string, arrival: OpenRequest): OpenRequest => {
  const [path, ...more] = arrival.paths;
  const isList =
    path !== undefined && dirname(path) === getOpenRequestDir(dataDir) && fileNamePattern.test(basename(path));
  return isList && more.length === 0 ? (readOpenRequestFile(path) ?? { paths: [], link: arrival.link }) : arrival;
};

/** Removes the files that failed starts have left. A file is stale if it is older than any start can take. */
export const removeStaleRequestFiles = (dataDir: string, now: number): void => {
  try {
    for (const name of readdirSync(getOpenRequestDir(dataDir)).filter((fileName) => fileNamePattern.test(fileName))) {
      const path = join(getOpenRequestDir(dataDir), name);
      if (now - statSync(path).mtimeMs > maxStartMs) discardFileSync(path);
    }
  } catch {
    // The folder does not exist, or another start has removed the file.
  }
};
