import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { discardFileSync, removeFileSync } from '../../disk/changeFiles.ts';
import { systemDisk, type Disk } from '../../disk/disk.ts';
import type { Changed, Clock, Log } from '../base/ports.ts';
import type { StoredAgeTracker } from '../base/storedAges.ts';
import { createProblem, toProblemView } from '../base/problem.ts';
import { dayMs, keepBackupFile, listBackupFiles, type BackupView } from './backupFiles.ts';
import type { Db } from './database.ts';
import { copyFileDurably, createDataFile } from './fileSteps.ts';
import { hasSameContent } from './sameContent.ts';
import { isSoundDatabase } from './soundDatabase.ts';
import { ignoreStages, type ReportStage, type TaskProgress } from './startStages.ts';

const checkIntervalMs = 3_600_000;
/** The first check is delayed, so that it does not slow the start. */
const firstCheckDelayMs = 60_000;
const getPartialPath = (dir: string): string => join(dir, 'unfinished.part');

/** The incomplete backup, and the files of SQLite that a killed companion leaves beside it. */
const listPartialPaths = (dir: string): string[] =>
  ['', '-journal', '-wal', '-shm'].map((end) => `${getPartialPath(dir)}${end}`);

const discardPartialFiles = (dir: string, disk: Disk): void =>
  listPartialPaths(dir).forEach((path) => discardFileSync(path, disk));

const preparePartialFile = (dir: string, disk: Disk): string => {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  for (const path of listPartialPaths(dir)) removeFileSync(path, disk);
  return getPartialPath(dir);
};

type OnProgress = (progress: TaskProgress) => void;
type CopySteps = { onProgress: OnProgress; pause: () => void };

const passesCheck = (check: () => boolean): boolean => {
  try {
    return check();
  } catch (error) {
    // A full disk does not mean that the file is damaged.
    if (toProblemView(error).code === 'DISK_FULL') throw error;
    return false;
  }
};

/** Returns whether a file is an intact SQLite database. */
export const isIntactDatabase = (file: string, onProgress?: OnProgress): boolean =>
  passesCheck(() => isSoundDatabase(file, onProgress));

/** Makes a copied database a file without a log. Returns whether the copy is intact. */
const completeCopy = (file: string, onProgress?: OnProgress): boolean =>
  passesCheck(() => {
    const db = new Database(file, { fileMustExist: true });
    try {
      db.pragma('journal_mode = delete');
    } finally {
      db.close();
    }
    return isSoundDatabase(file, onProgress);
  });

/** A step copies this many pages. */
const pagesInStep = 500;

/**
 * Copies a database to a file in steps and checks the copy, with pauses. Returns whether the copy is intact. A read
 * transaction keeps the writes of other connections out of the copy; otherwise each write would restart it.
 */
export const copyDatabase = async (db: Db, file: string, { onProgress, pause }: CopySteps): Promise<boolean> => {
  db.exec('begin');
  db.prepare('select 1 from sqlite_schema').get();
  await db.backup(file, {
    progress: ({ totalPages, remainingPages }) => {
      // The check of the copy is the second half of the work.
      onProgress({ done: totalPages - remainingPages, total: 2 * totalPages });
      pause();
      return pagesInStep;
    },
  });
  db.exec('commit');
  return completeCopy(file, ({ done, total }) => {
    onProgress({ done: total + done, total: 2 * total });
    pause();
  });
};

/** Returns whether a backup contains exactly the current data of a database. */
export const isBackedUp = (db: Db, dir: string): boolean => {
  // Now the file is complete without its log.
  db.pragma('wal_checkpoint(truncate)');
  return listBackupFiles(dir).some(({ name }) => hasSameContent(db.name, join(dir, name)));
};

type BackupSteps = { report?: ReportStage; disk?: Disk };

/** Backs up a database at once, before an irreversible change. Throws `DATA_DAMAGED`. */
export const createBackupNow = (
  db: Db,
  dir: string,
  now: number,
  { report = ignoreStages, disk = systemDisk }: BackupSteps = {},
): BackupView | null => {
  const part = preparePartialFile(dir, disk);
  const reportProgress: OnProgress = (progress) => report({ name: 'backUp', progress });
  let isIntact = false;
  try {
    // Now the file is complete without its log, and nothing else writes to it.
    db.pragma('wal_checkpoint(truncate)');
    copyFileDurably(db.name, part, reportProgress);
    isIntact = completeCopy(part, reportProgress);
  } finally {
    if (!isIntact) discardPartialFiles(dir, disk);
  }
  if (!isIntact) throw createProblem('DATA_DAMAGED');
  return keepBackupFile(dir, part, now, disk);
};

/** How a copy ended. A `stopped` copy is incomplete. */
export type CopyEnd = 'done' | 'damaged' | 'stopped';

type BackupsContext = {
  /** Copies the database to a file and checks the copy. */
  copyDatabase: (file: string) => Promise<CopyEnd>;
  clock: Clock;
  ages: StoredAgeTracker;
  log: Log;
  changed: Changed;
  backupsDir: string;
  disk?: Disk;
};

/** Makes one backup at a time. */
const createSingleRuns = (make: () => Promise<BackupView | null>) => {
  let current: Promise<BackupView | null> | null = null;
  let next: Promise<BackupView | null> | null = null;
  const join = (): Promise<BackupView | null> => {
    current ??= make().finally(() => (current = null));
    return current;
  };
  return {
    current: (): Promise<BackupView | null> | null => current,
    /** Makes a backup, or waits for the one that already runs. */
    join,
    /** A backup that already runs can lack the newest changes, so another one follows it, unless the signal ends the wait. */
    begin: (signal: AbortSignal): Promise<BackupView | null> => {
      if (current === null) return join();
      const beginNext = (): Promise<BackupView | null> | null => {
        next = null;
        return signal.aborted ? null : join();
      };
      next ??= current.then(beginNext, beginNext);
      return next;
    },
  };
};

export type Backups = ReturnType<typeof createDailyBackupService>;

/** Creates the service that backs up the database once a day. A damaged copy never replaces an intact older one. */
export const createDailyBackupService = ({
  copyDatabase: copy,
  clock,
  ages,
  log,
  changed,
  backupsDir: dir,
  disk = systemDisk,
}: BackupsContext) => {
  const ended = new AbortController();
  const copyAndKeep = async (): Promise<BackupView | null> => {
    const part = preparePartialFile(dir, disk);
    let end: CopyEnd = 'stopped';
    try {
      end = await copy(part);
    } finally {
      if (end !== 'done') discardPartialFiles(dir, disk);
    }
    if (end === 'damaged') {
      log('error', 'the database is damaged: the backup was discarded');
      throw createProblem('DATA_DAMAGED');
    }
    if (end === 'stopped') return null;
    const made = keepBackupFile(dir, part, clock.now(), disk);
    if (made !== null) ages.note(made.name);
    changed('app');
    return made;
  };
  const runs = createSingleRuns(() => createDataFile(copyAndKeep));

  const createBackupIfDue = async (): Promise<void> => {
    // If the clock was set back, a backup can have a time in the future. Its age is unknown, so it does not count.
    const hasReliableTime = ({ at }: BackupView): boolean => at <= Math.max(ages.steadyAt(), clock.now());
    const known = listBackupFiles(dir).filter(hasReliableTime);
    if (Math.min(Infinity, ...known.map(({ name, at }) => ages.ageMs(name, at))) >= dayMs) await runs.join();
  };

  const runDailyBackups = async (): Promise<void> => {
    await clock.sleep(firstCheckDelayMs, ended.signal).catch(() => undefined);
    while (!ended.signal.aborted) {
      await createBackupIfDue().catch(() => log('warn', 'the backup of the database failed'));
      await clock.sleep(checkIntervalMs, ended.signal).catch(() => undefined);
    }
  };

  return {
    list: (): BackupView[] => listBackupFiles(dir),
    /** Makes a backup that has all changes before the call. Returns null if it was cancelled. Throws DATA_DAMAGED. */
    make: (): Promise<BackupView | null> => runs.begin(ended.signal),
    /** Starts the daily backups, and removes what a killed companion left of a backup. */
    start: (): void => {
      discardPartialFiles(dir, disk);
      void runDailyBackups();
    },
    /** Stops the daily backups, and waits for a backup in progress. */
    stop: async (): Promise<void> => {
      ended.abort();
      await runs.current()?.catch(() => null);
    },
  };
};
