import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { problem } from '../base/problem.ts';
import { backUpNow, backupsDir, isSound, listBackups, type BackupView } from './backups.ts';
import { isDamage, openDatabase, openUntouched, type Db } from './database.ts';
import { removeFile, renameFile, syncFile, syncFolder, writeFileWhole } from './fileSteps.ts';

/** That the database was damaged: when that was found, and from which copy (ms since 1970) it was made anew; null: from none. */
export const repair = z.object({ at: z.int(), from: z.int().nullable() });
export type Repair = z.infer<typeof repair>;

const fileOf = (dataDir: string): string => join(dataDir, 'companion.db');
/** Where the next database is made; it counts for nothing. */
const stagedOf = (dataDir: string): string => join(dataDir, 'companion.db.staged');
/** The next database once it is whole. While it is there, whatever has the name of the database is to be put aside. */
const readyOf = (dataDir: string): string => join(dataDir, 'companion.db.ready');
const wishOf = (dataDir: string): string => join(dataDir, 'restore.json');
const besides = ['', '-wal', '-shm'];

/** A folder of its own for what is put aside now, also where the clock says a time again. */
const freePlace = (under: string, now: number): string => {
  const name = join(under, new Date(now).toISOString().replaceAll(':', '').replaceAll('.', ''));
  for (let nth = 1; ; nth += 1) {
    const place = nth === 1 ? name : `${name}-${nth}`;
    if (!existsSync(place)) return place;
  }
};

/** Puts the database aside with its log, as one folder: that has its name only when everything is in it. */
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

/** Under this name stands which copy the database is, until the ledger has a row of it; null: there was none. */
export const restoredName = 'restored from';
/** Under this name stands that the database was damaged, until the person has read it. */
export const repairedName = 'repaired';

/** The service knows of listings that came after the copy: all are read again. The ledger and the person are told. */
const noteRestored = (db: Db, copy: string | null, repaired: Repair | null): void => {
  const put = db.prepare(
    'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
  );
  db.prepare("delete from settings where name like 'listings read %' or name = ?").run(repairedName);
  put.run(restoredName, JSON.stringify({ copy }));
  if (repaired) put.run(repairedName, JSON.stringify(repaired));
};

const removeStaged = (dataDir: string): void => {
  // What SQLite left beside it would be taken for a part of the next one.
  for (const end of [...besides, '-journal']) {
    const file = `${stagedOf(dataDir)}${end}`;
    if (existsSync(file)) removeFile(file);
  }
};

/** Makes the database that is to take the place of the present one; null: an empty one. From here on it surely does. */
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
    // There may be no room, and least of all for this.
    removeStaged(dataDir);
    throw error;
  }
  renameFile(staged, readyOf(dataDir));
  syncFolder(dataDir);
};

/** Has the next database take its place, if one is ready. Killed anywhere on the way, the next start does the rest. */
const finishRestore = (dataDir: string, now: number): void => {
  removeStaged(dataDir);
  if (!existsSync(readyOf(dataDir))) return;
  removeFile(wishOf(dataDir));
  putAside(dataDir, now);
  renameFile(readyOf(dataDir), fileOf(dataDir));
  syncFolder(dataDir);
};

/** The newest sound copy among those that are wanted. */
const newestSound = (dataDir: string, isWanted: (backup: BackupView) => boolean): BackupView | undefined => {
  const dir = backupsDir(dataDir);
  return listBackups(dir).find((one) => isWanted(one) && isSound(join(dir, one.name)));
};

/** The copy of that name, or the newest sound one for `newest`. Throws `BACKUP_UNKNOWN`. */
export const findBackup = (dataDir: string, name: string): BackupView => {
  const found = newestSound(dataDir, (one) => name === 'newest' || one.name === name);
  if (!found) throw problem('BACKUP_UNKNOWN');
  return found;
};

const wish = z.object({ name: z.string() });

/** Notes that a copy is to be put in place at the next start: a database in use cannot be replaced. Throws `BACKUP_UNKNOWN`. */
export const requestRestore = (dataDir: string, name: string): void =>
  writeFileWhole(wishOf(dataDir), JSON.stringify({ name: findBackup(dataDir, name).name }));

const wishedName = (dataDir: string): string | null => {
  try {
    return wish.parse(JSON.parse(readFileSync(wishOf(dataDir), 'utf8'))).name;
  } catch {
    return null;
  }
};

/** The copy that was wished for. A wish that cannot be fulfilled is told once: the next start does without. */
const takeWish = (dataDir: string): BackupView | null => {
  if (!existsSync(wishOf(dataDir))) return null;
  const name = wishedName(dataDir);
  const backup = newestSound(dataDir, (one) => one.name === name);
  if (backup) return backup;
  removeFile(wishOf(dataDir));
  throw problem('BACKUP_UNKNOWN');
};

/**
 * Puts the copy in place that was wished for, here or with `requestRestore`. Call it before the database is opened. Throws
 * `BACKUP_UNKNOWN`.
 */
export const restoreRequested = (dataDir: string, name: string | null, now: number): void => {
  finishRestore(dataDir, now);
  const backup = name === null ? takeWish(dataDir) : findBackup(dataDir, name);
  if (backup === null) return;
  makeReady(dataDir, backup, null);
  finishRestore(dataDir, now);
};

/** SQLite removes this file when it closes a database: where it lies, the process before ended in another way. */
const endedBadly = (dataDir: string): boolean => existsSync(`${fileOf(dataDir)}-wal`);

/**
 * Opens the database; a damaged one is put aside and made anew from the newest sound copy, or empty: the listings come
 * from the service again. A copy is made before a newer version changes anything. Throws as `openDatabase`.
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

/** Throws what SQLite says when the file is damaged. */
const checkWhole = (file: string): void => {
  const db = openUntouched(file);
  try {
    if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') throw problem('DATA_DAMAGED');
  } finally {
    db.close();
  }
};
