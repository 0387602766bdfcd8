import Database from 'better-sqlite3';
import * as z from 'zod';
import { Problem } from '../problem.ts';
import { migrations } from './migrations/index.ts';

export type Db = Database.Database;

/**
 * Opens the companion's database and brings it to the newest version, each migration in its own transaction.
 * Throws `NEWER_DATABASE` for one that a later version wrote, and `DATA_UNWRITABLE` when the folder cannot be used.
 */
export const openDatabase = (file: string): Db => {
  const db = open(file);
  // A yes that was given must survive a power cut, so every commit reaches the disk.
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  const version = z.int().parse(db.pragma('user_version', { simple: true }));
  if (version > migrations.length) {
    db.close();
    throw new Problem(
      'NEWER_DATABASE',
      'This data folder was written by a newer version of the companion. Please install that version.',
    );
  }
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue;
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`user_version = ${index + 1}`);
    })();
  }
  return db;
};

const open = (file: string): Db => {
  try {
    return new Database(file);
  } catch (error) {
    throw new Problem('DATA_UNWRITABLE', 'The data folder cannot be written to. Choose another one with --data.', {
      cause: error,
    });
  }
};

/** A text column that holds JSON of that shape. */
export const json = <S extends z.ZodType>(schema: S) =>
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema);
