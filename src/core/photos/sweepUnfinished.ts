import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Removes what an earlier run left half written. Files get their final name only when they are whole. */
export const sweepUnfinished = async (folders: readonly string[]): Promise<void> => {
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => []);
    const unfinished = names.filter((name) => name.endsWith('.tmp') || name.endsWith('.part'));
    await Promise.all(unfinished.map((name) => rm(join(folder, name), { force: true })));
  }
};
