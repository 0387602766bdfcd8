import {
  copyFileSync,
  existsSync,
  fsyncSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { problem } from '../base/problem.ts';
import { backUpNow, backupsDir, isSound, listBackups, type BackupView } from './backups.ts';
import { isDamage, openDatabase, openUntouched, type Db } from './database.ts';

/** That the database was damaged: when that was found, and from which copy (ms since 1970) it was made anew; null: from none. */
export const repair = z.object({ at: z.int(), from: z.int().nullable() });
export type Repair = z.infer<typeof repair>;

const fileOf = (dataDir: string): string => join(dataDir, 'companion.db');
const nextOf = (dataDir: string): string => join(dataDir, 'companion.db.next');
const wishOf = (dataDir: string): string => join(dataDir, 'restore.json');
const besides = ['', '-wal', '-shm'];

/** Nothing is thrown away: what a copy takes the place of lies in `put-aside`, under the time when that was. */
const putAside = (dataDir: string, now: number): void => {
  const place = join(dataDir, 'put-aside', new Date(now).toISOString().replaceAll(':', '').replaceAll('.', ''));
  mkdirSync(place, { recursive: true, mode: 0o700 });
  for (const end of besides) {
    const file = `${fileOf(dataDir)}${end}`;
    if (existsSync(file)) renameSync(file, join(place, `companion.db${end}`));
  }
};

/** Under this name stands which copy the database is, until the ledger has a row of it; null: there was none. */
export const restoredName = 'restored from';
const restored =
  'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value';
const noteRestored = (db: Db, copy: string | null): void =>
  void db.prepare(restored).run(restoredName, JSON.stringify({ copy }));

/** The service knows of listings that came after the copy: all are read again. The ledger gets a row of it. */
const prepareCopy = (file: string, copy: string): void => {
  const db = openUntouched(file);
  try {
    db.exec("delete from settings where name like 'listings read %'");
    noteRestored(db, copy);
  } finally {
    db.close();
  }
};

/** Puts a copy into the place of the database. Killed anywhere on the way, the next start finishes it. */
const putInPlace = (dataDir: string, backup: BackupView, now: number): void => {
  const next = nextOf(dataDir);
  copyFileSync(join(backupsDir(dataDir), backup.name), next);
  prepareCopy(next, backup.name);
  const written = openSync(next, 'r+');
  fsyncSync(written);
  closeSync(written);
  putAside(dataDir, now);
  renameSync(next, fileOf(dataDir));
};

/** A copy whose turn had come when the process ended: before the old database was put aside it is forgotten, after that it is used. */
const finishUnfinished = (dataDir: string): void => {
  if (!existsSync(nextOf(dataDir))) return;
  if (existsSync(fileOf(dataDir))) rmSync(nextOf(dataDir));
  else renameSync(nextOf(dataDir), fileOf(dataDir));
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
  writeFileSync(wishOf(dataDir), JSON.stringify({ name: findBackup(dataDir, name).name }));

const wanted = (dataDir: string): string | null => {
  if (!existsSync(wishOf(dataDir))) return null;
  try {
    return wish.parse(JSON.parse(readFileSync(wishOf(dataDir), 'utf8'))).name;
  } catch {
    return null;
  }
};

/** Puts the copy in place that was wished for, here or with `requestRestore`. Call it before the database is opened. */
export const restoreRequested = (dataDir: string, name: string | null, now: number): void => {
  finishUnfinished(dataDir);
  const which = name ?? wanted(dataDir);
  if (which !== null) putInPlace(dataDir, findBackup(dataDir, which), now);
  rmSync(wishOf(dataDir), { force: true });
};

/** SQLite removes this file when it closes a database: where it lies, the process before ended in another way. */
const endedBadly = (dataDir: string): boolean => existsSync(`${fileOf(dataDir)}-wal`);

/**
 * Opens the database; a damaged one is put aside and made anew from the newest sound copy, or empty: the listings come
 * from the service again. A copy is made before a newer version changes anything. Throws as `openDatabase`.
 */
export const openRepaired = (dataDir: string, now: number): { db: Db; repaired: Repair | null } => {
  finishUnfinished(dataDir);
  const file = fileOf(dataDir);
  const open = (): Db => openDatabase(file, (db) => void backUpNow(db, backupsDir(dataDir), now));
  try {
    if (endedBadly(dataDir)) checkWhole(file);
    return { db: open(), repaired: null };
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  const backup = newestSound(dataDir, () => true);
  if (backup) putInPlace(dataDir, backup, now);
  else putAside(dataDir, now);
  const db = open();
  if (!backup) noteRestored(db, null);
  return { db, repaired: { at: now, from: backup?.at ?? null } };
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
