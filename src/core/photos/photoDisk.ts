import { readdir, stat } from 'node:fs/promises';
import { join, basename } from 'node:path';
import { discardFile } from '../../disk/changeFiles.ts';

/** Removes partial files that an earlier run left behind. */
export const removeUnfinishedFiles = async (folders: readonly string[]): Promise<void> => {
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => []);
    const unfinished = names.filter((name) => name.endsWith('.tmp') || name.endsWith('.part'));
    await Promise.all(unfinished.map((name) => discardFile(join(folder, name))));
  }
};

export type DiskUse = { preparedFiles: number; preparedBytes: number; copies: number; copiesBytes: number };

type PhotoDiskContext = {
  preparedDir: string;
  copiesDir: string;
  /** Returns the paths of the files that must stay. */
  needed: () => AsyncIterable<string>;
  now: () => number;
};

/** A file newer than this is not removed, because the row that refers to it might not be stored yet. */
const cleanUpGraceMs = 10 * 60_000;
const maxParallelStats = 32;

type StoredFile = { path: string; bytes: number; changedAt: number };

const listStoredFiles = async (dir: string): Promise<StoredFile[]> => {
  const names = await readdir(dir).catch(() => []);
  const files: StoredFile[] = [];
  for (let at = 0; at < names.length; at += maxParallelStats) {
    const some = names.slice(at, at + maxParallelStats).map(async (name): Promise<StoredFile[]> => {
      const path = join(dir, name);
      const found = await stat(path).catch(() => null);
      return found?.isFile() ? [{ path, bytes: found.size, changedAt: found.mtimeMs }] : [];
    });
    files.push(...(await Promise.all(some)).flat());
  }
  return files;
};

const sumFileBytes = (files: readonly StoredFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

const getPreparedFileStem = (path: string): string => basename(path).split('.')[0] ?? '';

/** Creates the service that removes files of the companion. It never removes the person's own files. */
export const createPhotoDiskCleaner = ({ preparedDir, copiesDir, needed, now }: PhotoDiskContext) => {
  const use = async (): Promise<DiskUse> => {
    const [prepared, copies] = await Promise.all([listStoredFiles(preparedDir), listStoredFiles(copiesDir)]);
    return {
      preparedFiles: prepared.length,
      preparedBytes: sumFileBytes(prepared),
      copies: copies.length,
      copiesBytes: sumFileBytes(copies),
    };
  };
  return {
    use,
    cleanUp: async (): Promise<DiskUse> => {
      const files = [...(await listStoredFiles(preparedDir)), ...(await listStoredFiles(copiesDir))];
      const unneeded = new Set(
        files.filter(({ changedAt }) => now() - changedAt > cleanUpGraceMs).map(({ path }) => path),
      );
      if (unneeded.size > 0)
        for await (const path of needed()) {
          unneeded.delete(path);
          // A needed photo keeps its JSON file, because without it the photo would be prepared again.
          if (!path.endsWith('.thumb.jpg')) unneeded.delete(join(preparedDir, `${getPreparedFileStem(path)}.json`));
        }
      const old = [...unneeded];
      for (let at = 0; at < old.length; at += maxParallelStats) {
        await Promise.all(old.slice(at, at + maxParallelStats).map((path) => discardFile(path)));
      }
      return use();
    },
  };
};
