import * as z from 'zod';
import { correctPathCase } from '../../disk/realPath.ts';
import type { Db } from '../storage/database.ts';
import { createAssistantsTable } from '../storage/tables/assistantsTable.ts';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';

const respelledSettingName = 'folders respelled';

/** Shares are left as they are, because inspecting one would send the person's credentials to another machine. */
const isNetworkShare = (folder: string): boolean => /^[\\/]{2}/.test(folder);

/**
 * Changes stored folders, once, to the spelling on disk. Earlier versions stored the typed spelling, which can differ
 * in upper and lower case.
 */
export const respellFolders = (
  db: Db,
  settings: Pick<SettingsTable, 'read' | 'write'>,
  respell: (folder: string) => string = correctPathCase,
): void => {
  if (settings.read(respelledSettingName, z.boolean()) === true) return;
  const table = createAssistantsTable(db);
  db.transaction(() => {
    for (const { assistant_id: assistantId, folders } of table.all()) {
      const spelled = folders.map((folder) => (isNetworkShare(folder) ? folder : respell(folder)));
      if (spelled.some((folder, at) => folder !== folders[at])) table.respell(assistantId, [...new Set(spelled)]);
    }
    settings.write(respelledSettingName, true);
  })();
};
