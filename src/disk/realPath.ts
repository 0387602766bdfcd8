import { lstatSync, realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, parse } from 'node:path';

/*
 * The system's own real path, which has the letter case of the files on disk. Node's `realpathSync` keeps the case that
 * was typed, so on Windows and macOS its result never equals the system's.
 */

/** Returns the path with all links resolved. Throws the system's error. */
export const readRealPath = (path: string): Promise<string> => realpath(path);

/** Synchronous version of {@link readRealPath}. */
export const readRealPathSync = (path: string): string => realpathSync.native(path);

type PathReader = { realPath: (path: string) => string; isLink: (path: string) => boolean };
const system: PathReader = { realPath: readRealPathSync, isLink: (path) => lstatSync(path).isSymbolicLink() };

const hasLinkOnPath = (path: string, reader: PathReader): boolean =>
  path !== dirname(path) && (reader.isLink(path) || hasLinkOnPath(dirname(path), reader));

const readDriveRoot = (path: string): string => parse(path).root.toLowerCase();

/**
 * Returns the path in the letter case of the disk. Returns the path unchanged if nothing exists there, or if a link or
 * another drive is involved, because the result could then be a different place.
 */
export const respellPath = (path: string, reader: PathReader = system): string => {
  try {
    const real = reader.realPath(path);
    return real === path || readDriveRoot(real) !== readDriveRoot(path) || hasLinkOnPath(path, reader) ? path : real;
  } catch {
    return path;
  }
};
