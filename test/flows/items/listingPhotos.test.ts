import { hash } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createOutboundPolicy } from '../../../src/core/service/outboundPolicy.ts';
import type { ItemView } from '../../../src/core/storage/tables/itemRecord.ts';
import { pairAsker, pairAssistant } from '../../helpers/assistant.ts';
import { copyDatabase } from '../../helpers/copyDatabase.ts';
import { startTestPractice, type TestPractice } from '../../helpers/practice.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let practice: TestPractice;
let world: World;
/** While the companion counts as crashed, it reaches neither the service nor an upload address. */
let isCrashed = false;
/** The companion cannot read the photos that the service shows. */
let areServedPhotosHidden = false;
const isHidden = (text: string): boolean => isCrashed || (areServedPhotosHidden && text.includes('/photos/'));

beforeEach(async () => {
  isCrashed = false;
  areServedPhotosHidden = false;
  practice = await startTestPractice();
  const outside = createOutboundPolicy(() => practice.url);
  world = await startWorld({
    practice,
    reach: () => (isCrashed ? 'http://127.0.0.1:9' : null),
    outside: { ...outside, parseAllowedUrl: (text) => (isHidden(text) ? null : outside.parseAllowedUrl(text)) },
  });
});
afterEach(async () => {
  await world.close();
  await practice.close();
});

type Reviewed = Awaited<ReturnType<World['reviewed']>>;

const items = () => world.companion().items;
const changes = () => items().photoChange;
const approvals = () => world.companion().approvals;
const listPhotoIds = ({ photos }: ItemView): string[] => photos.map(({ photoId }) => photoId);
const disrupt = (given: Record<string, unknown>) => practice.control('POST', '/disruptions', given);

/** Returns the SHA-256 of the photos that the service serves, in order. */
const readServedHashes = async (listingId: string): Promise<string[]> => {
  const { imageUrls = [] } = await world.listing(listingId);
  return Promise.all(
    (imageUrls ?? []).map(async (url) => hash('sha256', Buffer.from(await (await fetch(url)).arrayBuffer()))),
  );
};

const countUploads = (): Promise<number> => world.happened('photo');

const waitForStage = (itemId: string, stage: string): Promise<ItemView> =>
  world.until(() => {
    const view = items().get(itemId);
    return view.photoChange?.stage === stage ? view : null;
  }, `the stage ${stage}`);

/** Swaps the first two photos and sends them. */
const swapFirstTwo = async ({ itemId, photos }: Reviewed): Promise<void> => {
  const [first = '', second = '', ...rest] = photos.map(({ photoId }) => photoId);
  changes().order(itemId, [second, first, ...rest]);
  await changes().send(itemId);
};

const replaceFirst = async ({ itemId, photos }: Reviewed, name = 'green lamp'): Promise<void> => {
  const folder = await world.folder(name, 5);
  const file = (await readdir(folder)).sort().at(-1) ?? '';
  const source = { kind: 'paths' as const, paths: [join(folder, file)] };
  await world.companion().replacePhoto(source, itemId, photos[0]?.photoId ?? '');
};

describe('the photos of a listing in review', () => {
  test('get another order, and only the photos that move are sent', async () => {
    const reviewed = await world.reviewed('blue shoes', 3);
    const { itemId, listingId } = reviewed;
    const [a, b, c] = await readServedHashes(listingId);
    const before = await countUploads();
    await swapFirstTwo(reviewed);
    const view = await waitForStage(itemId, 'taken');
    expect(await readServedHashes(listingId)).toEqual([b, a, c]);
    expect(await countUploads()).toBe(before + 2);
    const [first, second, third] = listPhotoIds(reviewed);
    expect(listPhotoIds(view)).toEqual([second, first, third]);
  });

  test('get a new photo in the place of another one', async () => {
    const reviewed = await world.reviewed('blue shoes', 2);
    const { itemId, listingId } = reviewed;
    const [a, b] = await readServedHashes(listingId);
    await replaceFirst(reviewed);
    expect(await countUploads()).toBe(2);
    expect(listPhotoIds(items().get(itemId))).toEqual(listPhotoIds(reviewed));
    await changes().send(itemId);
    const view = await waitForStage(itemId, 'taken');
    const [now, still] = await readServedHashes(listingId);
    expect([now === a, still === b, await countUploads()]).toEqual([false, true, 3]);
    expect(view.photos).toHaveLength(2);
    expect(view.photos[0]?.photoId).not.toBe(reviewed.photos[0]?.photoId);
    expect(view.removedPhotos.map(({ photoId }) => photoId)).toEqual([reviewed.photos[0]?.photoId]);
  });

  test.each([false, true])('are changed by the person if an assistant added the item (paused: %s)', async (paused) => {
    const by = pairAsker(world, 'Helper');
    const folder = await world.folder('blue shoes', 2);
    const { itemIds } = await world.companion().add({ kind: 'paths', paths: [folder] }, by);
    const view = await world.item(itemIds[0] ?? '', 'review');
    const reviewed = { ...view, listingId: view.listingId ?? '' };
    if (paused) world.companion().assistants.change(by.assistantId, { paused });
    const [a, b] = await readServedHashes(reviewed.listingId);
    await swapFirstTwo(reviewed);
    await waitForStage(reviewed.itemId, 'taken');
    expect(await readServedHashes(reviewed.listingId)).toEqual([b, a]);
  });

  test('become a new item of the person if the service ignores them, also if an assistant added the first', async () => {
    const by = pairAsker(world, 'Helper');
    const folder = await world.folder('blue shoes', 2);
    const { itemIds } = await world.companion().add({ kind: 'paths', paths: [folder] }, by);
    const { itemId, photos } = await world.item(itemIds[0] ?? '', 'review');
    await disrupt({ keepsWrittenPhotos: true });
    changes().order(itemId, photos.map(({ photoId }) => photoId).reverse());
    await changes().send(itemId);
    await waitForStage(itemId, 'ignored');
    const madeId = await changes().writeAgain(itemId);
    expect([items().get(itemId).by, items().get(madeId).by]).toEqual(['Helper', 'you']);
  });

  test('are not changed if the service refuses the uploads, and its reason is shown', async () => {
    const reviewed = await world.reviewed('blue shoes', 2);
    const { itemId, listingId } = reviewed;
    const served = await readServedHashes(listingId);
    await practice.control('POST', '/faults', { ...untakenUpload, status: 403, times: 10 });
    await swapFirstTwo(reviewed);
    const { photoChange } = await waitForStage(itemId, 'ignored');
    expect(photoChange?.problem?.sentence).toContain('The service did not accept a photo.');
    expect(await readServedHashes(listingId)).toEqual(served);
  });

  test('stay as they were here if the service ignores the new ones', async () => {
    const reviewed = await world.reviewed('blue shoes', 2);
    const { itemId, listingId } = reviewed;
    const before = await readServedHashes(listingId);
    const { imageUrls } = await world.listing(listingId);
    await disrupt({ keepsWrittenPhotos: true });
    await swapFirstTwo(reviewed);
    const view = await waitForStage(itemId, 'ignored');
    expect(await readServedHashes(listingId)).toEqual(before);
    expect((await world.listing(listingId)).imageUrls).toEqual(imageUrls);
    expect(listPhotoIds(view)).toEqual(listPhotoIds(reviewed));
    const [first, second] = listPhotoIds(reviewed);
    expect(view.photoChange?.photos.map(({ photoId }) => photoId)).toEqual([second, first]);

    // The next step is another item with the new photos. It waits for the person.
    const madeId = await changes().writeAgain(itemId);
    expect(items().get(itemId).photoChange).toBeNull();
    const made = await world.item(madeId, 'arranging');
    expect(made.photos.map(({ name }) => name)).toEqual([reviewed.photos[1]?.name, reviewed.photos[0]?.name]);
    expect([made.reviewReason, await world.happened('draft')]).toEqual(['requested', 1]);
  });

  test('are recognised if the service encodes them again', async () => {
    await disrupt({ encodesPhotos: true });
    const reviewed = await world.reviewed('blue shoes', 3);
    const { itemId, listingId } = reviewed;
    const [a, b, c] = await readServedHashes(listingId);
    await swapFirstTwo(reviewed);
    await waitForStage(itemId, 'taken');
    expect(await readServedHashes(listingId)).toEqual([b, a, c]);

    await disrupt({ encodesPhotos: true, keepsWrittenPhotos: true });
    await swapFirstTwo({ ...reviewed, ...items().get(itemId), listingId });
    await waitForStage(itemId, 'ignored');
    expect(await readServedHashes(listingId)).toEqual([b, a, c]);
  });

  test('are not changed if the listing has other photos than the item', async () => {
    const reviewed = await world.reviewed('blue shoes', 2);
    const { itemId, listingId } = reviewed;
    const other = await world.reviewed('red hat', 2);
    const { imageUrls } = await world.listing(other.listingId);
    const bytes = Buffer.from(await (await fetch(imageUrls?.[0] ?? '')).arrayBuffer());
    await practice.control('POST', '/photos', { listingId, index: 1, base64: bytes.toString('base64') });
    const before = await countUploads();
    await swapFirstTwo(reviewed);
    await waitForStage(itemId, 'differs');
    expect(await countUploads()).toBe(before);
  });

  test('are sent once more if the service has accepted only some of them', async () => {
    const reviewed = await world.reviewed('blue shoes', 2);
    const { itemId, listingId } = reviewed;
    const [a, b] = await readServedHashes(listingId);
    await practice.control('POST', '/faults', { ...untakenUpload, times: 1 });
    await swapFirstTwo(reviewed);
    await waitForStage(itemId, 'taken');
    expect(await readServedHashes(listingId)).toEqual([b, a]);
  });

  test('are shown as the listing shows them if the service accepts only some, and can be put back', async () => {
    const reviewed = await world.reviewed('blue shoes', 2);
    const { itemId, listingId } = reviewed;
    const [a, b] = await readServedHashes(listingId);
    for (const fault of [untakenUpload, { ...untakenUpload, done: true }, untakenUpload])
      await practice.control('POST', '/faults', fault);
    await swapFirstTwo(reviewed);
    const view = await waitForStage(itemId, 'mixed');
    const shown = await readServedHashes(listingId);
    expect([shown[0] === shown[1], [a, b].includes(shown[0])]).toEqual([true, true]);
    expect(view.photoChange?.shownUrls).toEqual(shown.map((hash) => `/bound-photos/${hash}`));
    expect(listPhotoIds(view)).toEqual(listPhotoIds(reviewed));

    await disrupt({});
    await changes().restore(itemId);
    await world.until(() => items().get(itemId).photoChange === null, 'the former photos');
    expect(await readServedHashes(listingId)).toEqual([a, b]);
  });

  test('do not count as put back if the service ignores the former photos', async () => {
    await disrupt({ encodesPhotos: true });
    const reviewed = await world.reviewed('blue shoes', 2);
    const { itemId } = reviewed;
    for (const fault of [untakenUpload, { ...untakenUpload, done: true }, untakenUpload])
      await practice.control('POST', '/faults', fault);
    await swapFirstTwo(reviewed);
    await waitForStage(itemId, 'mixed');
    await disrupt({ encodesPhotos: true, keepsWrittenPhotos: true });
    await changes().restore(itemId);
    const ended = await world.until(() => {
      const { photoChange } = items().get(itemId);
      return photoChange === null || photoChange.stage === 'mixed' ? { photoChange } : null;
    }, 'the end of the change');
    expect(ended.photoChange?.stage).toBe('mixed');
  });

  test('are sent again after a cancel even if the listing does not show the new photo yet', async () => {
    const reviewed = await world.reviewed('blue shoes', 2);
    const { itemId, listingId } = reviewed;
    const served = await readServedHashes(listingId);
    const before = await countUploads();
    await practice.control('POST', '/faults', { ...untakenUpload, times: 1 });
    let isCancelled = false;
    const stopWatching = world.companion().onChanged(() => {
      if (isCancelled || items().get(itemId).photoChange?.progress.done !== 1) return;
      isCancelled = true;
      void changes().cancel(itemId);
    });
    await replaceFirst(reviewed);
    await changes().send(itemId);
    await world.until(() => items().get(itemId).photoChange === null, 'the end of the change');
    stopWatching();
    expect([isCancelled, await countUploads()]).toEqual([true, before + 1]);
    expect(await readServedHashes(listingId)).toEqual(served);
  });

  test('are all put back after a cancel between the two rounds', async () => {
    const reviewed = await world.reviewed('blue shoes', 2);
    const { itemId, listingId } = reviewed;
    const served = await readServedHashes(listingId);
    const before = await countUploads();
    await practice.control('POST', '/faults', { ...untakenUpload, times: 1 });
    const stages: (string | undefined)[] = [];
    const cancels: Promise<unknown>[] = [];
    const stopWatching = world.companion().onChanged(() => {
      stages.push(items().get(itemId).photoChange?.stage);
      const isSecondRound = stages.at(-1) === 'sending' && stages.slice(stages.indexOf('sending')).includes('checking');
      if (isSecondRound && cancels.length === 0) cancels.push(changes().cancel(itemId));
    });
    await swapFirstTwo(reviewed);
    await world.until(() => items().get(itemId).photoChange === null, 'the end of the change');
    stopWatching();
    await Promise.all(cancels);
    expect(await readServedHashes(listingId)).toEqual(served);
    // The first round stored one photo. Both former photos follow, because the other one might still appear.
    expect([cancels.length, await countUploads()]).toEqual([1, before + 3]);
  });

  test('keep the result of the change if the person cancels after its end', async () => {
    const reviewed = await world.reviewed('blue shoes', 2);
    const { itemId } = reviewed;
    await swapFirstTwo(reviewed);
    await waitForStage(itemId, 'taken');
    expect((await changes().cancel(itemId)).photoChange?.stage).toBe('taken');
    expect((await changes().close(itemId)).photoChange).toBeNull();
  });

  test('are not sent again if only the answer to an upload was lost', async () => {
    const reviewed = await world.reviewed('blue shoes', 2);
    const { itemId, listingId } = reviewed;
    const [a, b] = await readServedHashes(listingId);
    const before = await countUploads();
    await practice.control('POST', '/faults', { method: 'PUT', path: '/uploads/{token}', times: 1, drop: 'after' });
    await swapFirstTwo(reviewed);
    await waitForStage(itemId, 'taken');
    expect(await readServedHashes(listingId)).toEqual([b, a]);
    expect(await countUploads()).toBe(before + 2);
  });

  test('stay if the person cancels, also after some were sent', async () => {
    const reviewed = await world.reviewed('blue shoes', 2);
    const { itemId, listingId } = reviewed;
    const before = await readServedHashes(listingId);
    const stages: string[] = [];
    const stopAtChecking = world.companion().onChanged(() => {
      const { photoChange } = items().get(itemId);
      if (photoChange && photoChange.progress.done === 1) stages.push(photoChange.stage);
      if (stages.length === 1) void changes().cancel(itemId);
    });
    await swapFirstTwo(reviewed);
    await world.until(() => items().get(itemId).photoChange === null, 'the end of the change');
    stopAtChecking();
    expect(stages).toContain('sending');
    expect(await readServedHashes(listingId)).toEqual(before);
    expect(listPhotoIds(items().get(itemId))).toEqual(listPhotoIds(reviewed));
  });

  test('cannot be changed once the listing is live', async () => {
    const reviewed = await world.reviewed();
    const { itemId, listingId } = reviewed;
    await world.perform('publishListing', { params: { listingId } });
    await world.yes();
    await world.item(itemId, 'live');
    expect(items().get(itemId).mayChangeListingPhotos).toBe(false);
    expect(() => changes().order(itemId, listPhotoIds(reviewed))).toThrow(
      expect.objectContaining({ code: 'TOO_LATE' }) as Error,
    );
  });
});

describe('an approval and a change of photos', () => {
  test('a pending prompt about the listing is dropped, and the listing must be checked again', async () => {
    const reviewed = await world.reviewed();
    const { itemId, listingId } = reviewed;
    items().check(itemId, await world.listing(listingId));
    await world.perform('publishListing', { params: { listingId } });
    const [waiting] = approvals().listPending();
    await swapFirstTwo(reviewed);
    expect([approvals().listPending(), items().get(itemId).checked]).toEqual([[], false]);
    const { approvalId = '', digest = '' } = waiting ?? {};
    expect((await world.pressYes(approvalId, digest)).state).toBe('superseded');
    await waitForStage(itemId, 'taken');
    expect(await world.happened('publish')).toBe(0);
  });

  test('a prompt shows the photos of the listing if those that were sent could not be read back', async () => {
    const reviewed = await world.reviewed('blue shoes', 2);
    const { itemId, listingId } = reviewed;
    // The service shows other bytes than those that were sent.
    await disrupt({ encodesPhotos: true });
    const stopWatching = world.companion().onChanged(() => {
      areServedPhotosHidden = items().get(itemId).photoChange?.stage === 'sending' || areServedPhotosHidden;
    });
    await swapFirstTwo(reviewed);
    await waitForStage(itemId, 'unknown');
    stopWatching();
    const publish = () => world.perform('publishListing', { params: { listingId } });
    await expect(publish()).rejects.toMatchObject({ code: 'PHOTOS_UNREADABLE' });
    areServedPhotosHidden = false;
    await publish();
    const served = await readServedHashes(listingId);
    const [waiting] = approvals().listPending();
    expect(waiting?.prompt.target?.photos).toEqual(served.map((hash) => `/bound-photos/${hash}`));
    await expect(changes().close(itemId)).rejects.toMatchObject({ code: 'PHOTOS_UPLOADING' });
  });

  test('publishing is refused while the photos change and allowed afterwards', async () => {
    const reviewed = await world.reviewed();
    const { itemId, listingId } = reviewed;
    const publish = () => world.perform('publishListing', { params: { listingId } });
    await swapFirstTwo(reviewed);
    await expect(publish()).rejects.toMatchObject({ code: 'PHOTOS_UPLOADING' });
    expect(() => items().check(itemId, null)).not.toThrow();
    const seen = await world.listing(listingId);
    expect(() => items().check(itemId, seen)).toThrow(expect.objectContaining({ code: 'PHOTOS_UPLOADING' }) as Error);
    await waitForStage(itemId, 'taken');
    await publish();
    await world.yes();
    expect(await world.happened('publish')).toBe(1);
  });

  test('an assistant gets no upload slot while the photos change, and its earlier upload URL is closed', async () => {
    const reviewed = await world.reviewed();
    const { itemId, listingId } = reviewed;
    const bridge = await world.bridge();
    const helper = await pairAssistant(world, bridge.url, 'Helper');
    const askForSlot = () =>
      helper.call('POST', '/listings/upload-url', {
        body: { listingId, files: [{ contentType: 'image/jpeg', index: 0 }] },
      });
    const [slot] = z.array(z.object({ uploadUrl: z.string() })).parse((await askForSlot()).body);
    await swapFirstTwo(reviewed);
    const refused = await askForSlot();
    expect([refused.status, refused.body['code']]).toEqual([409, 'PHOTOS_UPLOADING']);
    const put = await fetch(slot?.uploadUrl ?? '', {
      method: 'PUT',
      headers: { 'content-type': 'image/jpeg', authorization: `Bearer ${helper.token}` },
      body: Buffer.from([255, 216, 255]),
    });
    expect([put.status, await put.json()]).toEqual([403, expect.objectContaining({ code: 'UPLOAD_CLOSED' })]);
    await waitForStage(itemId, 'taken');
    expect((await askForSlot()).status).toBe(200);
    await bridge.stop();
  });

  test('the photos cannot be changed while an approval of the listing is being sent', async () => {
    const reviewed = await world.reviewed();
    const { itemId, listingId } = reviewed;
    const lost = { method: 'POST', path: '/market/publish/{listingId}', times: 1, delayMs: 600_000 };
    await practice.control('POST', '/faults', lost);
    await world.perform('publishListing', { params: { listingId } });
    const sending = world.yes();
    await world.until(() => approvals().listUnsettled()[0]?.state === 'sending', 'the publish');
    const refused = expect(swapFirstTwo(reviewed)).rejects.toMatchObject({ code: 'BEING_DECIDED' });
    await world.until(async () => items().get(itemId).photoChange?.stage === 'draft', 'the draft');
    world.clock.advance(6_000);
    await refused;
    await practice.advance(600_000);
    await sending;
  });
});

/** The upload is answered as usual, but the service does not store the photo. */
const untakenUpload = { method: 'PUT', path: '/uploads/{token}', status: 200 };

const failpoints = 'listing-companion.failpoints';

describe('a crash during a change of photos', () => {
  const stages = ['preparing', 'checking', 'sending', 'taken'];
  const moments = stages.flatMap((stage) => [`before: photo change ${stage}`, `after: photo change ${stage}`]);

  test.each(moments)('at "%s", the change is finished after the next start', async (moment) => {
    const reviewed = await world.reviewed('blue shoes', 3);
    const { itemId, listingId } = reviewed;
    const [, b, c] = await readServedHashes(listingId);
    const before = await countUploads();
    const snapshot = join(world.dataDir, 'snapshot');
    const crash = (name: unknown): void => {
      if (name !== moment || isCrashed) return;
      copyDatabase(world.dataDir, snapshot);
      isCrashed = true;
    };
    subscribe(failpoints, crash);
    await replaceFirst(reviewed);
    const sending = swapFirstTwo({ ...reviewed, photos: items().get(itemId).photoChange?.photos ?? [] });
    await sending.catch(() => undefined);
    await world.until(() => isCrashed, 'the crash');
    unsubscribe(failpoints, crash);
    await world.stop();
    copyDatabase(snapshot, world.dataDir);
    isCrashed = false;
    await world.begin();
    // Before the first step is stored, the draft still waits for the person.
    if (moment === 'before: photo change preparing') {
      expect(items().get(itemId).photoChange?.stage).toBe('draft');
      await changes().send(itemId);
    }
    const view = await waitForStage(itemId, 'taken');
    const served = await readServedHashes(listingId);
    expect([served[0], served[2], served[1] === b]).toEqual([b, c, false]);
    expect(view.photos).toHaveLength(3);
    expect(await countUploads()).toBe(before + 2);
  });
});
