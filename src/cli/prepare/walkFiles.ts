import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isJunkFolder, naturally } from '../../core/photos/groupFiles.ts';
import { isInside, realOf } from '../../core/photos/openInside.ts';

/** One thing found in a folder: its path, the same path without the folder that was asked for, and what it is. */
export type FoundFile = { path: string; inside: string; kind: 'file' | 'other' | 'unreadable_folder' | 'outside' };

type Kind = 'folder' | 'file' | 'other';

const kindOf = (found: Pick<Dirent, 'isDirectory' | 'isFile'>): Kind =>
  found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other';

/** A link that leads nowhere counts as a file: reading it says what is wrong. */
const kindAt = (path: string, entry: Dirent): Promise<Kind> | Kind =>
  entry.isSymbolicLink() ? stat(path).then(kindOf, (): Kind => 'file') : kindOf(entry);

/**
 * All files in a folder and the folders in it, in natural order, one folder in memory at a time. Follows links that stay in
 * it, but enters no folder twice; leaves out hidden folders, those that systems make, and `except`.
 */
export async function* walkFiles(root: string, except: string): AsyncGenerator<FoundFile> {
  const entered = new Set<string>([await realpath(except).catch(() => except)]);
  const border = [await realpath(root).catch(() => root)];
  const leadsOut = async (path: string): Promise<boolean> => {
    const real = await realOf(path);
    return real !== null && !isInside(border, real);
  };

  async function* walk(folder: string): AsyncGenerator<FoundFile> {
    const real = await realpath(folder).catch(() => folder);
    if (!isInside(border, real)) {
      yield { path: folder, inside: relative(root, folder), kind: 'outside' };
      return;
    }
    if (entered.has(real)) return;
    entered.add(real);
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
    if (entries === null) {
      yield { path: folder, inside: relative(root, folder), kind: 'unreadable_folder' };
      return;
    }
    const folders: string[] = [];
    for (const entry of entries.sort((a, b) => naturally(a.name, b.name))) {
      const path = join(folder, entry.name);
      const outside = entry.isSymbolicLink() && (await leadsOut(path));
      const kind = outside ? 'outside' : await kindAt(path, entry);
      if (kind !== 'folder') yield { path, inside: relative(root, path), kind };
      else if (!isJunkFolder(entry.name)) folders.push(path);
    }
    for (const inner of folders) yield* walk(inner);
  }

  yield* walk(root);
}
