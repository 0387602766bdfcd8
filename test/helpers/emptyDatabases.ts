import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMigratedDatabase } from '../../src/core/storage/database.ts';
import { openOrRepairDatabase, prepareDatabase, type OpenedDatabase } from '../../src/core/storage/restore.ts';
import { isSoundDatabase } from '../../src/core/storage/soundDatabase.ts';
import { ignoreStages } from '../../src/core/storage/startStages.ts';
import { openMigratedDatabase as openPracticeDatabase } from '../../src/practice/database.ts';

const createDatabase = (open: (file: string) => { close: () => unknown }): Buffer => {
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
 * Hundreds of worlds start with an empty database. It is created once per process by the real code and then copied,
 * because the migrations take thirty times as long.
 */
const createCopier = (open: Parameters<typeof createDatabase>[0]): ((file: string) => void) => {
  let made: Buffer | null = null;
  return (file) => writeFileSync(file, (made ??= createDatabase(open)));
};

/** Copies the database of a companion that was never used. */
export const copyCompanionDatabase = createCopier(openMigratedDatabase);

/** Copies the database of a practice service that was never used. */
export const copyPracticeDatabase = createCopier(openPracticeDatabase);

/** Opens the database of a data folder like a start, but checks it in this thread. */
export const openDatabase = (dataDir: string, now: number): Promise<OpenedDatabase> =>
  openOrRepairDatabase(dataDir, now, {
    checkDatabase: async (file) => isSoundDatabase(file),
    waited: new Promise(() => undefined),
    prepare: async (preparation) => prepareDatabase({ dataDir, now, preparation }, ignoreStages),
    onCheckAwaited: () => undefined,
  });
