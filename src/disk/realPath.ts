import { lstatSync, realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, parse } from 'node:path';

/*
 * The real path of the system itself, which names files as they are on the disk. Node's own `realpathSync` keeps the case
 * in which a path was typed, so what it answers on Windows and macOS never equals what the system answers.
 */

/** Where a path leads once every link is followed. Throws what the system says. */
export const readRealPath = (path: string): Promise<string> => realpath(path);

/** As {@link readRealPath}, for what must be known before anything else happens. */
export const readRealPathSync = (path: string): string => realpathSync.native(path);

type PathReader = { realPath: (path: string) => string; isLink: (path: string) => boolean };
const system: PathReader = { realPath: readRealPathSync, isLink: (path) => lstatSync(path).isSymbolicLink() };

const hasLink = (path: string, reader: PathReader): boolean =>
  path !== dirname(path) && (reader.isLink(path) || hasLink(dirname(path), reader));

const driveOf = (path: string): string => parse(path).root.toLowerCase();

/**
 * The path as it is written on the disk, for one that was stored in another case. The path itself where a link or another
 * drive is on the way, as that could lead to another place than it did, and where nothing is there.
 */
export const respellPath = (path: string, reader: PathReader = system): string => {
  try {
    const real = reader.realPath(path);
    return real === path || driveOf(real) !== driveOf(path) || hasLink(path, reader) ? path : real;
  } catch {
    return path;
  }
};
