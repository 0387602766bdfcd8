import type { Database } from 'better-sqlite3';
import { migrations } from '../../src/core/storage/migrations/index.ts';

/** Gives an empty database the tables of this version. */
export const applyMigrations = (db: Database, version: number): void => {
  for (const sql of migrations.slice(0, version)) db.exec(sql);
  db.pragma(`user_version = ${version}`);
};
