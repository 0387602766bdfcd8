import { closeSync, existsSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { failpoint } from '../base/failpoints.ts';
import { diskProblem, problem } from '../base/problem.ts';
import type { Db } from './database.ts';

/** Waits until what was written to an open file is on disk. */
type Sync = (file: number) => Promise<void>;

/** What is known of the way of a database's writes to the disk: counts of what was written without waiting. */
type Way = { written: number; safe: number; flushing: Promise<void> | null; isDoubtful: boolean };

const ways = new WeakMap<Db, Way>();

const wayOf = (db: Db): Way => {
  const way = ways.get(db) ?? { written: 0, safe: 0, flushing: null, isDoubtful: false };
  ways.set(db, way);
  return way;
};

/**
 * Writes something that no crash of the companion undoes, and a power cut only for as long as nobody has waited for
 * `untilOnDisk`: no request that may change something leaves before. All that is written later and waits for the disk takes this
 * along.
 */
export const withoutWaiting = <T>(db: Db, write: () => T): T => {
  // As part of something that waits it waits with that.
  if (db.inTransaction) return write();
  db.exec('pragma synchronous = normal');
  try {
    return write();
  } finally {
    db.exec('pragma synchronous = full');
    wayOf(db).written += 1;
  }
};

const logOf = (db: Db): string => `${db.name}-wal`;

/** Waits until the log of a database is on disk, in a thread of its own. */
const syncLog = async (db: Db, sync: Sync): Promise<void> => {
  // Locks are on the other files, so that one of these may be closed.
  const log = openSync(logOf(db), 'r+');
  try {
    await sync(log);
  } finally {
    closeSync(log);
  }
};

/** Writes what is in the log to where it belongs: after a failure, systems forget what they could not write. */
const emptyLog = (db: Db): void => {
  const [done] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
  if (done?.busy !== 0) throw problem('DATA_UNWRITABLE');
};

const flush = async (db: Db, way: Way, sync: Sync): Promise<void> => {
  const { written } = way;
  failpoint('before: what was written is on disk');
  try {
    // On some network drives SQLite keeps no log, and writes to the database itself.
    if (way.isDoubtful || !existsSync(logOf(db))) emptyLog(db);
    else await syncLog(db, sync);
  } catch (error) {
    way.isDoubtful = true;
    throw diskProblem(error) ?? problem('DATA_UNWRITABLE', { cause: error });
  }
  way.isDoubtful = false;
  way.safe = written;
  failpoint('after: what was written is on disk');
};

/**
 * Waits until everything is on disk that was written without waiting. Whoever waits at the same time waits for the same,
 * and everything else goes on meanwhile. Throws `DISK_FULL`, `DATA_UNWRITABLE`.
 */
export const untilOnDisk = async (db: Db, sync: Sync = promisify(fdatasync)): Promise<void> => {
  const way = wayOf(db);
  const { written } = way;
  while (way.safe < written)
    await (way.flushing ??= flush(db, way, sync).finally(() => {
      way.flushing = null;
    }));
};
