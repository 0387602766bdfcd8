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

/** A disk that is done when a test says so. */
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

const note = (name: string): void =>
  writeUnsynced(db, () => void db.prepare('insert into settings (name, value) values (?, ?)').run(name, '1'));
const diskDone = async (error: Error | null = null): Promise<void> => {
  waiting.shift()?.(error);
  // Let the waiting callers continue.
  await new Promise((resolve) => setImmediate(resolve));
};
const failedDisk = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });

test('a write that does not wait skips the disk sync, except inside a transaction that waits', () => {
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

test('concurrent waits share one sync, and later writes wait for another sync', async () => {
  await untilDiskDone();
  expect(waiting).toHaveLength(0);

  const done: string[] = [];
  const waitAs = (name: string): void => void untilDiskDone().then(() => done.push(name));
  note('first');
  note('second');
  waitAs('first');
  waitAs('second');
  expect(waiting).toHaveLength(1);
  note('third');
  waitAs('third');
  waitAs('fourth');
  await diskDone();
  expect([done, waiting.length]).toEqual([['first', 'second'], 1]);
  await diskDone();
  expect([done, waiting.length]).toEqual([['first', 'second', 'third', 'fourth'], 0]);
});

test('after a failed sync nothing counts as written until the log has been copied into the database', async () => {
  note('first');
  const failed = untilDiskDone().catch((error: unknown) => toProblemView(error).code);
  await diskDone(failedDisk);
  expect(await failed).toBe('DATA_UNWRITABLE');

  const log = `${db.name}-wal`;
  expect(statSync(log).size).toBeGreaterThan(0);
  // The system may say that all is well now, and has forgotten what it could not write.
  await untilDiskDone();
  expect([waiting.length, statSync(log).size]).toEqual([0, 0]);

  note('second');
  const waited = untilDiskDone();
  expect(waiting).toHaveLength(1);
  await diskDone();
  await waited;
});

test('waiting for the disk also works for a database without a log', async () => {
  db.pragma('journal_mode = DELETE');
  note('first');
  await untilDiskDone();
  expect(waiting).toHaveLength(0);
  note('second');
  await untilDiskDone();
  expect(db.prepare('select count(*) from settings').pluck().get()).toBe(2);
});
