import * as z from 'zod';
import Database from 'better-sqlite3';
import { migrations } from './migrations/index.ts';

/** Columns as SQLite keeps them, read into what the code uses. */
export const flag = z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1);

/** A column of JSON text that is checked on the way out. */
export const json = <S extends z.ZodType>(schema: S) =>
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema);

/** The row of a `SELECT COUNT(*) AS n`. */
export const count = z.object({ n: z.int() });

/** What a flag column is written as. */
export const bit = (value: boolean): 0 | 1 => (value ? 1 : 0);

/** The open database of one data folder. */
export type Db = Database.Database;
type Value = string | number | null;

/** Opens the database of a data folder and brings it up to date, one transaction a migration. */
export const openDatabase = (file: string): Db => {
  const db = new Database(file, { timeout: 1_000 });
  try {
    bringUpToDate(db);
    return db;
  } catch (error) {
    // Left open, it would stay locked for whoever tries again.
    db.close();
    throw error;
  }
};

const bringUpToDate = (db: Db): void => {
  // Two services on one folder would both write what was being written; the lock ends with the process.
  db.pragma('locking_mode = EXCLUSIVE');
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.pragma('foreign_keys = ON');
  const done = z.int().parse(db.pragma('user_version', { simple: true }));
  for (const [index, sql] of migrations.entries()) {
    if (index < done) continue;
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`user_version = ${index + 1}`);
    })();
  }
};

// Preparing is the dear part of a small query, so each text is prepared once a database.
const prepared = new WeakMap<Db, Map<string, Database.Statement>>();
const statement = (db: Db, sql: string): Database.Statement => {
  const known = prepared.get(db) ?? new Map<string, Database.Statement>();
  prepared.set(db, known);
  const found = known.get(sql) ?? db.prepare(sql);
  known.set(sql, found);
  return found;
};

// The driver takes numbered parameters (?1), which may be used twice, by name only.
const bound = (sql: string, values: Value[]): (Value | Record<string, Value>)[] =>
  /\?\d/.test(sql) ? [Object.fromEntries(values.map((value, at) => [String(at + 1), value]))] : values;

/** The first row of a query, or null. */
export const one = <S extends z.ZodType>(db: Db, row: S, sql: string, ...values: Value[]): z.output<S> | null => {
  const found = statement(db, sql).get(...bound(sql, values));
  return found === undefined ? null : row.parse(found);
};

/** All rows of a query. */
export const all = <S extends z.ZodType>(db: Db, row: S, sql: string, ...values: Value[]): z.output<S>[] =>
  statement(db, sql)
    .all(...bound(sql, values))
    .map((found) => row.parse(found));

/** Runs a change and says how many rows it touched. */
export const run = (db: Db, sql: string, ...values: Value[]): number =>
  statement(db, sql).run(...bound(sql, values)).changes;

/** Does everything or nothing; an effect and its journal row belong in one. */
export const atomically = <T>(db: Db, work: () => T): T =>
  db.inTransaction ? work() : db.transaction(work).immediate();
