import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { discardFolderSync, removeAllSync, removeFileSync } from '../disk/changeFiles.ts';
import { writeWholeSync } from '../disk/writeWhole.ts';
import { forgetRoamingMark, getThisMachine, type Machine, type FolderPlace } from './dataFolder.ts';

/** The file that marks a request to forget everything. */
const getRequestPath = (dataDir: string): string => join(dataDir, 'forget.json');

/** The person's data. Only names that the companion creates: the folder may contain other files of the person. */
const dataNames = [
  ...['companion.db', 'companion.db-wal', 'companion.db-shm', 'companion.db.ready', 'restore.json', 'bridge.json'],
  ...['companion.db.staged', 'companion.db.staged-wal', 'companion.db.staged-shm', 'companion.db.staged-journal'],
  ...['assistants-access.log', 'put-aside', 'backups', 'prepared', 'intake', 'bound-photos', 'practice', 'arriving'],
];
/**
 * Files that the running app may have open. They contain no data of the person, so failing to remove them is ignored.
 */
const openNames = ['crashes', 'logs', 'window.json'];

/** Records on disk that everything is to be forgotten when the companion ends, or before the next start. */
export const requestDataForgetting = (dataDir: string): void =>
  writeWholeSync(getRequestPath(dataDir), '{}', { mode: 0o600, isSynced: true });

/**
 * Forgets everything if the person requested it: the secrets, then the data, then the request itself, so that the next
 * start continues after a crash. Nothing else may use the data folder. Returns whether there was a request. Throws
 * errors of the keychain or the disk.
 */
export const forgetIfRequested = async (
  place: FolderPlace,
  forgetSecrets: () => Promise<void>,
  machine: Machine = getThisMachine(),
): Promise<boolean> => {
  const { dataDir } = place;
  if (!existsSync(getRequestPath(dataDir))) return false;
  await forgetSecrets();
  for (const name of dataNames) removeAllSync(join(dataDir, name));
  for (const name of openNames) discardFolderSync(join(dataDir, name));
  forgetRoamingMark(place, machine);
  removeFileSync(getRequestPath(dataDir));
  return true;
};
