import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createDailyBackupService, type CopyEnd } from '../../../../src/core/storage/backups.ts';
import { createTestClock } from '../../../helpers/testClock.ts';

/** Opens the backups of a folder. Each copy waits in `copies` until the test ends it. */
const openBackups = () => {
  const backupsDir = mkdtempSync(join(tmpdir(), 'backups-'));
  onTestFinished(() => rmSync(backupsDir, { recursive: true, force: true }));
  const copies: ((end: CopyEnd) => void)[] = [];
  const copyDatabase = (file: string): Promise<CopyEnd> => {
    writeFileSync(file, `copy ${copies.length + 1}`);
    return new Promise((resolve) => copies.push(resolve));
  };
  const clock = createTestClock();
  const ages = { note: () => undefined, ageMs: () => 0, steadyAt: clock.now, earliestAt: clock.now };
  const ignore = (): void => undefined;
  const backups = createDailyBackupService({ copyDatabase, clock, ages, backupsDir, log: ignore, changed: ignore });
  const endCopy = async (at: number, end: CopyEnd): Promise<void> => {
    await expect.poll(() => copies.length).toBe(at);
    clock.advance(1_000);
    copies[at - 1]?.(end);
  };
  return { backups, copies, endCopy };
};

test('a backup that is requested while another one runs begins after it, once for all who wait', async () => {
  const { backups, copies, endCopy } = openBackups();
  const first = backups.make();
  await expect.poll(() => copies.length).toBe(1);
  const [second, third] = [backups.make(), backups.make()];
  await endCopy(1, 'done');
  const kept = await first;
  await endCopy(2, 'done');
  expect(await third).toEqual(await second);
  expect([await second, kept].map((made) => made?.name)).toEqual(backups.list().map(({ name }) => name));
  expect(copies).toHaveLength(2);
});

test('a requested backup also begins after a backup that was cancelled', async () => {
  const { backups, copies, endCopy } = openBackups();
  const first = backups.make();
  await expect.poll(() => copies.length).toBe(1);
  const second = backups.make();
  await endCopy(1, 'stopped');
  await endCopy(2, 'done');
  expect([await first, await second]).toEqual([null, expect.objectContaining({ name: expect.any(String) as string })]);
});

test('a backup that waits for another one does not begin after the stop', async () => {
  const { backups, copies, endCopy } = openBackups();
  void backups.make();
  await expect.poll(() => copies.length).toBe(1);
  const second = backups.make();
  const stopped = backups.stop();
  await endCopy(1, 'done');
  await stopped;
  expect([await second, copies.length]).toEqual([null, 1]);
});
