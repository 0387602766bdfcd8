import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { problem } from '../base/problem.ts';
import { backUpNow, backupsDir, isSound, listBackups, type BackupView } from './backups.ts';
import { isDamage, openDatabase, openUntouched, type Db } from './database.ts';
import { removeFile, renameFile, syncFile, syncFolder, writeFileWhole } from './fileSteps.ts';

/**
 * A repair of a damaged database: when it was found, and the time of the backup (ms since 1970) that replaced it; null
 * for none.
 */
export const repair = z.object({ at: z.int(), from: z.int().nullable() });
export type Repair = z.infer<typeof repair>;

const fileOf = (dataDir: string): string => join(dataDir, 'companion.db');
/** Returns the path of the next database while it is incomplete; it is deleted after a crash. */
const stagedOf = (dataDir: string): string => join(dataDir, 'companion.db.staged');
/**
 * Returns the path of the next database once it is complete. While this file exists, the present database must be moved
 * aside.
 */
const readyOf = (dataDir: string): string => join(dataDir, 'companion.db.ready');
const wishOf = (dataDir: string): string => join(dataDir, 'restore.json');
const besides = ['', '-wal', '-shm'];

/** Returns an unused folder name, even if the clock repeats a time. */
const freePlace = (under: string, now: number): string => {
  const name = join(under, new Date(now).toISOString().replaceAll(':', '').replaceAll('.', ''));
  for (let nth = 1; ; nth += 1) {
    const place = nth === 1 ? name : `${name}-${nth}`;
    if (!existsSync(place)) return place;
  }
};

/** Moves the database and its log into a folder, which gets its final name only when it is complete. */
const putAside = (dataDir: string, now: number): void => {
  const under = join(dataDir, 'put-aside');
  const unfinished = join(under, 'unfinished');
  const ends = besides.filter((end) => existsSync(`${fileOf(dataDir)}${end}`));
  if (ends.length > 0) {
    mkdirSync(unfinished, { recursive: true, mode: 0o700 });
    for (const end of ends) renameFile(`${fileOf(dataDir)}${end}`, join(unfinished, `companion.db${end}`));
    syncFolder(unfinished);
    syncFolder(dataDir);
  }
  if (!existsSync(unfinished)) return;
  renameFile(unfinished, freePlace(under, now));
  syncFolder(under);
};

/** The setting with the name of the restored backup, until the ledger has recorded it; null for an empty database. */
export const restoredName = 'restored from';
/** The setting with the repair, until the person has read about it. */
export const repairedName = 'repaired';

/**
 * Marks all listings for a new read, since the service may have newer ones, and stores the restore for the ledger and
 * the person.
 */
const noteRestored = (db: Db, copy: string | null, repaired: Repair | null): void => {
  const put = db.prepare(
    'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
  );
  db.prepare("delete from settings where name like 'listings read %' or name = ?").run(repairedName);
  put.run(restoredName, JSON.stringify({ copy }));
  if (repaired) put.run(repairedName, JSON.stringify(repaired));
};

const removeStaged = (dataDir: string): void => {
  // SQLite would treat files left beside it as part of the next database.
  for (const end of [...besides, '-journal']) {
    const file = `${stagedOf(dataDir)}${end}`;
    if (existsSync(file)) removeFile(file);
  }
};

/**
 * Prepares the database that will replace the present one (null: an empty one). After this step the replacement is
 * certain.
 */
const makeReady = (dataDir: string, backup: BackupView | null, repaired: Repair | null): void => {
  const staged = stagedOf(dataDir);
  try {
    if (backup) copyFileSync(join(backupsDir(dataDir), backup.name), staged);
    const db = backup ? openUntouched(staged) : openDatabase(staged);
    try {
      noteRestored(db, backup?.name ?? null, repaired);
    } finally {
      db.close();
    }
    syncFile(staged);
  } catch (error) {
    // The disk may be full; remove the partial file.
    removeStaged(dataDir);
    throw error;
  }
  renameFile(staged, readyOf(dataDir));
  syncFolder(dataDir);
};

/** Replaces the database if the next one is ready. Resumes at the next start if the process is killed. */
const finishRestore = (dataDir: string, now: number): void => {
  removeStaged(dataDir);
  if (!existsSync(readyOf(dataDir))) return;
  removeFile(wishOf(dataDir));
  putAside(dataDir, now);
  renameFile(readyOf(dataDir), fileOf(dataDir));
  syncFolder(dataDir);
};

/** Returns the newest intact backup that matches. */
const newestSound = (dataDir: string, isWanted: (backup: BackupView) => boolean): BackupView | undefined => {
  const dir = backupsDir(dataDir);
  return listBackups(dir).find((one) => isWanted(one) && isSound(join(dir, one.name)));
};

/** Returns the backup of that name, or the newest intact one for `newest`. Throws `BACKUP_UNKNOWN`. */
export const findBackup = (dataDir: string, name: string): BackupView => {
  const found = newestSound(dataDir, (one) => name === 'newest' || one.name === name);
  if (!found) throw problem('BACKUP_UNKNOWN');
  return found;
};

const wish = z.object({ name: z.string() });

/** Schedules a restore for the next start, because an open database cannot be replaced. Throws `BACKUP_UNKNOWN`. */
export const requestRestore = (dataDir: string, name: string): void =>
  writeFileWhole(wishOf(dataDir), JSON.stringify({ name: findBackup(dataDir, name).name }));

const wishedName = (dataDir: string): string | null => {
  try {
    return wish.parse(JSON.parse(readFileSync(wishOf(dataDir), 'utf8'))).name;
  } catch {
    return null;
  }
};

/** Returns the scheduled backup. Throws `BACKUP_UNKNOWN` once if it is unusable; the next start ignores it. */
const takeWish = (dataDir: string): BackupView | null => {
  if (!existsSync(wishOf(dataDir))) return null;
  const name = wishedName(dataDir);
  const backup = newestSound(dataDir, (one) => one.name === name);
  if (backup) return backup;
  removeFile(wishOf(dataDir));
  throw problem('BACKUP_UNKNOWN');
};

/**
 * Restores the backup of that name, or the one scheduled with `scheduleRestore`. Call it before the database is opened.
 * Throws `BACKUP_UNKNOWN`.
 */
export const restoreRequested = (dataDir: string, name: string | null, now: number): void => {
  finishRestore(dataDir, now);
  const backup = name === null ? takeWish(dataDir) : findBackup(dataDir, name);
  if (backup === null) return;
  makeReady(dataDir, backup, null);
  finishRestore(dataDir, now);
};

/** SQLite removes this file on a clean close, so its presence means that the previous process crashed. */
const endedBadly = (dataDir: string): boolean => existsSync(`${fileOf(dataDir)}-wal`);

/**
 * Opens the database. A damaged one is moved aside and replaced by the newest intact backup, or by an empty one, since
 * the listings come from the service again. Makes a backup before a newer version migrates it. Throws like
 * `openMigratedDatabase`.
 */
export const openRepaired = (dataDir: string, now: number): { db: Db; repaired: Repair | null } => {
  finishRestore(dataDir, now);
  const file = fileOf(dataDir);
  const open = (): Db => openDatabase(file, (db) => void backUpNow(db, backupsDir(dataDir), now));
  try {
    if (endedBadly(dataDir)) checkWhole(file);
    return { db: open(), repaired: null };
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  const backup = newestSound(dataDir, () => true) ?? null;
  const repaired = { at: now, from: backup?.at ?? null };
  makeReady(dataDir, backup, repaired);
  finishRestore(dataDir, now);
  return { db: open(), repaired };
};

/** Throws an SQLite error or DATA_DAMAGED if the file is damaged. */
const checkWhole = (file: string): void => {
  const db = openUntouched(file);
  try {
    if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') throw problem('DATA_DAMAGED');
  } finally {
    db.close();
  }
};
