import { mkdtemp, rm } from 'node:fs/promises';
import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toProblemView } from '../../../../src/core/base/problem.ts';
import { openMigratedDatabase, type Db } from '../../../../src/core/storage/database.ts';
import { waitUntilSynced, writeUnsynced } from '../../../../src/core/storage/unsyncedWrites.ts';

type Done = (error: Error | null) => void;
let waiting: Done[] = [];

/** Waits for a disk sync that the test completes. */
const untilDiskDone = (): Promise<void> =>
  waitUntilSynced(
    db,
    () => new Promise((resolve, reject) => void waiting.push((error) => (error ? reject(error) : resolve()))),
  );

let dir: string;
let db: Db;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'on-disk-'));
  db = openMigratedDatabase(join(dir, 'companion.db'));
});
afterEach(async () => {
  db.close();
  waiting = [];
  await rm(dir, { recursive: true, force: true });
});

const writeSetting = (name: string): void =>
  writeUnsynced(db, () => void db.prepare('insert into settings (name, value) values (?, ?)').run(name, '1'));
const finishSync = async (error: Error | null = null): Promise<void> => {
  waiting.shift()?.(error);
  // Let the waiting callers continue.
  await new Promise((resolve) => setImmediate(resolve));
};
const failedDisk = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });

test('an unsynced write skips the disk sync, except inside a synced transaction', () => {
  const waits = (): boolean => db.pragma('synchronous', { simple: true }) === 2;
  expect(waits()).toBe(true);
  expect(writeUnsynced(db, waits)).toBe(false);
  expect(() =>
    writeUnsynced(db, () => {
      throw new Error('no room');
    }),
  ).toThrow('no room');
  expect(waits()).toBe(true);
  expect(db.transaction(() => writeUnsynced(db, waits))()).toBe(true);
});

test('concurrent waits share one disk sync, and later writes need another sync', async () => {
  await untilDiskDone();
  expect(waiting).toHaveLength(0);

  const done: string[] = [];
  const waitAs = (name: string): void => void untilDiskDone().then(() => done.push(name));
  writeSetting('first');
  writeSetting('second');
  waitAs('first');
  waitAs('second');
  expect(waiting).toHaveLength(1);
  writeSetting('third');
  waitAs('third');
  waitAs('fourth');
  await finishSync();
  expect([done, waiting.length]).toEqual([['first', 'second'], 1]);
  await finishSync();
  expect([done, waiting.length]).toEqual([['first', 'second', 'third', 'fourth'], 0]);
});

test('after a failed disk sync, the write-ahead log is copied into the database', async () => {
  writeSetting('first');
  const failed = untilDiskDone().catch((error: unknown) => toProblemView(error).code);
  await finishSync(failedDisk);
  expect(await failed).toBe('DATA_UNWRITABLE');

  const log = `${db.name}-wal`;
  expect(statSync(log).size).toBeGreaterThan(0);
  // The system can now report success although it has discarded the unwritten data.
  await untilDiskDone();
  expect([waiting.length, statSync(log).size]).toEqual([0, 0]);

  writeSetting('second');
  const waited = untilDiskDone();
  expect(waiting).toHaveLength(1);
  await finishSync();
  await waited;
});

test('a wait for the disk also ends for a database without a write-ahead log', async () => {
  db.pragma('journal_mode = DELETE');
  writeSetting('first');
  await untilDiskDone();
  expect(waiting).toHaveLength(0);
  writeSetting('second');
  await untilDiskDone();
  expect(db.prepare('select count(*) from settings').pluck().get()).toBe(2);
});
