import * as z from 'zod';
import type { Db } from '../../src/core/storage/database.ts';

const plan = z.array(z.looseObject({ detail: z.string() }));

/** Returns the SQL that is prepared from now on. The list grows with each statement. */
export const watchPreparedSql = (db: Db): string[] => {
  const prepared: string[] = [];
  const prepare = db.prepare.bind(db);
  db.prepare = (sql: string) => {
    prepared.push(sql);
    return prepare(sql);
  };
  return prepared;
};

/** Returns the steps in which SQLite runs a query, for example "SCAN items". */
export const listQuerySteps = (db: Db, sql: string, values: readonly unknown[]): string[] =>
  plan.parse(db.prepare(`explain query plan ${sql}`).all(...values)).map(({ detail }) => detail);
