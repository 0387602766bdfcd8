import { join } from 'node:path';
import * as z from 'zod';
import type { Db } from '../storage/database.ts';
import { updatePhotoFilePaths } from '../storage/tables/photos/photosTable.ts';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';

/** The value is the data folder that the stored paths belong to. */
const dataFolderSetting = 'photo files in';

type RelocationContext = {
  db: Db;
  settings: Pick<SettingsTable, 'read' | 'write'>;
  dataDir: string;
  preparedDir: string;
  copiesDir: string;
};

/**
 * Corrects the stored paths of photo files after the data folder was moved. It must run before the clean-up, which
 * would otherwise delete the files as unneeded.
 */
export const relocatePhotoFiles = ({ db, settings, dataDir, ...places }: RelocationContext): void => {
  if (settings.read(dataFolderSetting, z.string()) === dataDir) return;
  db.transaction(() => {
    updatePhotoFilePaths(db, {
      prepared: (name) => join(places.preparedDir, name),
      copy: (name) => join(places.copiesDir, name),
    });
    settings.write(dataFolderSetting, dataDir);
  })();
};
