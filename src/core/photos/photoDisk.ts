import { readdir, stat } from 'node:fs/promises';
import { join, basename } from 'node:path';
import { discardFile } from '../../disk/changeFiles.ts';

/** Removes what an earlier run left half written. Files get their final name only when they are whole. */
export const sweepUnfinished = async (folders: readonly string[]): Promise<void> => {
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => []);
    const unfinished = names.filter((name) => name.endsWith('.tmp') || name.endsWith('.part'));
    await Promise.all(unfinished.map((name) => discardFile(join(folder, name))));
  }
};

/** What photos take on this machine's disk: prepared ones, and copies of originals that came without a path. */
export type DiskUse = { preparedFiles: number; preparedBytes: number; copies: number; copiesBytes: number };

type Parts = {
  preparedDir: string;
  copiesDir: string;
  /** Files that are still needed: prepared photos, thumbnails and copies, as whole paths. */
  needed: () => Set<string>;
  now: () => number;
};

/** What was just made may not be written down anywhere yet. */
const youngMs = 10 * 60_000;
const statsAtOnce = 32;

type Kept = { path: string; bytes: number; changedAt: number };

const filesIn = async (dir: string): Promise<Kept[]> => {
  const names = await readdir(dir).catch(() => []);
  const files: Kept[] = [];
  for (let at = 0; at < names.length; at += statsAtOnce) {
    const some = names.slice(at, at + statsAtOnce).map(async (name): Promise<Kept[]> => {
      const path = join(dir, name);
      const found = await stat(path).catch(() => null);
      return found?.isFile() ? [{ path, bytes: found.size, changedAt: found.mtimeMs }] : [];
    });
    files.push(...(await Promise.all(some)).flat());
  }
  return files;
};

const bytesOf = (files: readonly Kept[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** A prepared photo, its thumbnail and its note share the start of their names. */
const stem = (path: string): string => basename(path).split('.')[0] ?? '';

/** Looks after the files that the companion itself made; the person's own files are never among them. */
export const createPhotoDisk = ({ preparedDir, copiesDir, needed, now }: Parts) => {
  const use = async (): Promise<DiskUse> => {
    const [prepared, copies] = await Promise.all([filesIn(preparedDir), filesIn(copiesDir)]);
    return {
      preparedFiles: prepared.length,
      preparedBytes: bytesOf(prepared),
      copies: copies.length,
      copiesBytes: bytesOf(copies),
    };
  };
  return {
    use,
    /** Removes what nothing needs any more; answers what is left. */
    cleanUp: async (): Promise<DiskUse> => {
      const files = [...(await filesIn(preparedDir)), ...(await filesIn(copiesDir))];
      const keep = needed();
      // The note of a photo that is needed lets it be found again without preparing it.
      const notes = new Set([...keep].filter((path) => !path.endsWith('.thumb.jpg')).map(stem));
      const old = files.filter(({ path, changedAt }) => {
        const isNeeded = keep.has(path) || (path.endsWith('.json') && notes.has(stem(path)));
        return !isNeeded && now() - changedAt > youngMs;
      });
      for (let at = 0; at < old.length; at += statsAtOnce) {
        await Promise.all(old.slice(at, at + statsAtOnce).map(({ path }) => discardFile(path)));
      }
      return use();
    },
  };
};
