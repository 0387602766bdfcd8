import { mkdtemp, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { discardTreeSync } from '../../disk/changeFiles.ts';

const prefix = 'listing-companion-labels-';
/** Another copy of the app might still show the PDFs of a newer folder. */
const maxAgeMs = 86_400_000;

/** Creates the folder for the PDFs of one run. */
export const createLabelFolder = (parent: string): Promise<string> => mkdtemp(join(parent, prefix));

/** Removes the folders of runs that crashed. A folder that cannot be removed stays. */
export const discardOldLabelFolders = async (parent: string, now: number): Promise<void> => {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const path = join(parent, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && now - found.mtimeMs > maxAgeMs) discardTreeSync(path);
  }
};
