import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/core/base/clock.ts';
import { prepareData, restoreAtStart } from '../../../src/core/companion/dataTasks/prepareData.ts';
import { migrations } from '../../../src/core/storage/migrations/index.ts';
import type { StartStageName } from '../../../src/core/storage/startStages.ts';
import { createStartReport } from '../../../src/host/startReport.ts';
import { applyMigrations } from '../../helpers/applyMigrations.ts';
import type { RunningCompanion } from '../../../src/host/runCompanion.ts';
import { runTestHost } from '../../helpers/hosts/testHost.ts';

// Each test writes, copies and checks hundreds of megabytes.
vi.setConfig({ testTimeout: 240_000 });

let dataDir: string;
let running: RunningCompanion | null;
let stages: StartStageName[];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'long-start-'));
  [running, stages] = [null, []];
});
afterEach(async () => {
  await running?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const databaseFile = () => join(dataDir, 'companion.db');
const backupName = 'companion-2026-03-01T120000Z.db';
const backupFile = () => join(dataDir, 'backups', backupName);

/** Creates a database of this version that is so large that a thread prepares it. */
const createLargeDatabase = (mark: string, version = migrations.length): void => {
  const db = new Database(databaseFile());
  applyMigrations(db, version);
  db.exec(`insert into settings (name, value) values ('padding', hex(zeroblob(${33 * 2 ** 20})))`);
  db.prepare('insert into settings (name, value) values (?, ?)').run('mark', mark);
  db.close();
};

const readMark = (file = databaseFile()): unknown => {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare("select value from settings where name = 'mark'").pluck().get();
  } finally {
    db.close();
  }
};

/** Leaves a backup with the mark `before`, newer data with the mark `after`, and the request to restore the backup. */
const requestRestore = async (): Promise<void> => {
  createLargeDatabase('before');
  mkdirSync(join(dataDir, 'backups'));
  await copyFile(databaseFile(), backupFile());
  const db = new Database(databaseFile());
  db.exec("update settings set value = 'after' where name = 'mark'");
  db.close();
  writeFileSync(join(dataDir, 'restore.json'), JSON.stringify({ name: backupName }));
};

/** Starts the companion and notes the stages; `onStage` is called when a stage begins. */
const start = async (onStage: (name: StartStageName, report: typeof startReport) => unknown = () => undefined) => {
  startReport.onChanged(() => {
    const name = startReport.read()?.name;
    if (name === undefined || name === stages.at(-1)) return;
    stages.push(name);
    onStage(name, startReport);
  });
  running = await runTestHost(dataDir, { startReport });
  return running;
};
let startReport: ReturnType<typeof createStartReport>;
beforeEach(() => (startReport = createStartReport(() => undefined)));

test('a start that restores a large backup shows what it does, and the window stays served', async () => {
  await requestRestore();
  let turns = 0;
  const count = setInterval(() => (turns += 1), 1);
  await start();
  clearInterval(count);
  expect(stages).toEqual(['checkBackup', 'copyBackup', 'open']);
  expect(startReport.read()).toBeNull();
  expect(turns).toBeGreaterThan(5);
  expect([readMark(), existsSync(join(dataDir, 'restore.json'))]).toEqual(['before', false]);
  expect(readdirSync(join(dataDir, 'put-aside'))).toHaveLength(1);
});

test.each(['checkBackup', 'copyBackup'] as const)(
  'a restore that is cancelled in %s keeps the current data',
  async (at) => {
    await requestRestore();
    await start((name, { read, handlers }) => {
      if (name !== at) return;
      expect(read()?.isCancellable).toBe(true);
      void handlers['start.cancel']({});
      expect(read()?.isCancellable).toBe(false);
    });
    await running?.stop();
    running = null;
    const files = readdirSync(dataDir);
    expect(files).not.toContain('restore.json');
    // The copy may replace the data before the person cancels it. Then the replaced data is kept.
    if (files.includes('put-aside')) expect([at, readMark()]).toEqual(['copyBackup', 'before']);
    else expect(readMark()).toBe('after');
    expect(files.filter((file) => /staged|ready/.test(file))).toEqual([]);
  },
);

test('a restore that is cancelled when its copy is complete keeps the current data', async () => {
  await requestRestore();
  const { promise: ended, resolve } = Promise.withResolvers<'stopped'>();
  await restoreAtStart(
    {
      ...{ dataDir, clock: systemClock },
      startDataThread: () => {
        copyFileSync(backupFile(), `${databaseFile()}.ready`);
        return { ended, stop: async () => resolve('stopped') };
      },
      reportStart: (_stage, cancel) => cancel?.(),
    },
    null,
  );
  await start();
  expect(readMark()).toBe('after');
  expect(readdirSync(dataDir).filter((file) => /put-aside|ready|restore/.test(file))).toEqual([]);
});

test('a start that updates a large database shows the copy and the update, which cannot be cancelled', async () => {
  createLargeDatabase('old', migrations.length - 1);
  const cancellable: unknown[] = [];
  await start((_name, { read }) => cancellable.push(read()?.isCancellable));
  expect(stages).toEqual(['backUp', 'update', 'open']);
  expect(cancellable).toEqual([false, false, false]);
  const [copy] = readdirSync(join(dataDir, 'backups'));
  expect([readMark(), readMark(join(dataDir, 'backups', copy ?? ''))]).toEqual(['old', 'old']);
});

test('an update after a crash shows the check, the copy and the update', async () => {
  createLargeDatabase('old', migrations.length - 1);
  writeFileSync(`${databaseFile()}-wal`, '');
  await start();
  expect(stages.slice(-3)).toEqual(['backUp', 'update', 'open']);
  expect(['checkData', 'backUp']).toContain(stages[0]);
  expect(readMark()).toBe('old');
});

test('a large damaged backup is not restored, and the next start opens the current data', async () => {
  await requestRestore();
  truncateSync(backupFile(), 40 * 2 ** 20);
  await expect(start()).rejects.toMatchObject({ code: 'BACKUP_UNKNOWN' });
  expect(startReport.read()).toBeNull();
  await start();
  expect(readMark()).toBe('after');
});

test('a full disk during a restore leaves the current data and says so', async () => {
  await requestRestore();
  const noSpace = Object.assign(new Error('The disk is full.'), { code: 'ENOSPC' });
  const context = { dataDir, clock: systemClock, reportStart: () => undefined };
  const startDataThread = () => ({ ended: Promise.reject(noSpace), stop: async () => undefined });
  await expect(restoreAtStart({ ...context, startDataThread }, null)).rejects.toMatchObject({
    code: 'DISK_FULL',
    message: expect.stringContaining('the copy could not be restored, and the current data is unchanged') as string,
  });
  await expect(prepareData({ ...context, startDataThread }, { kind: 'update' })).rejects.toMatchObject({
    code: 'DISK_FULL',
    message: expect.stringContaining('could not be prepared for the start') as string,
  });
  expect(readMark()).toBe('after');
});

test('the check of a large backup before its restore shows its progress and can be cancelled', async () => {
  await requestRestore();
  rmSync(join(dataDir, 'restore.json'));
  const { handlers, onChanged } = await start();
  const seen: unknown[] = [];
  const cancelled = Promise.withResolvers<void>();
  onChanged((topic) => {
    if (topic === 'exports') void cancelFirst();
  });
  const cancelFirst = async (): Promise<void> => {
    const [task] = await handlers['exports.list']({});
    if (!task || seen.length > 0) return;
    seen.push(task.kind);
    await handlers['exports.cancel']({ exportId: task.exportId });
    cancelled.resolve();
  };
  expect(await handlers['backups.restore']({ name: backupName })).toEqual({ isScheduled: false });
  // The thread has ended, so the call resolves.
  await cancelled.promise;
  expect(seen).toEqual(['databaseCheck']);
  expect([await handlers['exports.list']({}), existsSync(join(dataDir, 'restore.json'))]).toEqual([[], false]);
  expect(await handlers['backups.restore']({ name: backupName })).toEqual({ isScheduled: true });
});
