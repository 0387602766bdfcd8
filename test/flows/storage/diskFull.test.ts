import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { minDwellMs } from '../../../src/core/presence/windowSessions.ts';
import type { ItemView } from '../../../src/core/storage/tables/itemRecord.ts';
import { createDrawnFolder } from '../../helpers/photos/createDrawnFolder.ts';
import { startTestPractice } from '../../helpers/practice.ts';
import {
  explainNoSmallDisk,
  startOnFullDisk,
  startOnSmallDisk,
  type SmallDisk,
} from '../../helpers/hosts/smallDisk.ts';
import { waitUntil } from '../../helpers/testClock.ts';

// Each story runs several processes, and each step of it has a limit of its own.
vi.setConfig({ testTimeout: 1_200_000 });

const full = { code: 'DISK_FULL', sentence: expect.stringContaining('The disk is full') as string };
const unwritable = { code: 'DATA_UNWRITABLE', sentence: expect.stringContaining('cannot be written to') as string };

let practice: Awaited<ReturnType<typeof startTestPractice>>;
let home: string;
let disk: SmallDisk;

beforeEach(async () => {
  practice = await startTestPractice();
  home = await mkdtemp(join(tmpdir(), 'disk-full-'));
  disk = startOnSmallDisk({ dataDir: join(home, 'data'), practiceUrl: practice.url, megabytes: 24 });
});
afterEach(async () => {
  await disk.close();
  await practice.close();
  await rm(home, { recursive: true, force: true });
});

/** Returns the faults that no request has met yet. */
const listFaults = async () => z.array(z.unknown()).parse(await practice.control('GET', '/faults'));
const countEvents = async (kind: string): Promise<number> =>
  (await practice.journal()).filter((row) => row.kind === kind).length;
const countSentPhotos = async (): Promise<number> => {
  const rows = (await practice.journal()).filter(({ kind }) => kind === 'photo');
  return new Set(rows.map(({ listingId, index }) => `${String(listingId)} ${String(index)}`)).size;
};

/** Returns the names of partial files. */
const listPartialFiles = async (): Promise<string[]> => {
  const folders = ['intake', 'backups', 'prepared'];
  const names = await Promise.all(folders.map((folder) => disk.order('files', { folder })));
  return names.flat().filter((name) => /\.(part|tmp)/.test(name));
};

const drawFolder = (name: string, photos: number) => createDrawnFolder(join(home, 'photos'), name, photos);
const dropFolder = async (name: string, photos: number): Promise<string> => {
  const sources = { kind: 'paths', paths: [await drawFolder(name, photos)] } as const;
  return (await disk.call('items.add', { sources: { ...sources, paths: [...sources.paths] } })).itemIds[0] ?? '';
};
const waitForItem = (itemId: string, like: (view: ItemView) => boolean, what: string): Promise<ItemView> =>
  waitUntil(async () => {
    const view = await disk.call('items.get', { itemId });
    return like(view) ? view : null;
  }, what);
const waitForReview = async (itemId: string): Promise<ItemView & { listingId: string }> => {
  const view = await waitForItem(itemId, ({ step }) => step === 'review', 'the review');
  return { ...view, listingId: view.listingId ?? '' };
};

const buildPublish = (listingId: string) =>
  ({ route: 'publishListing', input: { params: { listingId }, body: {} } }) as const;
const getPrompt = async (): Promise<ApprovalView> => {
  const [found] = await disk.call('approvals.list', {});
  if (!found) throw new Error('No prompt is waiting.');
  return found;
};
const waitForApproval = (approvalId: string, state: ApprovalView['state']): Promise<ApprovalView> =>
  waitUntil(async () => {
    const now = await disk.call('approvals.get', { approvalId });
    return now.state === state ? now : null;
  }, `the approval to be ${state}`);

const missing = explainNoSmallDisk();

// Skipped where the system cannot create a separate disk, as in some containers.
describe.skipIf(missing !== null)(`a small disk${missing === null ? '' : `: ${missing}`}`, () => {
  test('a full disk leaves no partial files, and items continue after space is freed', async () => {
    await disk.order('start', {});
    const whole = await waitForReview(await dropFolder('before', 2));

    // The disk fills up during the preparation of photos, after the first photos.
    await disk.order('fill', { leaving: 400_000 });
    const itemId = await dropFolder('blue mug', 12);
    const stuck = await waitForItem(itemId, ({ words }) => words.includes('The disk is full'), 'the sentence');
    expect(stuck).toMatchObject({ step: 'photos', stop: null });
    expect(stuck.photos.map(({ state }) => state)).not.toContain('refused');

    // On a full disk, changes are refused and reads succeed.
    await disk.order('fill', { leaving: 0 });
    const [path = ''] = [join(await drawFolder('red hat', 1), 'IMG_1.jpg')];
    expect(await disk.refused('items.add', { sources: { kind: 'paths', paths: [path] } })).toMatchObject(full);
    expect(await disk.refusedOrder('receive', { path })).toMatchObject(full);
    expect(await disk.refused('items.change', { itemId, changes: { note: 'x'.repeat(20_000) } })).toMatchObject(full);
    expect(await disk.refused('items.cancel', { itemId })).toMatchObject(full);
    expect(await disk.refused('items.remove', { itemId })).toMatchObject(full);
    expect(await disk.refused('app.settings', { approvalMinutes: 45 })).toMatchObject(full);
    expect(await disk.refused('backups.make', {})).toMatchObject(full);
    expect(await disk.refused('service.perform', buildPublish(whole.listingId))).toMatchObject(full);
    expect((await disk.call('items.list', {})).rows).toHaveLength(2);
    expect((await disk.call('app.state', {})).connection).toBe('connected');
    const search = { sort: 'newest', offset: 0, limit: 10 } as const;
    expect((await disk.call('listings.search', search)).rows).toHaveLength(1);
    const read = { route: 'readListing', input: { params: { listingId: whole.listingId } } } as const;
    expect(await disk.call('service.perform', read)).toMatchObject({ state: 'done' });
    expect(await disk.call('approvals.list', {})).toEqual([]);
    // A failing retry removes its partial file.
    await waitUntil(async () => (await listPartialFiles()).length === 0, 'the partial files to go');
    expect([await countEvents('draft'), await countEvents('publish')]).toEqual([1, 0]);

    // After space is freed, the item continues automatically with every photo.
    await disk.order('free', {});
    const made = await waitForReview(itemId);
    expect(made.photos.map(({ state, uploaded }) => [state, uploaded])).toEqual(Array(12).fill(['ready', true]));
    expect([await countEvents('draft'), await countEvents('generation'), await countSentPhotos()]).toEqual([2, 2, 14]);
    expect(await disk.order('damage', {})).toEqual([]);
  });

  test('on a full disk an answer has no effect, and an outcome is stored after space is freed', async () => {
    await disk.order('start', {});
    const itemId = await dropFolder('blue mug', 2);
    const { listingId } = await waitForReview(itemId);
    await disk.call('service.perform', buildPublish(listingId));
    const { approvalId, digest } = await getPrompt();
    await disk.call('approvals.shown', { isAutomated: false, rows: [{ approvalId, digest, drawnAs: 'prompt' }] });
    await disk.order('pass', { ms: minDwellMs });
    await disk.order('fill', { leaving: 0 });
    expect(await disk.refused('approvals.approve', { approvalId, digest })).toMatchObject(full);
    expect(await disk.refused('approvals.decline', { approvalId, digest, why: 'no' })).toMatchObject(full);
    expect(await getPrompt()).toMatchObject({ approvalId, state: 'pending' });
    expect(await countEvents('publish')).toBe(0);
    await disk.order('free', {});

    // The disk fills up while the publish is sent: its outcome is stored after space is freed.
    await practice.fault({ method: 'POST', path: '/market/publish/{listingId}', delayMs: 600_000 });
    const sent = disk.refused('approvals.approve', { approvalId, digest });
    await waitForApproval(approvalId, 'sending');
    await disk.order('fill', { leaving: 0 });
    // The publish has arrived, and the practice service answers it now.
    await waitUntil(async () => (await listFaults()).length === 0, 'the publish at the service');
    await practice.advance(600_000);
    expect(await sent).toMatchObject(full);
    expect(await disk.call('approvals.get', { approvalId })).toMatchObject({ state: 'sending' });
    await disk.call('approvals.approve', { approvalId, digest });
    await disk.order('free', {});
    await waitForApproval(approvalId, 'done');
    await waitForItem(itemId, ({ step }) => step === 'live', 'the live listing');
    expect([await countEvents('draft'), await countEvents('generation'), await countEvents('publish')]).toEqual([
      1, 1, 1,
    ]);
    expect(await disk.order('damage', {})).toEqual([]);
  });

  test('an export that a full disk cannot take or record is refused and leaves no file', async () => {
    await disk.order('start', {});
    await waitForReview(await dropFolder('blue mug', 2));
    for (const leaving of [0, 4_096]) {
      await disk.order('fill', { leaving });
      expect(await disk.refused('history.export', { format: 'jsonl' })).toMatchObject(full);
      expect(await disk.order('files', { folder: 'exports' })).toEqual([]);
    }
    await disk.order('free', {});
    expect(await disk.call('history.export', { format: 'jsonl' })).toMatchObject({ name: 'history.jsonl' });
  });

  test('a restore that a full disk cannot take keeps the current data, and succeeds after space is freed', async () => {
    await disk.order('start', {});
    await disk.call('app.settings', { approvalMinutes: 45 });
    await disk.call('backups.make', {});
    await disk.call('app.settings', { approvalMinutes: 50 });
    const restore = () => disk.call('backups.restore', { name: 'newest' });
    expect(await restore()).toEqual({ isScheduled: true });
    await disk.order('stop', {});
    // The lock of the folder needs a little space, and the restored database needs more.
    await disk.order('fill', { leaving: 100_000 });
    expect(await disk.refusedOrder('start', {})).toMatchObject({
      code: 'DISK_FULL',
      sentence: expect.stringContaining('the copy could not be restored, and the current data is unchanged') as string,
    });
    await disk.order('free', {});
    await disk.order('start', {});
    const readMinutes = async () => (await disk.call('app.state', {})).settings.approvalMinutes;
    expect(await readMinutes()).toBe(50);
    await restore();
    await disk.order('stop', {});
    await disk.order('start', {});
    expect(await readMinutes()).toBe(45);
    expect(await disk.order('files', { folder: 'put-aside' })).toHaveLength(1);
  });

  test('the companion reports a full or unwritable data folder when it starts', async () => {
    await disk.order('start', {});
    const { itemId } = await waitForReview(await dropFolder('blue mug', 2));
    await disk.order('stop', {});
    await disk.order('fill', { leaving: 0 });
    expect(await disk.refusedOrder('start', {})).toMatchObject(full);
    await disk.order('free', {});
    await disk.order('readOnly', { on: true, folder: '' });
    expect(await disk.refusedOrder('start', {})).toMatchObject(unwritable);
    await disk.order('readOnly', { on: false, folder: '' });
    await disk.order('start', {});
    expect((await disk.call('items.list', {})).rows.map((view) => [view.itemId, view.step])).toEqual([
      [itemId, 'review'],
    ]);
    expect(await disk.order('damage', {})).toEqual([]);
  });

  test('items continue once the folder of prepared photos is writable again', async () => {
    await disk.order('start', {});
    await disk.order('readOnly', { on: true, folder: 'prepared' });
    const itemId = await dropFolder('red hat', 3);
    await waitForItem(itemId, ({ words }) => words.includes('cannot be written to'), 'the sentence');
    await disk.order('readOnly', { on: false, folder: 'prepared' });
    const { photos } = await waitForReview(itemId);
    expect(photos.map(({ state }) => state)).toEqual(['ready', 'ready', 'ready']);
    expect([await countEvents('draft'), await countEvents('generation'), await countSentPhotos()]).toEqual([1, 1, 3]);
  });

  test.each([8, 400])('a first start with %i kilobytes of space reports the full disk in one sentence', (left) => {
    const { code, stderr } = startOnFullDisk(join(home, 'full'), left);
    expect([code, stderr.trim().split('\n').at(-1)]).toEqual([1, full.sentence]);
    expect(stderr).not.toContain('    at ');
  });
});
