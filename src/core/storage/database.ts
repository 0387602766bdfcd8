import { createBoundedMap } from '../base/boundedMap.ts';
import { publishFailpointsAround, hasFailpointListeners } from '../base/failpoints.ts';
import Database, { type Statement } from 'better-sqlite3';
import * as z from 'zod';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { createProblem, toProblemView, type Problem } from '../base/problem.ts';
import { migrations } from './migrations/index.ts';
import type { TaskProgress } from './startStages.ts';

const writeStatementPattern = /^\s*(insert into|update|delete from)\s+(\w+)\s*(.*)/is;

/** Returns a statement without its values, such as `update items step stop`; null for a read. */
const describeWriteStatement = (sql: string): string | null => {
  if (/^pragma user_version = /i.test(sql)) return `migration ${sql.split('= ')[1]}`;
  const found = writeStatementPattern.exec(sql.replaceAll(/'(?:[^']|'')*'/g, '?'));
  if (!found) return null;
  const [, verb = '', table = '', rest = ''] = found;
  if (verb.toLowerCase() !== 'update') return `${verb.toLowerCase()} ${table}`;
  const columns = [...rest.replace(/\swhere\s.*/is, '').matchAll(/(\w+)\s*=/g)].map(([, column]) => column);
  return ['update', table, ...new Set(columns)].join(' ');
};

/** A transaction publishes only one pair of failpoints, when it is committed. */
const createWriteFailpointPublisher = (): ((sql: unknown) => void) => {
  let together: Set<string> | null = null;
  return (sql) => {
    if (typeof sql !== 'string') return;
    if (/^begin/i.test(sql)) together = new Set();
    else if (/^rollback$/i.test(sql)) together = null;
    else if (/^commit$/i.test(sql)) {
      if (together && together.size > 0) publishFailpointsAround([...together].join(' + '));
      together = null;
    } else {
      const name = describeWriteStatement(sql);
      if (name === null) return;
      if (together) together.add(name);
      else publishFailpointsAround(name);
    }
  };
};

export type Db = Database.Database;

/** Loads the native code of SQLite, which is otherwise loaded with the first database. */
export const loadSqlite = (): void => void new Database(':memory:').close();

/**
 * Each connection keeps this many KiB of pages. With the 16 MiB of `better-sqlite3`, a large shop needed 30 MB more, and
 * no search was faster, because the operating system keeps the pages, too.
 */
const maxPageCacheKib = 2_000;

const limitPageCache = (db: Db): void => void db.pragma(`cache_size = -${maxPageCacheKib}`);

/** SQLite stores the version at this place of the file. */
const versionOffset = 60;

const isOutdated = (version: number): boolean => version > 0 && version < migrations.length;

/** Returns whether migrations of this database are outstanding, without opening it. */
export const isUpdateDue = (file: string): boolean => {
  if (!existsSync(file)) return false;
  const opened = openSync(file, 'r');
  try {
    const version = Buffer.alloc(4);
    readSync(opened, version, 0, version.length, versionOffset);
    return isOutdated(version.readUInt32BE());
  } finally {
    closeSync(opened);
  }
};

type MigrationSteps = { beforeUpdate?: (db: Db) => void; onMigration?: (progress: TaskProgress) => void };

/** Applies all outstanding migrations or none, so that an update that fails or is killed leaves the data as they were. */
const runMigrations = (db: Db, version: number, onMigration: MigrationSteps['onMigration']): void =>
  db.transaction(() => {
    const outstanding = migrations.slice(version);
    for (const [done, sql] of outstanding.entries()) {
      onMigration?.({ done, total: outstanding.length });
      db.exec(sql);
    }
    db.pragma(`user_version = ${migrations.length}`);
  })();

/**
 * Opens the database and runs the outstanding migrations. Throws `NEWER_DATABASE`, `DATA_UNWRITABLE`, and SQLite errors
 * if the file is damaged.
 */
export const openMigratedDatabase = (file: string, { beforeUpdate, onMigration }: MigrationSteps = {}): Db => {
  const db = openRawDatabase(file);
  try {
    // An approval must survive a power failure, so every commit is synced to disk.
    db.pragma('journal_mode = WAL');
    limitPageCache(db);
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    const version = z.int().parse(db.pragma('user_version', { simple: true }));
    if (version > migrations.length) throw createProblem('NEWER_DATABASE');
    if (isOutdated(version)) beforeUpdate?.(db);
    if (version < migrations.length) runMigrations(db, version, onMigration);
    return db;
  } catch (error) {
    db.close();
    throw toUnwritableProblem(error) ?? error;
  }
};

const tableNames = `select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'
  and name not glob 'listing_words_*' and name not glob 'shelf_words_*' and name not glob 'ledger_words_*'`;

/** Returns whether all tables are empty. */
export const isEmptyDatabase = (db: Db): boolean =>
  textValues
    .parse(db.prepare(tableNames).pluck().all())
    .every((name) => db.prepare(`select 1 from "${name}" limit 1`).get() === undefined);

/** Opens a database without reading it. Throws `DATA_UNWRITABLE`. */
export const openRawDatabase = (file: string): Db => {
  try {
    return hasFailpointListeners()
      ? new Database(file, { verbose: createWriteFailpointPublisher() })
      : new Database(file);
  } catch (cause) {
    throw createProblem('DATA_UNWRITABLE', { cause });
  }
};

/** Opens an existing database whose owner does not run, and changes nothing. Throws if it cannot be opened. */
export const openDatabaseForReading = (file: string): Db => {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    limitPageCache(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

const statementCaches = new WeakMap<Db, Map<string, Statement<unknown[]>>>();

/**
 * Returns the prepared statement for an SQL text. Each text is prepared only once, because preparing takes longer
 * than a small query.
 */
export const prepareStatement = (db: Db, sql: string): Statement<unknown[]> => {
  const statements = statementCaches.get(db) ?? new Map<string, Statement<unknown[]>>();
  statementCaches.set(db, statements);
  const statement = statements.get(sql) ?? db.prepare(sql);
  statements.set(sql, statement);
  return statement;
};

const getSqliteCode = (error: unknown): string => (error instanceof Database.SqliteError ? error.code : '');

const toUnwritableProblem = (cause: unknown): Problem | null =>
  /^SQLITE_(READONLY|CANTOPEN|PERM)/.test(getSqliteCode(cause)) ? createProblem('DATA_UNWRITABLE', { cause }) : null;

/** Returns whether an error means that the database file is damaged or is not a database. */
export const isDatabaseDamage = (error: unknown): boolean => toProblemView(error).code === 'DATA_DAMAGED';

export const textValues = z.array(z.string());

const jsonText = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('The text is not JSON.');
    return z.NEVER;
  }
});

/** Returns the schema of a text column that contains JSON. */
export const createJsonColumn = <S extends z.ZodType>(schema: S) => jsonText.pipe(schema);

const maxRememberedChars = 1_000_000;

const freezeDeep = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freezeDeep);
  return value;
};

/** Returns a schema like `createJsonColumn`, but memoised by the text. The value is shared, so it is frozen. */
export const createMemoisedJsonColumn = <S extends z.ZodType>(schema: S) => {
  type Known = { value: z.output<S>; chars: number };
  const known = createBoundedMap<string, Known>(1_000, { of: ({ chars }) => chars, max: maxRememberedChars });
  const read = createJsonColumn(schema);
  return z.string().transform((text) => {
    const found = known.get(text) ?? { value: freezeDeep(read.parse(text)), chars: text.length };
    known.set(text, found);
    return found.value;
  });
};

const toColumnValue = (value: unknown): unknown =>
  value !== null && typeof value === 'object' ? JSON.stringify(value) : value;

/** Returns a function that inserts a row. The names of its properties become SQL, so they must not come from input. */
export const createRowInserter =
  (db: Db, table: string): ((row: object) => void) =>
  (row) => {
    const columns = Object.keys(row);
    const sql = `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`;
    prepareStatement(db, sql).run(...Object.values(row).map(toColumnValue));
  };

/**
 * Returns a function that updates the columns named by an object. Column names become SQL, so they must not come from
 * input.
 */
export const createRowUpdater =
  (db: Db, table: string, key: string): ((changes: object, id: string) => void) =>
  (changes, id) => {
    const sql = `update ${table} set ${Object.keys(changes)
      .map((name) => `${name} = ?`)
      .join(', ')} where ${key} = ?`;
    prepareStatement(db, sql).run(...Object.values(changes).map(toColumnValue), id);
  };
