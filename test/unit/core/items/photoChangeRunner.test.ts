import { expect, test } from 'vitest';
import { createProblem } from '../../../../src/core/base/problem.ts';
import type { ItemsContext } from '../../../../src/core/items/itemsContext.ts';
import { createPhotoChangeRunner } from '../../../../src/core/items/photoChange/photoChangeRunner.ts';
import type { PhotoChangeRow } from '../../../../src/core/storage/tables/photos/photoChangesTable.ts';

/** A change without photos. Its first step stores the next stage, and the listing cannot be read after that. */
const createParts = () => {
  const row = {
    ...{ item_id: 'lamp', account: 'ada', listing_id: 'lst_lamp', stage: 'preparing', rounds: 0, cancelled: 0 },
    ...{ before: [], wished: [], baseline: [], shown: [], problem: null },
  } as PhotoChangeRow;
  const parts = {
    row,
    /** How many of the next writes find the disk full. */
    fullWrites: 0,
    writes: 0,
    account: 'ada',
    requests: 0,
    messages: [] as (string | undefined)[],
    beforeRead: (): void => undefined,
    sleepUntilNudge: async (): Promise<void> => undefined,
    start: (): void => runner.start('lamp'),
    waitForEnd: (): Promise<void> => runner.halt('lamp'),
  };
  const storeChange = (_itemId: string, changes: Partial<PhotoChangeRow>): void => {
    parts.writes += 1;
    if (parts.writes <= parts.fullWrites) throw createProblem('DISK_FULL');
    Object.assign(row, changes);
  };
  const context = {
    account: () => parts.account,
    table: {
      photoChanges: { read: () => row, change: storeChange },
      read: () => ({ item_id: 'lamp', account: 'ada', listing_id: 'lst_lamp' }),
      atomically: (write: () => void) => write(),
    },
    perform: async () => {
      parts.requests += 1;
      parts.beforeRead();
      throw createProblem('NOT_FOUND.photo');
    },
    photoUploads: { putting: () => false },
    boundPhotos: { slotOpened: () => undefined },
    gate: { waitWhilePaused: async () => undefined, sleepUntilNudge: () => parts.sleepUntilNudge() },
    pacing: { localPauseMs: () => 1_000, waitsForService: () => false },
    log: () => undefined,
    notifyItemChanged: () => parts.messages.push(runner.trouble('lamp')?.key),
  } as unknown as ItemsContext;
  const runner = createPhotoChangeRunner(context);
  return parts;
};

const waitForStage = ({ row }: ReturnType<typeof createParts>, stage: string): Promise<void> =>
  expect.poll(() => row.stage).toBe(stage);

test.each([1, 2, 3])('a change is retried after %s writes found the disk full', async (fullWrites) => {
  const parts = createParts();
  parts.fullWrites = fullWrites;
  parts.start();
  await waitForStage(parts, 'unknown');
  expect(parts.writes).toBe(fullWrites + 2);
  expect(parts.messages).toContain('problems.DISK_FULL');
});

test('the end of a change is stored even if the disk was full before', async () => {
  const parts = createParts();
  parts.row.stage = 'checking';
  parts.fullWrites = 2;
  parts.start();
  await waitForStage(parts, 'unknown');
  expect(parts.messages).toContain('problems.DISK_FULL');
});

test('a change is started again if the start came while its run was ending', async () => {
  const parts = createParts();
  let reads = 0;
  parts.beforeRead = () => {
    reads += 1;
    if (reads > 1) return;
    // The account was connected again before the run noticed that it was gone.
    parts.start();
    throw createProblem('NOT_CONNECTED');
  };
  parts.start();
  await waitForStage(parts, 'unknown');
  expect(reads).toBe(2);
});

test('a change that was started under one account sends nothing under another', async () => {
  const parts = createParts();
  Object.assign(parts, { account: 'bob' });
  parts.row.stage = 'sending';
  parts.start();
  await parts.waitForEnd();
  expect([parts.requests, parts.row.stage, parts.row.problem]).toEqual([0, 'sending', null]);
});
