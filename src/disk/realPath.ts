import { lstatSync, realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, parse } from 'node:path';

/*
 * Use the system's real path, which has the letter case of the files on disk. Node's `realpathSync` keeps the case that
 * was typed, so its result differs from the system's on Windows and macOS.
 */

/** Returns a path with all symbolic links resolved. Throws the system's error. */
export const readRealPath = (path: string): Promise<string> => realpath(path);

export const readRealPathSync = (path: string): string => realpathSync.native(path);

type PathReader = { realPath: (path: string) => string; isLink: (path: string) => boolean };
const system: PathReader = { realPath: readRealPathSync, isLink: (path) => lstatSync(path).isSymbolicLink() };

const hasLinkOnPath = (path: string, reader: PathReader): boolean =>
  path !== dirname(path) && (reader.isLink(path) || hasLinkOnPath(dirname(path), reader));

const getDriveRoot = (path: string): string => parse(path).root.toLowerCase();

/**
 * Returns a path in the letter case on disk. Returns the path unchanged if it does not exist, contains a symbolic link
 * or leads to another drive, because the result could otherwise be a different file.
 */
export const correctPathCase = (path: string, reader: PathReader = system): string => {
  try {
    const real = reader.realPath(path);
    return real === path || getDriveRoot(real) !== getDriveRoot(path) || hasLinkOnPath(path, reader) ? path : real;
  } catch {
    return path;
  }
};
