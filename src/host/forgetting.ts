import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { discardFolderSync, removeAllSync, removeFileSync } from '../disk/changeFiles.ts';
import { writeWholeSync } from '../disk/writeWhole.ts';
import { forgetRoamingMark, thisMachine, type Machine, type Place } from './dataFolder.ts';

/** While this file is there, everything is to be forgotten. */
const requestOf = (dataDir: string): string => join(dataDir, 'forget.json');

/** The person's data. Only names that the companion gives: a folder that the person named may hold files of their own. */
const dataNames = [
  ...['companion.db', 'companion.db-wal', 'companion.db-shm', 'companion.db.ready', 'restore.json', 'bridge.json'],
  ...['companion.db.staged', 'companion.db.staged-wal', 'companion.db.staged-shm', 'companion.db.staged-journal'],
  ...['assistants-access.log', 'put-aside', 'backups', 'prepared', 'intake', 'bound-photos', 'practice', 'arriving'],
];
/** Files that this run of the app may have open: what cannot be removed now holds nothing of the person. */
const openNames = ['crashes', 'logs', 'window.json'];

/** Notes on the disk that everything is to be forgotten when the companion ends, or else before the next start. */
export const requestForgetting = (dataDir: string): void =>
  writeWholeSync(requestOf(dataDir), '{}', { mode: 0o600, isSynced: true });

/**
 * Forgets everything, where the person asked for it: the secrets, then the data, and the request last, so that the next start does
 * the rest after a crash. Call it while nothing uses the data folder. Answers whether
 * there was a request. Throws what the keychain or the disk says.
 */
export const forgetIfRequested = async (
  place: Place,
  forgetSecrets: () => Promise<void>,
  machine: Machine = thisMachine(),
): Promise<boolean> => {
  const { dataDir } = place;
  if (!existsSync(requestOf(dataDir))) return false;
  await forgetSecrets();
  for (const name of dataNames) removeAllSync(join(dataDir, name));
  for (const name of openNames) discardFolderSync(join(dataDir, name));
  forgetRoamingMark(place, machine);
  removeFileSync(requestOf(dataDir));
  return true;
};
