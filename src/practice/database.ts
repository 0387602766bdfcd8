import * as z from 'zod';
import Database from 'better-sqlite3';
import { migrations } from './migrations/index.ts';

/** A column of 0 or 1, parsed to a boolean. */
export const flag = z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1);

/** A column of JSON text, validated when it is read. */
export const json = <S extends z.ZodType>(schema: S) =>
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema);

export const count = z.object({ n: z.int() });

/** Converts a boolean to the value of a flag column. */
export const bit = (value: boolean): 0 | 1 => (value ? 1 : 0);

export type Db = Database.Database;
type Value = string | number | null;

/** Opens the database of a data folder and applies pending migrations, each in its own transaction. */
export const openDatabase = (file: string): Db => {
  const db = new Database(file, { timeout: 1_000 });
  try {
    bringUpToDate(db);
    return db;
  } catch (error) {
    // An open handle would keep the file locked for the next attempt.
    db.close();
    throw error;
  }
};

const bringUpToDate = (db: Db): void => {
  // Two services on one folder would write the same listings; the lock ends with the process.
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

// Preparing costs most of the time of a small query, so statements are memoised per database.
const prepared = new WeakMap<Db, Map<string, Database.Statement>>();
const statement = (db: Db, sql: string): Database.Statement => {
  const known = prepared.get(db) ?? new Map<string, Database.Statement>();
  prepared.set(db, known);
  const found = known.get(sql) ?? db.prepare(sql);
  known.set(sql, found);
  return found;
};

// The driver accepts numbered parameters (?1), which may occur twice, only by name.
const bound = (sql: string, values: Value[]): (Value | Record<string, Value>)[] =>
  /\?\d/.test(sql) ? [Object.fromEntries(values.map((value, at) => [String(at + 1), value]))] : values;

/** Returns the first row of a query, or null. */
export const one = <S extends z.ZodType>(db: Db, row: S, sql: string, ...values: Value[]): z.output<S> | null => {
  const found = statement(db, sql).get(...bound(sql, values));
  return found === undefined ? null : row.parse(found);
};

/** Returns all rows of a query. */
export const all = <S extends z.ZodType>(db: Db, row: S, sql: string, ...values: Value[]): z.output<S>[] =>
  statement(db, sql)
    .all(...bound(sql, values))
    .map((found) => row.parse(found));

/** Runs a statement and returns the number of changed rows. */
export const run = (db: Db, sql: string, ...values: Value[]): number =>
  statement(db, sql).run(...bound(sql, values)).changes;

/**
 * Runs `work` in a transaction; nested calls join the outer transaction. An effect and its journal row belong in one
 * transaction.
 */
export const atomically = <T>(db: Db, work: () => T): T =>
  db.inTransaction ? work() : db.transaction(work).immediate();
