import type { Statement } from 'better-sqlite3';
import type { Db } from './database.ts';

const column = (value: unknown): unknown =>
  value !== null && typeof value === 'object' ? JSON.stringify(value) : value;

/** Updates the columns named by an object, in the row with that key. Names come from the caller's types, never from outside. */
export const updater = (db: Db, table: string, key: string): ((changes: object, id: string) => void) => {
  const statements = new Map<string, Statement<unknown[]>>();
  return (changes, id) => {
    const sql = `update ${table} set ${Object.keys(changes)
      .map((name) => `${name} = ?`)
      .join(', ')} where ${key} = ?`;
    const statement = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, statement);
    statement.run(...Object.values(changes).map(column), id);
  };
};
