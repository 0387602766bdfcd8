import * as z from 'zod';
import Database from 'better-sqlite3';
import { migrations } from './migrations/index.ts';

export const flagColumn = z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1);

/** Parses and validates the JSON text of a column. */
export const jsonColumn = <S extends z.ZodType>(schema: S) =>
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema);

export const countRow = z.object({ n: z.int() });

export const toFlagValue = (value: boolean): 0 | 1 => (value ? 1 : 0);

export type Db = Database.Database;
type ColumnValue = string | number | null;

/** Opens a database and applies the missing migrations, each in its own transaction. */
export const openMigratedDatabase = (file: string): Db => {
  const db = new Database(file, { timeout: 1_000 });
  try {
    applyPendingMigrations(db);
    return db;
  } catch (error) {
    // Close the database, because an open handle would lock the file for the next attempt.
    db.close();
    throw error;
  }
};

const applyPendingMigrations = (db: Db): void => {
  // This lock prevents two services from using the same folder. It ends with the process.
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

// Preparing a statement takes most of the time of a small query, so prepared statements are reused.
const prepared = new WeakMap<Db, Map<string, Database.Statement>>();
const prepareOnce = (db: Db, sql: string): Database.Statement => {
  const known = prepared.get(db) ?? new Map<string, Database.Statement>();
  prepared.set(db, known);
  const found = known.get(sql) ?? db.prepare(sql);
  known.set(sql, found);
  return found;
};

// The driver accepts numbered parameters (?1) only by name.
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

/** Runs `work` in a transaction. If a transaction is already open, `work` becomes a part of it. */
export const runInTransaction = <T>(db: Db, work: () => T): T =>
  db.inTransaction ? work() : db.transaction(work).immediate();
