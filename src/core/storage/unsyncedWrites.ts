import { closeSync, existsSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { publishFailpoint } from '../base/failpoints.ts';
import { findDiskProblem, createProblem } from '../base/problem.ts';
import type { Db } from './database.ts';

type SyncOpenFile = (file: number) => Promise<void>;

/** `written` and `synced` count writes. `isDoubtful` is true after a failed sync. */
type SyncState = { written: number; synced: number; flushing: Promise<void> | null; isDoubtful: boolean };

const syncStates = new WeakMap<Db, SyncState>();

const getSyncState = (db: Db): SyncState => {
  const way = syncStates.get(db) ?? { written: 0, synced: 0, flushing: null, isDoubtful: false };
  syncStates.set(db, way);
  return way;
};

/**
 * Writes without a sync. A power failure can undo the write, so every request that changes something at the service
 * must wait for `waitUntilSynced` first.
 */
export const writeUnsynced = <T>(db: Db, write: () => T): T => {
  // Inside a transaction, the code that commits it decides whether it is synced.
  if (db.inTransaction) return write();
  db.exec('pragma synchronous = normal');
  try {
    return write();
  } finally {
    db.exec('pragma synchronous = full');
    getSyncState(db).written += 1;
  }
};

const getWriteAheadLogPath = (db: Db): string => `${db.name}-wal`;

const syncWriteAheadLog = async (db: Db, sync: SyncOpenFile): Promise<void> => {
  // SQLite has no locks on this file, so closing it releases none.
  const log = openSync(getWriteAheadLogPath(db), 'r+');
  try {
    await sync(log);
  } finally {
    closeSync(log);
  }
};

/** After a failed sync, the operating system might have dropped data. A checkpoint writes that data again. */
const checkpointWriteAheadLog = (db: Db): void => {
  const [done] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
  if (done?.busy !== 0) throw createProblem('DATA_UNWRITABLE');
};

const flushToDisk = async (db: Db, way: SyncState, sync: SyncOpenFile): Promise<void> => {
  const { written } = way;
  publishFailpoint('before: what was written is on disk');
  try {
    // On some network drives SQLite has no log and writes to the database directly.
    if (way.isDoubtful || !existsSync(getWriteAheadLogPath(db))) checkpointWriteAheadLog(db);
    else await syncWriteAheadLog(db, sync);
  } catch (error) {
    way.isDoubtful = true;
    throw findDiskProblem(error) ?? createProblem('DATA_UNWRITABLE', { cause: error });
  }
  way.isDoubtful = false;
  way.synced = written;
  publishFailpoint('after: what was written is on disk');
};

const syncFile: SyncOpenFile = promisify(fdatasync);

/** Waits until all unsynced writes are on disk, without blocking the process. Throws `DISK_FULL`, `DATA_UNWRITABLE`. */
export const waitUntilSynced = async (db: Db, sync = syncFile): Promise<void> => {
  const way = getSyncState(db);
  const { written } = way;
  while (way.synced < written)
    await (way.flushing ??= flushToDisk(db, way, sync).finally(() => {
      way.flushing = null;
    }));
};
