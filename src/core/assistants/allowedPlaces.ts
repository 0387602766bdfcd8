import { lstat } from 'node:fs/promises';
import { dirname, isAbsolute, sep } from 'node:path';
import { isInside, realOf } from '../photos/openInside.ts';
import { problem } from '../base/problem.ts';

export const notAllowed = () => problem('FOLDER_NOT_ALLOWED');

/** A path that an assistant gave, as it came. Throws `INVALID_REQUEST` for one that does not begin at the root. */
export const absolute = (path: string, field: string): string => {
  if (!isAbsolute(path) || path.includes('\0')) throw problem('INVALID_REQUEST.wholePath', { field });
  return path;
};

/** Whether what is missing would lie inside: asked of the nearest place that is there. A link that leads nowhere leads out, and so does `..`. */
const wouldBeInside = async (folders: string[], missing: string): Promise<boolean> => {
  if (missing.split(sep).includes('..')) return false;
  for (let at = missing; at !== dirname(at); at = dirname(at)) {
    const isLink = await lstat(at).then(
      (found) => found.isSymbolicLink(),
      () => false,
    );
    const real = await realOf(at);
    if (real !== null) return isInside(folders, real);
    if (isLink) return false;
  }
  return false;
};

/**
 * Where a path leads once every link is followed. Throws `FOLDER_NOT_ALLOWED` for what is outside, whether it is there
 * or not, and `MISSING_PATH` only for what would lie inside.
 */
export const realInside = async (folders: string[], path: string): Promise<string> => {
  const real = await realOf(path);
  if (real !== null && isInside(folders, real)) return real;
  if (real === null && (await wouldBeInside(folders, path))) throw problem('MISSING_PATH.asked');
  throw notAllowed();
};

/** The allowed folders that are still there. One that a link has taken the place of since leads elsewhere, and is not. */
export const realFolders = async (folders: string[]): Promise<string[]> => {
  const real = await Promise.all(folders.map(realOf));
  return folders.filter((folder, at) => real[at] === folder);
};
