import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { createProblem } from '../base/problem.ts';
import { createBackupNow, getBackupsDir, isIntactDatabase, listBackupFiles, type BackupView } from './backups.ts';
import { isDatabaseDamage, openMigratedDatabase, openRawDatabase, type Db } from './database.ts';
import {
  removeFileIfPresent,
  renameFileDurably,
  syncFileToDisk,
  syncFolderToDisk,
  writeFileAtomically,
} from './fileSteps.ts';

/**
 * A repair of a damaged database: when it was found, and the time of the backup (ms since 1970) that replaced it; null
 * for none.
 */
export const repairShape = z.object({ at: z.int(), from: z.int().nullable() });
export type DatabaseRepair = z.infer<typeof repairShape>;

const getDatabasePath = (dataDir: string): string => join(dataDir, 'companion.db');
/** Returns the path of the next database while it is incomplete; it is deleted after a crash. */
const getStagedPath = (dataDir: string): string => join(dataDir, 'companion.db.staged');
/**
 * Returns the path of the next database once it is complete. While this file exists, the present database must be moved
 * aside.
 */
const getReadyPath = (dataDir: string): string => join(dataDir, 'companion.db.ready');
const getRestoreRequestPath = (dataDir: string): string => join(dataDir, 'restore.json');
const databaseFileSuffixes = ['', '-wal', '-shm'];

/** Returns an unused folder name, even if the clock repeats a time. */
const findUnusedFolder = (under: string, now: number): string => {
  const name = join(under, new Date(now).toISOString().replaceAll(':', '').replaceAll('.', ''));
  for (let nth = 1; ; nth += 1) {
    const place = nth === 1 ? name : `${name}-${nth}`;
    if (!existsSync(place)) return place;
  }
};

/** Moves the database and its log into a folder, which gets its final name only when it is complete. */
const moveDatabaseAside = (dataDir: string, now: number): void => {
  const under = join(dataDir, 'put-aside');
  const unfinished = join(under, 'unfinished');
  const ends = databaseFileSuffixes.filter((end) => existsSync(`${getDatabasePath(dataDir)}${end}`));
  if (ends.length > 0) {
    mkdirSync(unfinished, { recursive: true, mode: 0o700 });
    for (const end of ends)
      renameFileDurably(`${getDatabasePath(dataDir)}${end}`, join(unfinished, `companion.db${end}`));
    syncFolderToDisk(unfinished);
    syncFolderToDisk(dataDir);
  }
  if (!existsSync(unfinished)) return;
  renameFileDurably(unfinished, findUnusedFolder(under, now));
  syncFolderToDisk(under);
};

/** The setting with the name of the restored backup, until the ledger has recorded it; null for an empty database. */
export const restoredSetting = 'restored from';
/** The setting with the repair, until the person has read about it. */
export const repairedSetting = 'repaired';

/**
 * Marks all listings for a new read, since the service may have newer ones, and stores the restore for the ledger and
 * the person.
 */
const storeRestoreFacts = (db: Db, copy: string | null, repaired: DatabaseRepair | null): void => {
  const put = db.prepare(
    'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
  );
  db.prepare("delete from settings where name like 'listings read %' or name = ?").run(repairedSetting);
  put.run(restoredSetting, JSON.stringify({ copy }));
  if (repaired) put.run(repairedSetting, JSON.stringify(repaired));
};

const removeStagedFiles = (dataDir: string): void => {
  // SQLite would treat files left beside it as part of the next database.
  for (const end of [...databaseFileSuffixes, '-journal']) {
    const file = `${getStagedPath(dataDir)}${end}`;
    if (existsSync(file)) removeFileIfPresent(file);
  }
};

/**
 * Prepares the database that will replace the present one (null: an empty one). After this step the replacement is
 * certain.
 */
const prepareNextDatabase = (dataDir: string, backup: BackupView | null, repaired: DatabaseRepair | null): void => {
  const staged = getStagedPath(dataDir);
  try {
    if (backup) copyFileSync(join(getBackupsDir(dataDir), backup.name), staged);
    const db = backup ? openRawDatabase(staged) : openMigratedDatabase(staged);
    try {
      storeRestoreFacts(db, backup?.name ?? null, repaired);
    } finally {
      db.close();
    }
    syncFileToDisk(staged);
  } catch (error) {
    // The disk may be full; remove the partial file.
    removeStagedFiles(dataDir);
    throw error;
  }
  renameFileDurably(staged, getReadyPath(dataDir));
  syncFolderToDisk(dataDir);
};

/** Replaces the database if the next one is ready. Resumes at the next start if the process is killed. */
const replaceDatabaseIfReady = (dataDir: string, now: number): void => {
  removeStagedFiles(dataDir);
  if (!existsSync(getReadyPath(dataDir))) return;
  removeFileIfPresent(getRestoreRequestPath(dataDir));
  moveDatabaseAside(dataDir, now);
  renameFileDurably(getReadyPath(dataDir), getDatabasePath(dataDir));
  syncFolderToDisk(dataDir);
};

/** Returns the newest intact backup that matches. */
const findNewestIntact = (dataDir: string, isWanted: (backup: BackupView) => boolean): BackupView | undefined => {
  const dir = getBackupsDir(dataDir);
  return listBackupFiles(dir).find((one) => isWanted(one) && isIntactDatabase(join(dir, one.name)));
};

/** Returns the backup of that name, or the newest intact one for `newest`. Throws `BACKUP_UNKNOWN`. */
export const findBackupByName = (dataDir: string, name: string): BackupView => {
  const found = findNewestIntact(dataDir, (one) => name === 'newest' || one.name === name);
  if (!found) throw createProblem('BACKUP_UNKNOWN');
  return found;
};

const wish = z.object({ name: z.string() });

/** Schedules a restore for the next start, because an open database cannot be replaced. Throws `BACKUP_UNKNOWN`. */
export const scheduleRestore = (dataDir: string, name: string): void =>
  writeFileAtomically(getRestoreRequestPath(dataDir), JSON.stringify({ name: findBackupByName(dataDir, name).name }));

const readRequestedName = (dataDir: string): string | null => {
  try {
    return wish.parse(JSON.parse(readFileSync(getRestoreRequestPath(dataDir), 'utf8'))).name;
  } catch {
    return null;
  }
};

/** Returns the scheduled backup. Throws `BACKUP_UNKNOWN` once if it is unusable; the next start ignores it. */
const takeRestoreRequest = (dataDir: string): BackupView | null => {
  if (!existsSync(getRestoreRequestPath(dataDir))) return null;
  const name = readRequestedName(dataDir);
  const backup = findNewestIntact(dataDir, (one) => one.name === name);
  if (backup) return backup;
  removeFileIfPresent(getRestoreRequestPath(dataDir));
  throw createProblem('BACKUP_UNKNOWN');
};

/**
 * Restores the backup of that name, or the one scheduled with `scheduleRestore`. Call it before the database is opened.
 * Throws `BACKUP_UNKNOWN`.
 */
export const restoreRequestedBackup = (dataDir: string, name: string | null, now: number): void => {
  replaceDatabaseIfReady(dataDir, now);
  const backup = name === null ? takeRestoreRequest(dataDir) : findBackupByName(dataDir, name);
  if (backup === null) return;
  prepareNextDatabase(dataDir, backup, null);
  replaceDatabaseIfReady(dataDir, now);
};

/** SQLite removes this file on a clean close, so its presence means that the previous process crashed. */
const didLastRunCrash = (dataDir: string): boolean => existsSync(`${getDatabasePath(dataDir)}-wal`);

/**
 * Opens the database. A damaged one is moved aside and replaced by the newest intact backup, or by an empty one, since
 * the listings come from the service again. Makes a backup before a newer version migrates it. Throws like
 * `openMigratedDatabase`.
 */
export const openOrRepairDatabase = (dataDir: string, now: number): { db: Db; repaired: DatabaseRepair | null } => {
  replaceDatabaseIfReady(dataDir, now);
  const file = getDatabasePath(dataDir);
  const openCurrentDatabase = (): Db =>
    openMigratedDatabase(file, (db) => void createBackupNow(db, getBackupsDir(dataDir), now));
  try {
    if (didLastRunCrash(dataDir)) checkDatabaseIntegrity(file);
    return { db: openCurrentDatabase(), repaired: null };
  } catch (error) {
    if (!isDatabaseDamage(error)) throw error;
  }
  const backup = findNewestIntact(dataDir, () => true) ?? null;
  const repaired = { at: now, from: backup?.at ?? null };
  prepareNextDatabase(dataDir, backup, repaired);
  replaceDatabaseIfReady(dataDir, now);
  return { db: openCurrentDatabase(), repaired };
};

/** Throws an SQLite error or DATA_DAMAGED if the file is damaged. */
const checkDatabaseIntegrity = (file: string): void => {
  const db = openRawDatabase(file);
  try {
    if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') throw createProblem('DATA_DAMAGED');
  } finally {
    db.close();
  }
};
