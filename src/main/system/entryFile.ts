import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A desktop entry that is there or not, as the person wants. */
export const entryFile = (path: string, text: () => string) => ({
  isThere: (): Promise<boolean> =>
    stat(path).then(
      () => true,
      () => false,
    ),
  set: async (on: boolean): Promise<void> => {
    if (!on) return rm(path, { force: true });
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text());
  },
});
