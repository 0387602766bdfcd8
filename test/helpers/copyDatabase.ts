import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const isOfDatabase = (name: string): boolean => name.startsWith('companion.db');

/** Copies a database's files as a process killed now would leave them. */
export const copyDatabase = (from: string, to: string): void => {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(to).filter(isOfDatabase)) rmSync(join(to, name));
  for (const name of readdirSync(from).filter(isOfDatabase)) cpSync(join(from, name), join(to, name));
};
