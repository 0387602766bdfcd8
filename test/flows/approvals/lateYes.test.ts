import { afterEach, describe, expect, test } from 'vitest';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { pairAsker } from '../../helpers/assistant.ts';
import {
  requestPrompt,
  connectAs,
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
const holdListingRead = () => holdRequest(world, 'GET', '/listings/{listingId}');
/** Creates a listing in review and requests its publish. */
const requestPublish = async () => {
  const listingId = await createWrittenListing(world);
  return { listingId, shown: await requestPrompt(world, 'publishListing', { params: { listingId } }) };
};
const expectNothingSent = async () => expect(await world.happened('publish')).toBe(0);

describe('events between an approval and the sending of its request', () => {
  test('an approval whose prompt expires while the listing is re-read sends nothing', async () => {
    world = await startWorld();
    const { shown } = await requestPublish();
    world.clock.advance(shown.expiresAt - world.clock.now() - 2_000);
    const read = await holdListingRead();
    const yes = world.pressYes(shown.approvalId, shown.digest);
    await read.arrived();
    world.clock.advance(1_001);
    await read.go();
    expect((await yes).state).toBe('expired');
    await expectNothingSent();
  });

  test('an end whose prompt expires while the listing is re-read is not sent', async () => {
    world = await startWorld();
    const listingId = await world.practice.live(await readServiceKey(world));
    const shown = await requestPrompt(world, 'endListing', { params: { listingId } });
    world.clock.advance(shown.expiresAt - world.clock.now() - 2_000);
    const read = await holdListingRead();
    const yes = world.pressYes(shown.approvalId, shown.digest);
    await read.arrived();
    world.clock.advance(1_001);
    await read.go();
    expect(await yes).toMatchObject({ state: 'expired', heldUntil: null });
    expect(await world.happened('end')).toBe(0);
  });

  test('an approval sends nothing if the account changes while the listing is re-read', async () => {
    world = await startWorld();
    const { shown } = await requestPublish();
    const read = await holdListingRead();
    const yes = world.pressYes(shown.approvalId, shown.digest);
    await read.arrived();
    await connectAs(world, 'other-seller@example.com');
    await read.go();
    await expect(yes).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expectNothingSent();
  });

  test('an approval sends nothing if the account’s key changes while the listing is re-read', async () => {
    world = await startWorld();
    const { shown } = await requestPublish();
    const read = await holdListingRead();
    const yes = world.pressYes(shown.approvalId, shown.digest);
    await read.arrived();
    // Later reads of the listing fail, so that the approval itself has to notice the new key.
    await world.practice.fault({ method: 'GET', path: '/listings/{listingId}', times: 100, status: 503 });
    await world.companion().connect.practice();
    await read.go();
    expect(await yes).toMatchObject({ state: 'withdrawn', outcome: { code: 'ACCOUNT_CHANGED' } });
    await expectNothingSent();
  });
});

describe('approvals belong to the account that they were requested for', () => {
  test('another account can neither see nor answer a pending approval', async () => {
    world = await startWorld();
    const { shown } = await requestPublish();
    await connectAs(world, 'other-seller@example.com');
    const gone = { code: 'NOT_FOUND' };
    expect(() => getApprovals().readView(shown.approvalId)).toThrowError(expect.objectContaining(gone) as Error);
    expect(() => getApprovals().decline(shown.approvalId, shown.digest, 'no')).toThrowError(
      expect.objectContaining(gone) as Error,
    );
    await expect(world.pressYes(shown.approvalId, shown.digest)).rejects.toMatchObject(gone);
    expect(getApprovals().listPending()).toEqual([]);
    await expectNothingSent();
  });

  test('an approval stays withdrawn after its account is connected again', async () => {
    world = await startWorld();
    const { shown } = await requestPublish();
    await connectAs(world, 'other-seller@example.com');
    await world.companion().connect.practice();
    expect((await world.pressYes(shown.approvalId, shown.digest)).state).toBe('withdrawn');
    await expectNothingSent();
  });
});

describe('checks at the time of an approval', () => {
  test('an approval of an expired prompt does not read the listing', async () => {
    world = await startWorld();
    const { shown } = await requestPublish();
    const reads = await countRequests(world, 'readListing');
    world.clock.advance(shown.expiresAt - world.clock.now());
    expect((await world.pressYes(shown.approvalId, shown.digest)).state).toBe('expired');
    expect(await countRequests(world, 'readListing')).toBe(reads);
  });

  test('an approval leads to a new prompt if the fee notice is no longer confirmed', async () => {
    world = await startWorld();
    const first = await requestPublish();
    expect((await world.approve(first.shown)).state).toBe('done');
    const { shown } = await requestPublish();
    expect(shown.prompt.feeNotice).toBeNull();
    const path = '/listings/{listingId}/channels/fees';
    await world.practice.fault({ method: 'POST', path, body: { feeNotice: { confirmedSites: [] } } });
    const next = await world.pressYes(shown.approvalId, shown.digest);
    expect(next).toMatchObject({ state: 'pending', sinceShown: [{ label: 'Fee notice', after: 'to be agreed' }] });
    expect(await world.happened('publish')).toBe(1);
  });

  test('after a change to another key of the account, an approval leads to a new prompt', async () => {
    world = await startWorld();
    const { shown } = await requestPublish();
    await world.stop();
    await world.begin();
    await world.companion().connect.practice();
    const next = await world.pressYes(shown.approvalId, shown.digest);
    expect(next.approvalId).not.toBe(shown.approvalId);
    expect(next).toMatchObject({ state: 'pending', sinceShown: [{ label: 'Connection' }] });
    await expectNothingSent();
  });

  test('an approval leads to a new prompt if a photo’s bytes changed but its address did not', async () => {
    world = await startWorld();
    const { listingId, shown } = await requestPublish();
    const base64 = (await drawnPhoto(7)).toString('base64');
    await world.practice.control('POST', '/photos', { listingId, index: 0, base64 });
    const next = await world.pressYes(shown.approvalId, shown.digest);
    expect(next).toMatchObject({ state: 'pending', sinceShown: [{ label: 'Photos' }] });
    expect(next.prompt.target?.photos).not.toEqual(shown.prompt.target?.photos);
    await expectNothingSent();
  });

  test('an approval sends nothing if its assistant’s scope was reduced', async () => {
    world = await startWorld();
    const by = pairAsker(world, 'Demoted');
    const shown = await requestPrompt(
      world,
      'publishListing',
      { params: { listingId: await createWrittenListing(world) } },
      by,
    );
    world.companion().assistants.change(by.assistantId, { scope: 'draft' });
    expect(await world.pressYes(shown.approvalId, shown.digest)).toMatchObject({
      state: 'superseded',
      outcome: { code: 'NOT_ALLOWED' },
    });
    await expectNothingSent();
  });

  test('the digest of a replaced prompt does not approve the new prompt', async () => {
    world = await startWorld();
    const { listingId, shown } = await requestPublish();
    await performAs(world, { kind: 'person' }, 'updateListing', { params: { listingId }, body: { price: 5_000 } });
    const next = await world.pressYes(shown.approvalId, shown.digest);
    await expect(world.pressYes(next.approvalId, shown.digest)).rejects.toMatchObject({
      code: 'NOT_WHAT_WAS_SHOWN',
    });
    await expectNothingSent();
  });
});

test('a contact message is sent after its approval', async () => {
  world = await startWorld();
  const body = { message: 'Hello there', email: 'me@example.com' };
  expect((await world.approve(await requestPrompt(world, 'sendContact', { body }))).state).toBe('done');
  expect(await countRequests(world, 'sendContact')).toBe(1);
});

test('an approved edit is applied once even if the service’s response is lost', async () => {
  world = await startWorld();
  const params = { listingId: await createWrittenListing(world) };
  const shown = await requestPrompt(world, 'updateListing', { params, body: { bestOffer: { enabled: true } } });
  await world.practice.fault({ method: 'PUT', path: '/listings/{listingId}', drop: 'after' });
  let ended: string | null = null;
  void world.pressYes(shown.approvalId, shown.digest).then(({ state }) => (ended = state));
  expect(await world.until(() => ended, 'the verdict')).toBe('done');
  expect((await world.practice.journal()).filter(({ kind }) => kind === 'edit')).toHaveLength(1);
});

test('a publish is checked by reading the listing if the service’s response reports a failure', async () => {
  world = await startWorld();
  const { shown } = await requestPublish();
  const path = '/market/publish/{listingId}';
  await world.practice.fault({
    method: 'POST',
    path,
    body: { success: false, marketListingUrl: 'https://no.example' },
  });
  const ended = world.pressYes(shown.approvalId, shown.digest);
  await waitUntil(
    () => getApprovals().readView(shown.approvalId).state === 'unconfirmed',
    'the response that reports a failure',
  );
  let after: ApprovalView | null = null;
  void ended.then((view) => (after = view));
  expect(await world.until(() => after, 'the verdict')).toMatchObject({ state: 'done' });
  expect(getApprovals().readView(shown.approvalId).outcome?.url).not.toContain('no.example');
  expect(await countRequests(world, 'publishListing')).toBe(1);
});

test('a publish requested again while its outcome is unknown is not sent twice', async () => {
  world = await startWorld();
  const by = pairAsker(world, 'Impatient');
  const input = { params: { listingId: await createWrittenListing(world) } };
  const shown = await requestPrompt(world, 'publishListing', input, by);
  await world.practice.fault({ method: 'POST', path: '/market/publish/{listingId}', drop: 'after' });
  const yes = world.pressYes(shown.approvalId, shown.digest);
  await waitUntil(() => getApprovals().readView(shown.approvalId).state === 'unconfirmed', 'the lost answer');
  expect((await requestPrompt(world, 'publishListing', input, by)).approvalId).toBe(shown.approvalId);
  let over = false;
  void yes.then(() => (over = true));
  await world.until(() => over, 'the verdict');
  expect(await world.happened('publish')).toBe(1);
});

test('a change of the selling defaults waits for a publish in progress', async () => {
  world = await startWorld();
  const { shown } = await requestPublish();
  const body = { location: { country: 'US', postalCode: '94105' } };
  const defaults = await requestPrompt(world, 'updateSellerDefaults', { body });
  const publish = await holdRequest(world, 'POST', '/market/publish/{listingId}');
  const yes = world.pressYes(shown.approvalId, shown.digest);
  await publish.arrived();
  const other = world.pressYes(defaults.approvalId, defaults.digest).catch((error: unknown) => error);
  await waitUntil(() => (world.clock.next() ?? Infinity) <= 5_000, 'the second approval');
  world.clock.advance(5_000);
  expect(await other).toMatchObject({ code: 'BEING_DECIDED' });
  expect(await countRequests(world, 'updateSellerDefaults')).toBe(0);
  await publish.go();
  expect((await yes).state).toBe('done');
});

test('a batch row that is approved with a wrong digest is not sent', async () => {
  world = await startWorld();
  const { batches } = world.companion();
  const batch = await batches.publishListings([await createWrittenListing(world), await createWrittenListing(world)]);
  const [first] = batch.rows;
  const chosen = [{ approvalId: first?.approval?.approvalId ?? '', digest: 'f'.repeat(64) }];
  await expect(world.pressYesToRows(batch.batchId, chosen)).rejects.toMatchObject({ code: 'NOT_WHAT_WAS_SHOWN' });
  expect(batches.listOpen()[0]?.rows.map(({ approval }) => approval?.state)).toEqual(['pending', 'pending']);
  await expectNothingSent();
});
