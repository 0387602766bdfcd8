import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMigratedDatabase } from '../../src/core/storage/database.ts';
import { openMigratedDatabase as openPracticeDatabase } from '../../src/practice/database.ts';

const make = (open: (file: string) => { close: () => unknown }): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), 'empty-'));
  try {
    const file = join(folder, 'empty.db');
    open(file).close();
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/**
 * Hundreds of worlds begin with nothing. An empty database is made once in a test's process, by the code that makes it
 * anywhere, and copied to each: to migrate it takes thirty times as long.
 */
const copiesOf = (open: Parameters<typeof make>[0]): ((file: string) => void) => {
  let made: Buffer | null = null;
  return (file) => writeFileSync(file, (made ??= make(open)));
};

/** Puts a database there as a companion has it that was never used. */
export const copyCompanionDatabase = copiesOf(openMigratedDatabase);

/** The same for the practice service. */
export const copyPracticeDatabase = copiesOf(openPracticeDatabase);
