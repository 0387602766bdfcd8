import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as z from 'zod';
import { applyMigrations } from '../applyMigrations.ts';
import { createDrawnFolder } from '../photos/createDrawnFolder.ts';
import { startTestPractice } from '../practice.ts';
import type { End } from '../processes/endAtMoment.ts';
import { getBackupsDir } from '../../../src/core/storage/backupFiles.ts';
import { isIntactDatabase } from '../../../src/core/storage/backups.ts';
import { migrations } from '../../../src/core/storage/migrations/index.ts';
import { scheduleRestore } from '../../../src/core/storage/restore.ts';
import { isSoundDatabase } from '../../../src/core/storage/soundDatabase.ts';
import { findLedgerDamage } from '../approvals/findLedgerDamage.ts';
import { runUntilEnd, getScriptPath } from './life.ts';

const found = z.object({
  items: z.array(z.string()),
  photos: z.int(),
  files: z.int(),
  approvalMinutes: z.int(),
  assistants: z.array(z.object({ name: z.string(), restored: z.boolean() })),
  /** Whether the person was told that the database was damaged. */
  repaired: z.boolean(),
  alarm: z.string().nullable(),
});
export type Found = z.infer<typeof found>;

/** The state after a start without a restore. */
export const oldData: Found = {
  items: ['blue mug', 'red hat'],
  photos: 3,
  files: 3,
  approvalMinutes: 22,
  assistants: [{ name: 'Tidy Helper', restored: false }],
  repaired: false,
  alarm: null,
};
/** The state after a restore: rights from the backup are suspended, and the ledger reports that it is older. */
export const restoredData: Found = {
  ...{ items: ['blue mug'], photos: 1, files: 1, approvalMinutes: 11 },
  assistants: [{ name: 'Tidy Helper', restored: true }],
  repaired: false,
  alarm: 'rolledBack',
};

const settingsRow = z.object({ value: z.string() });
const readMinutes = (file: string): number | null => {
  const db = new Database(file, { fileMustExist: true });
  try {
    const { value } = settingsRow.parse(db.prepare("select value from settings where name = 'settings'").get());
    return z.object({ approvalMinutes: z.int() }).parse(JSON.parse(value)).approvalMinutes;
  } catch {
    return null;
  } finally {
    db.close();
  }
};

/** Returns the content of the databases that were set aside; their newest rows are only in their logs. */
const readSetAside = (dataDir: string): (number | null)[] => {
  const place = join(dataDir, 'put-aside');
  return (existsSync(place) ? readdirSync(place) : []).map((name) => {
    // Opening a database changes its files, so this opens a copy.
    const copy = join(dataDir, '..', 'look at it');
    rmSync(copy, { recursive: true, force: true });
    cpSync(join(place, name), copy, { recursive: true });
    return readMinutes(join(copy, 'companion.db'));
  });
};

/** The version of the database that an update makes new. */
export const oldVersion = migrations.length - 5;

const settingsTable = z.array(z.object({ name: z.string(), value: z.string() }));

const readSettings = (file: string) => {
  const db = new Database(file);
  try {
    return settingsTable.parse(db.prepare('select name, value from settings').all());
  } finally {
    db.close();
  }
};

const createOldDatabase = (file: string): void => {
  const settings = readSettings(file);
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  const db = new Database(file);
  applyMigrations(db, oldVersion);
  const insert = db.prepare('insert into settings (name, value) values (@name, @value)');
  for (const row of settings) insert.run(row);
  db.close();
};

const readVersion = (file: string): number | null => {
  const db = new Database(file, { readonly: true });
  try {
    return z.int().parse(db.pragma('user_version', { simple: true }));
  } finally {
    db.close();
  }
};

const readBackupVersions = (dir: string): (number | null)[] =>
  readdirSync(dir).map((name) =>
    isIntactDatabase(join(dir, name)) && name.endsWith('.db') ? readVersion(join(dir, name)) : null,
  );

/** Creates a data folder with a backup; each story starts with a fresh copy of it. */
export const startRestores = async () => {
  const practice = await startTestPractice();
  const root = await mkdtemp(join(tmpdir(), 'restores-'));
  // Prepared photos are stored by their absolute paths, so all stories use the same folder.
  const [home, filled] = [join(root, 'home'), join(root, 'filled')];
  const dataDir = join(home, 'data');
  const folders = [
    await createDrawnFolder(join(root, 'photos'), 'blue mug', 1),
    await createDrawnFolder(join(root, 'photos'), 'red hat', 2),
  ];
  const args = { home, practiceUrl: practice.url, folders };
  const run = (act: 'fill' | 'start', restore: string | null, end: End) =>
    runUntilEnd(getScriptPath('restoreProcess'), { ...args, act, restore, end }, found);
  await mkdir(home);
  await run('fill', null, { when: 'never' });
  await cp(home, filled, { recursive: true });
  return {
    dataDir,
    /** Resets the data folder to the state after a kill, with many rows only in the database's log. */
    reset: async (): Promise<void> => {
      await rm(home, { recursive: true, force: true });
      await cp(filled, home, { recursive: true });
    },
    /** Requests a restore in the running companion; the next start performs it. */
    wish: (): Promise<boolean> => scheduleRestore(dataDir, 'newest', async (file) => isSoundDatabase(file)),
    /** Overwrites the database and its log with garbage, like a failing disk. */
    harm: (): void =>
      ['', '-wal'].forEach((end) => writeFileSync(join(dataDir, `companion.db${end}`), 'nonsense'.repeat(10_000))),
    /** Replaces the database by one of an older version that contains only the settings. */
    outdate: (): void => createOldDatabase(join(dataDir, 'companion.db')),
    /** Returns the versions of the databases in the folder of backups; null for a file that is no backup. */
    backupVersions: (): (number | null)[] => readBackupVersions(getBackupsDir(dataDir)),
    /**
     * Starts the companion, with `--restore` if a backup is named. Returns the failpoints met, and the state found
     * unless it was killed.
     */
    start: (restore: string | null, end: End) => run('start', restore, end),
    /** Returns the approval minutes in each database that was set aside; null for a damaged database. */
    putAside: (): (number | null)[] => readSetAside(dataDir),
    damage: (): unknown[] => findLedgerDamage(dataDir),
    close: async () => {
      await practice.close();
      await rm(root, { recursive: true, force: true });
    },
  };
};
