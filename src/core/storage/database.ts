import Database from 'better-sqlite3';
import * as z from 'zod';
import { isWatched } from '../base/failpoints.ts';
import { Problem, problem } from '../base/problem.ts';
import { migrations } from './migrations/index.ts';
import { failpointsOfWrites } from './writeFailpoints.ts';

export type Db = Database.Database;

/**
 * Opens the companion's database and brings it to the newest version, each migration in its own transaction; before the
 * first of them `beforeChange` may keep a copy. Throws `NEWER_DATABASE` for one that a later version wrote,
 * `DATA_UNWRITABLE` when the folder cannot be used, and what SQLite says of a damaged file (see `isDamage`).
 */
export const openDatabase = (file: string, beforeChange: (db: Db) => void = () => undefined): Db => {
  const db = openUntouched(file);
  try {
    // A yes that was given must survive a power cut, so every commit reaches the disk.
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    const version = z.int().parse(db.pragma('user_version', { simple: true }));
    if (version > migrations.length) throw problem('NEWER_DATABASE');
    if (version > 0 && version < migrations.length) beforeChange(db);
    for (const [index, sql] of migrations.entries()) {
      if (index < version) continue;
      db.transaction(() => {
        db.exec(sql);
        db.pragma(`user_version = ${index + 1}`);
      })();
    }
    return db;
  } catch (error) {
    db.close();
    throw unwritable(error) ?? error;
  }
};

/** Opens a database without looking into it. Throws `DATA_UNWRITABLE`. */
export const openUntouched = (file: string): Db => {
  try {
    return isWatched() ? new Database(file, { verbose: failpointsOfWrites() }) : new Database(file);
  } catch (cause) {
    throw problem('DATA_UNWRITABLE', { cause });
  }
};

const codeOf = (error: unknown): string => (error instanceof Database.SqliteError ? error.code : '');

const unwritable = (cause: unknown): Problem | null =>
  /^SQLITE_(READONLY|CANTOPEN|PERM)/.test(codeOf(cause)) ? problem('DATA_UNWRITABLE', { cause }) : null;

/** Whether an error means that the file of the database is damaged, or never was one. */
export const isDamage = (error: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error)) || (error instanceof Problem && error.code === 'DATA_DAMAGED');

/** A text column that holds JSON of that shape. */
export const json = <S extends z.ZodType>(schema: S) =>
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema);
