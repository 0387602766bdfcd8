import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startDataThread } from '../../../src/host/dataThread/startDataThread.ts';
import { lowPriority } from '../../../src/isolated/childChannel.ts';
import { listBackupFiles } from '../../../src/core/storage/backupFiles.ts';
import { readExport } from '../../helpers/approvals/readExport.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const getExportsDir = (): string => join(world.dataDir, 'exports');
const listFiles = (dir: string): string[] => readdirSync(dir).toSorted();
const cancelAll = async (): Promise<void> => {
  const { exports } = world.companion();
  for (const { exportId } of exports.list()) await exports.cancel(exportId);
};
/** Each thread has a message port. */
const countDataThreads = (): number => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
const countExportRows = async (): Promise<number> => {
  const { rows } = await world.companion().searchHistory.search({ q: '', limit: 200 });
  return rows.filter(({ kind }) => kind === 'history.exported').length;
};

test('a cancelled export leaves no file and is not recorded', async () => {
  const { exports } = world.companion();
  const exporting = exports.exportHistory('jsonl');
  expect(exports.list()).toMatchObject([{ kind: 'history', done: 0 }]);
  await cancelAll();
  expect(await exporting).toBeNull();
  expect(exports.list()).toEqual([]);
  expect(listFiles(getExportsDir())).toEqual([]);
  expect(await countExportRows()).toBe(0);
});

test('a cancelled backup leaves no file', async () => {
  const { backups } = world.companion();
  const copying = backups.make();
  expect(world.companion().exports.list()).toMatchObject([{ kind: 'backup' }]);
  await cancelAll();
  expect(await copying).toBeNull();
  expect(listFiles(join(world.dataDir, 'backups'))).toEqual([]);
  expect(await backups.make()).toMatchObject({ name: listBackupFiles(join(world.dataDir, 'backups'))[0]?.name });
});

test('three exports run at once, the others wait, and a waiting one can be cancelled', async () => {
  const { exports } = world.companion();
  const before = countDataThreads();
  const exporting = Array.from({ length: 6 }, () => exports.exportHistory('jsonl'));
  expect(exports.list()).toHaveLength(6);
  await exports.cancel(exports.list().at(-1)?.exportId ?? '');
  await turn();
  expect(countDataThreads() - before).toBe(3);
  expect(exports.list().map(({ isWaiting }) => isWaiting)).toEqual([false, false, false, true, true]);
  const files = await Promise.all(exporting);
  expect(files.map((file) => file?.name ?? null)).toEqual([...Array<string>(5).fill('history.jsonl'), null]);
  expect(exports.list()).toEqual([]);
  expect(listFiles(getExportsDir())).toHaveLength(5);
  expect(await countExportRows()).toBe(5);
});

test('a large backup is checked in a thread before its restore is scheduled', async () => {
  const { backups } = world.companion();
  const made = await backups.make();
  const copy = new Database(join(world.dataDir, 'backups', made?.name ?? ''));
  copy.exec('create table filler as select zeroblob(70000000) as bytes');
  copy.close();
  const order: string[] = [];
  const scheduled = backups.restore('newest').then(() => order.push('scheduled'));
  setImmediate(() => order.push('next turn of the event loop'));
  await scheduled;
  expect(order).toEqual(['next turn of the event loop', 'scheduled']);
  expect(listFiles(world.dataDir)).toContain('restore.json');
});

test('a start removes what a killed companion left of a backup', async () => {
  await world.stop();
  const dir = join(world.dataDir, 'backups');
  mkdirSync(dir, { recursive: true });
  for (const name of ['unfinished.part', 'unfinished.part-journal']) writeFileSync(join(dir, name), 'half');
  await world.begin();
  expect(listFiles(dir)).toEqual([]);
});

test('an export and a backup without their folder say so, and the next ones work', async () => {
  const { exports, backups } = world.companion();
  for (const folder of ['exports', 'backups']) writeFileSync(join(world.dataDir, folder), 'in the way');
  await expect(exports.exportHistory('csv')).rejects.toMatchObject({ code: 'DATA_UNWRITABLE' });
  await expect(backups.make()).rejects.toMatchObject({ code: 'DATA_UNWRITABLE' });
  for (const folder of ['exports', 'backups']) rmSync(join(world.dataDir, folder));

  const exporting = exports.exportHistory('csv');
  renameSync(getExportsDir(), join(world.dataDir, 'moved'));
  await expect(exporting).rejects.toMatchObject({ code: 'DATA_UNWRITABLE' });
  expect(exports.list()).toEqual([]);
  expect(await exports.exportHistory('csv')).toMatchObject({ name: 'history.csv' });
  expect(await backups.make()).not.toBeNull();
});

test('an export that cannot get its final name leaves no file and is not recorded', async () => {
  const { exports } = world.companion();
  const exporting = exports.exportHistory('csv');
  let part: string | undefined;
  while (part === undefined) {
    await turn();
    part = listFiles(getExportsDir())[0];
  }
  const blocked = join(getExportsDir(), part.replace('.part', ''));
  mkdirSync(join(blocked, 'in the way'), { recursive: true });
  await expect(exporting).rejects.toMatchObject({ code: 'DATA_UNWRITABLE' });
  rmSync(blocked, { recursive: true });
  expect(listFiles(getExportsDir())).toEqual([]);
  expect(await countExportRows()).toBe(0);
});

test('an export ends when the companion stops, and a start removes files that a crash left', async () => {
  const exporting = world.companion().exports.exportListings({
    ...{ q: '', statuses: [], site: null, from: null, to: null, minCents: null, maxCents: null },
  });
  await world.stop();
  expect(await exporting).toBeNull();
  mkdirSync(getExportsDir(), { recursive: true });
  writeFileSync(join(getExportsDir(), 'left.part'), 'half');
  await world.begin();
  expect(listFiles(world.dataDir)).not.toContain('exports');
});

test('an exported file is removed after its download, or after ten minutes without one', async () => {
  const { exports } = world.companion();
  const exportTwice = async () => [await exports.exportHistory('csv'), await exports.exportHistory('csv')];
  const [downloaded, waiting] = (await exportTwice()).map((offered) => offered?.url.split('/').at(-1) ?? '');
  expect(listFiles(getExportsDir())).toHaveLength(2);
  exports.find(downloaded ?? '')?.remove();
  expect(listFiles(getExportsDir())).toEqual([waiting]);
  expect(exports.find(downloaded ?? '')).toBeNull();
  world.clock.advance(9 * 60_000);
  expect(exports.find(waiting ?? '')).not.toBeNull();
  world.clock.advance(60_000);
  await world.until(() => exports.find(waiting ?? '') === null, 'the removal');
  expect(listFiles(getExportsDir())).toEqual([]);
  expect(await countExportRows()).toBe(2);
});

test('progress is reported to the windows, and the last report is complete', async () => {
  const seen: { done: number; total: number }[] = [];
  const { exports, onChanged } = world.companion();
  const stop = onChanged((topic) => topic === 'exports' && seen.push(...exports.list()));
  await readExport(world, ({ exportHistory }) => exportHistory('jsonl'));
  stop();
  const last = seen.at(-1);
  expect(last?.total).toBeGreaterThan(0);
  expect(last?.done).toBe(last?.total);
});

/** Returns an empty text if the thread has ended since it was listed. */
const readThreadFacts = (threadId: string): string => {
  try {
    return readFileSync(`/proc/self/task/${threadId}/stat`, 'utf8');
  } catch {
    return '';
  }
};

/** Returns the ids of this process's threads that run at low priority. */
const listLowThreads = (): string[] =>
  readdirSync('/proc/self/task').filter((threadId) => {
    const stat = readThreadFacts(threadId);
    return Number(stat.split(') ')[1]?.split(' ')[16]) >= lowPriority;
  });

test.skipIf(process.platform !== 'linux')('an export gives way to the window and the assistants', async () => {
  const before = new Set(listLowThreads());
  const started: string[] = [];
  const signer = { publicKey: '', fingerprint: '', keychain: 'memory' } as const;
  const thread = startDataThread(
    {
      databaseFile: join(world.dataDir, 'companion.db'),
      task: { kind: 'history', format: 'jsonl', signer, at: 0 },
      file: join(world.dataDir, 'export.part'),
    },
    // The thread waits for the signature.
    { signAll: () => (started.push(...listLowThreads().filter((threadId) => !before.has(threadId))), ['']) },
  );
  expect(await thread.ended).toBe('done');
  // The companion of this test may start and end such threads, too.
  expect(started).not.toEqual([]);
});
