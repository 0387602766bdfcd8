import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { uploadSlot } from '../../../src/contract/index.ts';
import { pairAsker } from '../../helpers/assistant.ts';
import {
  requestPrompt,
  holdRequest,
  performAs,
  countRequests,
  readServiceKey,
  createWrittenListing,
} from '../../helpers/approvals/decisions.ts';
import { drawnPhoto } from '../../helpers/practice.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const getApprovals = () => world.companion().approvals;
const requestPublish = async (body: Record<string, unknown> = {}) => {
  const listingId = await createWrittenListing(world, body);
  return { listingId, shown: await requestPrompt(world, 'publishListing', { params: { listingId } }) };
};
const createLiveListing = async () => world.practice.live(await readServiceKey(world));
const holdPublish = () => holdRequest(world, 'POST', '/market/publish/{listingId}');
const editListing = (listingId: string, body: Record<string, unknown> = { title: 'Another title' }) =>
  world.perform('updateListing', { params: { listingId }, body });
const slots = z.array(uploadSlot);

describe('a listing locked by an approval in progress', () => {
  test('an edit of a listing that is being published is refused after five seconds', async () => {
    world = await startWorld();
    const { listingId, shown } = await requestPublish();
    const publish = await holdPublish();
    const yes = world.pressYes(shown.approvalId, shown.digest);
    await publish.arrived();
    const edits = [
      editListing(listingId),
      performAs(world, pairAsker(world, 'Busy'), 'updateListing', { params: { listingId }, body: { price: 1 } }),
    ].map((one) => one.catch((error: unknown) => error));
    await waitUntil(() => world.clock.next() !== null && (world.clock.next() ?? 0) <= 5_000, 'the waiting edits');
    world.clock.advance(5_000);
    for (const refused of await Promise.all(edits))
      expect(refused).toMatchObject({ code: 'BEING_DECIDED', status: 409, retryAfterS: 5 });
    expect(await countRequests(world, 'updateListing')).toBe(0);
    await publish.go();
    expect((await yes).state).toBe('done');
  });

  test('a photo for a listing that is being published is refused after five seconds', async () => {
    world = await startWorld();
    const listingId = await createWrittenListing(world);
    const body = { listingId, files: [{ contentType: 'image/jpeg' as const, index: 0 }] };
    const opened = await world.perform('requestUploads', { body });
    const [slot] = slots.parse(opened.state === 'done' ? opened.answer : []);
    if (!slot) throw new Error('No slot.');
    const shown = await requestPrompt(world, 'publishListing', { params: { listingId } });
    const publish = await holdPublish();
    const yes = world.pressYes(shown.approvalId, shown.digest);
    await publish.arrived();
    const bytes = await drawnPhoto(9);
    const photo = { listingId, slot, bytes, contentType: 'image/jpeg' };
    const put = world.companion().uploads.put(photo, new AbortController().signal);
    const refused = put.catch((error: unknown) => error);
    await waitUntil(() => (world.clock.next() ?? Infinity) <= 5_000, 'the waiting photo');
    world.clock.advance(5_000);
    expect(await refused).toMatchObject({ code: 'BEING_DECIDED' });
    await publish.go();
    expect((await yes).differences).toEqual([]);
  });

  test('an approval given during an edit waits for the edit and leads to a new prompt', async () => {
    world = await startWorld();
    const { listingId, shown } = await requestPublish();
    const put = await holdRequest(world, 'PUT', '/listings/{listingId}');
    const editing = editListing(listingId, { price: 9_900 });
    await put.arrived();
    const approveShown = () => world.pressYes(shown.approvalId, shown.digest);
    const tooEarly = approveShown().catch((error: unknown) => error);
    world.clock.advance(30_000);
    expect(await tooEarly).toMatchObject({ code: 'BEING_DECIDED' });
    const inTime = approveShown();
    await put.go();
    await editing;
    expect(await inTime).toMatchObject({ state: 'pending', sinceShown: [{ label: 'Price', after: 'US$99.00' }] });
    expect(await world.happened('publish')).toBe(0);
  });

  test('a second approval for the same listing is checked again after the first approval is settled', async () => {
    world = await startWorld();
    const { listingId, shown } = await requestPublish();
    const body = { bestOffer: { enabled: true } };
    const offers = await requestPrompt(world, 'updateListing', { params: { listingId }, body });
    const publish = await holdPublish();
    const yes = world.pressYes(shown.approvalId, shown.digest);
    await publish.arrived();
    const approveOffers = () => world.pressYes(offers.approvalId, offers.digest);
    const tooEarly = approveOffers().catch((error: unknown) => error);
    world.clock.advance(5_000);
    expect(await tooEarly).toMatchObject({ code: 'BEING_DECIDED' });
    const inTime = approveOffers();
    await publish.go();
    expect((await yes).state).toBe('done');
    expect(await inTime).toMatchObject({ state: 'superseded', outcome: { code: 'WRONG_STATE' } });
    expect(await countRequests(world, 'updateListing')).toBe(0);
  });
});

describe('a listing whose publish has an unknown outcome', () => {
  /** Loses a publish before it arrives and makes the listing unreadable. */
  const losePublish = async (ranMs = 0) => {
    world = await startWorld();
    world.clock.suspend(ranMs);
    const { listingId, shown } = await requestPublish();
    const publish = await holdRequest(world, 'POST', '/market/publish/{listingId}', 0, { drop: 'before' });
    const yes = world.pressYes(shown.approvalId, shown.digest);
    await publish.arrived();
    await world.practice.fault({ method: 'GET', path: '/listings/{listingId}', times: 10_000, status: 503 });
    await publish.go();
    const readNow = () => getApprovals().readView(shown.approvalId);
    await waitUntil(() => readNow().state === 'unconfirmed', 'the lost answer');
    return { listingId, approvalId: shown.approvalId, now: readNow, yes };
  };
  /** Returns the result or error of a request, while the clock runs. */
  const waitForEnd = (work: Promise<unknown>): Promise<unknown> => {
    let end: unknown = null;
    work.then(
      (answer) => (end = answer),
      (error: unknown) => (end = error),
    );
    return world.until(() => end, 'the end of the request');
  };

  test('a listing whose publish has an unknown outcome stays locked until it can be read', async () => {
    const { listingId, now, yes } = await losePublish();
    expect(await waitForEnd(editListing(listingId))).toMatchObject({ code: 'BEING_DECIDED' });
    await waitForEnd(yes);
    expect(now().state).toBe('unconfirmed');
    expect(await waitForEnd(editListing(listingId))).toMatchObject({ code: 'BEING_DECIDED' });
    await world.practice.control('DELETE', '/faults');
    await world.until(() => now().state === 'failed', 'the verdict');
    expect(now().outcome?.code).toBe('NOT_DONE');
    expect(await waitForEnd(editListing(listingId))).toMatchObject({ state: 'done' });
    expect(await world.happened('publish')).toBe(0);
  });

  test('the person can unlock a listing with an unknown outcome after ten minutes, but not before', async () => {
    const { listingId, approvalId, now } = await losePublish();
    expect(getApprovals().unlockListing(approvalId).mayUnlock).toBe(false);
    expect(await waitForEnd(editListing(listingId))).toMatchObject({ code: 'BEING_DECIDED' });
    await world.until(() => now().mayUnlock, 'the ten minutes');
    getApprovals().unlockListing(approvalId);
    expect(await waitForEnd(editListing(listingId))).toMatchObject({ state: 'done' });
    expect(await world.happened('publish')).toBe(0);
  });

  test('a listing can be unlocked ten minutes after its publish was lost, whenever the companion started', async () => {
    const { now } = await losePublish(60 * 60_000);
    const lostMs = world.clock.elapsedMs();
    await world.until(() => now().mayUnlock, 'the ten minutes');
    expect(world.clock.elapsedMs() - lostMs).toBeGreaterThan(9 * 60_000);
  });

  test('a locked listing is unlocked if a read after a restart shows that its publish is done', async () => {
    world = await startWorld();
    const { listingId, shown } = await requestPublish();
    const publish = await holdRequest(world, 'POST', '/market/publish/{listingId}', 0, { drop: 'after' });
    void world.pressYes(shown.approvalId, shown.digest).catch(() => undefined);
    await publish.arrived();
    await publish.go();
    await waitUntil(() => getApprovals().readView(shown.approvalId).state === 'unconfirmed', 'the lost answer');
    await world.stop();
    await world.begin();
    await world.until(() => getApprovals().readView(shown.approvalId).state === 'done', 'the verdict');
    const end = await requestPrompt(world, 'endListing', { params: { listingId } });
    expect((await world.approve(end)).state).toBe('done');
    expect(await world.happened('publish')).toBe(1);
  });
});

describe('the undo window of an irreversible act', () => {
  const requestEnd = async () => {
    const listingId = await createLiveListing();
    return { listingId, shown: await requestPrompt(world, 'endListing', { params: { listingId } }) };
  };

  test('an end is sent exactly five seconds after its approval', async () => {
    world = await startWorld();
    const { shown } = await requestEnd();
    const yes = await world.pressYes(shown.approvalId, shown.digest);
    expect(yes).toMatchObject({ state: 'approved', heldUntil: world.clock.now() + 5_000 });
    world.clock.advance(4_999);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await world.happened('end')).toBe(0);
    world.clock.advance(1);
    await waitUntil(() => getApprovals().readView(shown.approvalId).state === 'done', 'the end');
    expect(await world.happened('end')).toBe(1);
  });

  test('an undone end is never sent and unlocks its listing', async () => {
    world = await startWorld();
    const { listingId, shown } = await requestEnd();
    await world.pressYes(shown.approvalId, shown.digest);
    expect(getApprovals().takeBack(shown.approvalId)).toMatchObject({
      state: 'withdrawn',
      outcome: { code: 'TAKEN_BACK' },
    });
    world.clock.advance(60_000);
    const again = await requestPrompt(world, 'endListing', { params: { listingId } });
    expect(again.approvalId).not.toBe(shown.approvalId);
    expect(await world.happened('end')).toBe(0);
    expect((await world.approve(again)).state).toBe('done');
    expect(await world.happened('end')).toBe(1);
  });

  test('an end that is undone during the final read of its listing is not sent', async () => {
    world = await startWorld();
    const { shown } = await requestEnd();
    await world.pressYes(shown.approvalId, shown.digest);
    const read = await holdRequest(world, 'GET', '/listings/{listingId}');
    world.clock.advance(5_000);
    await read.arrived();
    getApprovals().takeBack(shown.approvalId);
    await read.go();
    await world.perform('readListing', { params: { listingId: (await requestEnd()).listingId } });
    expect(await world.happened('end')).toBe(0);
    expect(getApprovals().readView(shown.approvalId).state).toBe('withdrawn');
  });

  test('a disconnect that is undone during the final read of the account is not sent', async () => {
    world = await startWorld();
    const shown = await requestPrompt(world, 'disconnectMarket', {});
    await world.pressYes(shown.approvalId, shown.digest);
    const read = await holdRequest(world, 'GET', '/market/status');
    world.clock.advance(5_000);
    await read.arrived();
    getApprovals().takeBack(shown.approvalId);
    await read.go();
    for (let turn = 0; turn < 3; turn += 1) await world.perform('readMarketStatus', {});
    expect(await countRequests(world, 'disconnectMarket')).toBe(0);
    expect(getApprovals().readView(shown.approvalId).state).toBe('withdrawn');
  });

  test('a listing that changed during the undo window gets a new prompt', async () => {
    world = await startWorld();
    const { listingId, shown } = await requestEnd();
    await world.pressYes(shown.approvalId, shown.digest);
    const key = await readServiceKey(world);
    expect((await world.practice.call(key, 'POST', `/market/revise/${listingId}`, { price: 7_700 })).status).toBe(200);
    world.clock.advance(5_000);
    const next = await waitUntil(() => getApprovals().listPending()[0], 'the new prompt');
    expect(next.sinceShown).toMatchObject([{ label: 'Price', after: 'US$77.00' }]);
    expect(await world.happened('end')).toBe(0);
  });

  test('a listing stays locked for other requests during the undo window', async () => {
    world = await startWorld();
    const { listingId, shown } = await requestEnd();
    await world.pressYes(shown.approvalId, shown.digest);
    const hidden = world
      .perform('setListingVisibility', { params: { listingId }, body: { visible: false } })
      .catch((error: unknown) => error);
    world.clock.advance(4_000);
    expect(await countRequests(world, 'setListingVisibility')).toBe(0);
    getApprovals().takeBack(shown.approvalId);
    expect(await hidden).toMatchObject({ state: 'done' });
  });

  test('an end whose undo window is interrupted by a restart gets a new prompt', async () => {
    world = await startWorld();
    const { shown } = await requestEnd();
    await world.pressYes(shown.approvalId, shown.digest);
    await world.stop();
    await world.begin();
    const again = await world.until(() => getApprovals().listPending()[0], 'the new prompt');
    expect(again.approvalId).not.toBe(shown.approvalId);
    expect(getApprovals().readView(shown.approvalId).state).toBe('superseded');
    world.clock.advance(60_000);
    expect(await world.happened('end')).toBe(0);
  });

  test('a batch of ends has one undo window and is undone as a whole', async () => {
    world = await startWorld();
    const ids = [await createLiveListing(), await createLiveListing()];
    const requests = ids.map((listingId) => ({ route: 'endListing' as const, input: { params: { listingId } } }));
    const { batches } = world.companion();
    const [batch] = await batches.requestBatches({ kind: 'person' }, requests);
    const chosen = (batch?.rows ?? []).flatMap(({ approval }) =>
      approval ? [{ approvalId: approval.approvalId, digest: approval.digest }] : [],
    );
    expect((await world.pressYesToRows(batch?.batchId ?? '', chosen)).state).toBe('held');
    const back = batches.takeBack(batch?.batchId ?? '');
    expect(back.rows.map(({ approval }) => approval?.state)).toEqual(['withdrawn', 'withdrawn']);
    world.clock.advance(60_000);
    await waitUntil(() => batches.listOpen()[0]?.state === 'over', 'the end of the batch');
    expect(await world.happened('end')).toBe(0);
  });
});
