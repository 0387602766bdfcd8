import * as z from 'zod';
import Database from 'better-sqlite3';
import { migrations } from './migrations/index.ts';

/** A column of 0 or 1, parsed to a boolean. */
export const flagColumn = z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1);

/** A column of JSON text, validated when it is read. */
export const jsonColumn = <S extends z.ZodType>(schema: S) =>
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema);

export const countRow = z.object({ n: z.int() });

/** Converts a boolean to the value of a flag column. */
export const toFlagValue = (value: boolean): 0 | 1 => (value ? 1 : 0);

export type Db = Database.Database;
type ColumnValue = string | number | null;

/** Opens the database of a data folder and applies pending migrations, each in its own transaction. */
export const openMigratedDatabase = (file: string): Db => {
  const db = new Database(file, { timeout: 1_000 });
  try {
    applyPendingMigrations(db);
    return db;
  } catch (error) {
    // An open handle would keep the file locked for the next attempt.
    db.close();
    throw error;
  }
};

const applyPendingMigrations = (db: Db): void => {
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
const prepareOnce = (db: Db, sql: string): Database.Statement => {
  const known = prepared.get(db) ?? new Map<string, Database.Statement>();
  prepared.set(db, known);
  const found = known.get(sql) ?? db.prepare(sql);
  known.set(sql, found);
  return found;
};

// The driver accepts numbered parameters (?1), which may occur twice, only by name.
const bindParameters = (sql: string, values: ColumnValue[]): (ColumnValue | Record<string, ColumnValue>)[] =>
  /\?\d/.test(sql) ? [Object.fromEntries(values.map((value, at) => [String(at + 1), value]))] : values;

/** Returns the first row of a query, or null. */
export const selectFirstRow = <S extends z.ZodType>(
  db: Db,
  row: S,
  sql: string,
  ...values: ColumnValue[]
): z.output<S> | null => {
  const found = prepareOnce(db, sql).get(...bindParameters(sql, values));
  return found === undefined ? null : row.parse(found);
};

/** Returns all rows of a query. */
export const selectAllRows = <S extends z.ZodType>(
  db: Db,
  row: S,
  sql: string,
  ...values: ColumnValue[]
): z.output<S>[] =>
  prepareOnce(db, sql)
    .all(...bindParameters(sql, values))
    .map((found) => row.parse(found));

/** Runs a statement and returns the number of changed rows. */
export const runStatement = (db: Db, sql: string, ...values: ColumnValue[]): number =>
  prepareOnce(db, sql).run(...bindParameters(sql, values)).changes;

/**
 * Runs `work` in a transaction; nested calls join the outer transaction. An effect and its journal row belong in one
 * transaction.
 */
export const runInTransaction = <T>(db: Db, work: () => T): T =>
  db.inTransaction ? work() : db.transaction(work).immediate();
