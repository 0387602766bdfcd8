import * as z from 'zod';
import { respellPath } from '../../disk/realPath.ts';
import type { Db } from '../storage/database.ts';
import { assistantsTable } from '../storage/tables/assistantsTable.ts';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';

const respelled = 'folders respelled';

/** A share of another machine is never looked at: to look at one is to sign in there. */
const isShare = (folder: string): boolean => /^[\\/]{2}/.test(folder);

/**
 * Folders were once stored in the case in which they were typed, which on Windows and macOS equals no real path. This stores
 * them as they are on the disk, once.
 */
export const respellFolders = (
  db: Db,
  settings: Pick<SettingsTable, 'read' | 'write'>,
  respell: (folder: string) => string = respellPath,
): void => {
  if (settings.read(respelled, z.boolean()) === true) return;
  const table = assistantsTable(db);
  db.transaction(() => {
    for (const { assistant_id: assistantId, folders } of table.all()) {
      const spelled = folders.map((folder) => (isShare(folder) ? folder : respell(folder)));
      if (spelled.some((folder, at) => folder !== folders[at])) table.respell(assistantId, [...new Set(spelled)]);
    }
    settings.write(respelled, true);
  })();
};
