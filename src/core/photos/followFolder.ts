import { join } from 'node:path';
import * as z from 'zod';
import type { Db } from '../storage/database.ts';
import { movePhotoFiles } from '../storage/tables/photosTable.ts';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';

/** Under this name stands the folder in which the stored paths of the companion's own files lie. */
const folderName = 'photo files in';

type Parts = {
  db: Db;
  settings: Pick<SettingsTable, 'read' | 'write'>;
  dataDir: string;
  preparedDir: string;
  copiesDir: string;
};

/**
 * The companion's own photo files are stored by their whole paths. Where the data folder was moved or copied, these lead to the old
 * place, and a clean-up would take the files for unneeded ones: they are corrected before anything reads them.
 */
export const followDataFolder = ({ db, settings, dataDir, ...places }: Parts): void => {
  if (settings.read(folderName, z.string()) === dataDir) return;
  db.transaction(() => {
    movePhotoFiles(db, {
      prepared: (name) => join(places.preparedDir, name),
      copy: (name) => join(places.copiesDir, name),
    });
    settings.write(folderName, dataDir);
  })();
};
