import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { discardTreeSync, removeTreeSync, removeFileSync } from '../../disk/changeFiles.ts';
import { writeWholeSync } from '../../disk/writeWhole.ts';
import { removeDefaultRoamingMark, getThisMachine, type Machine, type FolderPlace } from './dataFolder.ts';

const getForgetRequestPath = (dataDir: string): string => join(dataDir, 'forget.json');

/** The folder might contain other files of the person, so the list has only names that the companion creates. */
const dataNames = [
  ...[
    'companion.db',
    'companion.db-wal',
    'companion.db-shm',
    'companion.db.ready',
    'companion.db.unchecked',
    'restore.json',
    'bridge.json',
  ],
  ...['companion.db.staged', 'companion.db.staged-wal', 'companion.db.staged-shm', 'companion.db.staged-journal'],
  ...[
    'assistants-access.log',
    'person-proofs.json',
    'put-aside',
    'backups',
    'prepared',
    'intake',
    'bound-photos',
    'practice',
    'arriving',
  ],
];
/** The running app might have these files open. They contain no personal data, so a failed removal is ignored. */
const openNames = ['crashes', 'logs', 'window.json'];

/** Stores a request to forget everything. The companion does so when it ends, or else before its next start. */
export const storeForgetRequest = (dataDir: string): void =>
  writeWholeSync(getForgetRequestPath(dataDir), '{}', { mode: 0o600, isSynced: true });

/** Returns whether there was a request. The request is removed last, so that the next start continues after a crash. */
export const forgetDataIfRequested = async (
  place: FolderPlace,
  forgetSecrets: () => Promise<void>,
  machine: Machine = getThisMachine(),
): Promise<boolean> => {
  const { dataDir } = place;
  if (!existsSync(getForgetRequestPath(dataDir))) return false;
  await forgetSecrets();
  for (const name of dataNames) removeTreeSync(join(dataDir, name));
  for (const name of openNames) discardTreeSync(join(dataDir, name));
  removeDefaultRoamingMark(place, machine);
  removeFileSync(getForgetRequestPath(dataDir));
  return true;
};
