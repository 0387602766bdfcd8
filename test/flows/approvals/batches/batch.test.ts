import { afterEach, expect, test } from 'vitest';
import type { BatchView } from '../../../../src/core/approvals/batches.ts';
import { formatBatchOutcome } from '../../../../src/renderer/src/screens/approvals/batch/batchRows.ts';
import { sampleSize } from '../../../helpers/sample.ts';
import { requestPrompt, holdRequest } from '../../../helpers/approvals/decisions.ts';
import { waitUntil } from '../../../helpers/testClock.ts';
import { startWorld, type World } from '../../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

/** Creates reviewed listings directly at the service. */
const createReviewedListings = async (count: number): Promise<string[]> => {
  const key = (await world.secrets.get('agent-key practice')) ?? '';
  const ids = [];
  for (let index = 0; index < count; index += 1) ids.push(await world.practice.written(key));
  return ids;
};
const getBatches = () => world.companion().batches;
const listPendingChoices = (batch: BatchView) =>
  batch.rows.flatMap(({ approval }) =>
    approval?.state === 'pending' ? [{ approvalId: approval.approvalId, digest: approval.digest }] : [],
  );
const getOpenBatch = (): BatchView | null => getBatches().listOpen()[0] ?? null;
const waitUntilOver = () =>
  waitUntil(() => (getOpenBatch()?.state === 'over' ? getOpenBatch() : null), 'the end of the batch');

test('one approval publishes each listing of a batch once and confirms one fee notice', async () => {
  world = await startWorld();
  const batch = await getBatches().publishListings(await createReviewedListings(3));
  expect(batch).toMatchObject({ by: { kind: 'person' }, state: 'waiting' });
  expect(batch.rows.map(({ approval }) => approval?.prompt.yes)).toEqual(Array(3).fill('Publish for US$0.35'));
  expect(world.companion().approvals.listPending()).toEqual([]);
  expect(await world.happened('publish')).toBe(0);

  await world.pressYesToRows(batch.batchId, listPendingChoices(batch));
  await world.pressYesToRows(batch.batchId, listPendingChoices(batch));
  const done = await waitUntilOver();
  expect(done.rows.map(({ approval }) => approval?.state)).toEqual(['done', 'done', 'done']);
  expect([await world.happened('publish'), await world.happened('fee_confirmed')]).toEqual([3, 1]);
});

test('if a batch row is edited while the fee notice is confirmed, only this row gets a new prompt', async () => {
  world = await startWorld();
  const ids = await createReviewedListings(2);
  const batch = await getBatches().publishListings(ids);
  const notice = await holdRequest(world, 'POST', '/listings/{listingId}/channels/fees', 1);
  await world.pressYesToRows(batch.batchId, listPendingChoices(batch));
  await notice.arrived();
  const key = (await world.secrets.get('agent-key practice')) ?? '';
  await world.practice.call(key, 'PUT', `/listings/${ids[0] ?? ''}`, { price: 1 });
  await notice.go();
  const listStates = () => getOpenBatch()?.rows.map(({ approval }) => approval?.state);
  await waitUntil(() => listStates()?.[1] === 'done' && getOpenBatch()?.state === 'waiting', 'the other row');
  expect(listStates()).toEqual(['pending', 'done']);
  expect(getOpenBatch()?.rows[0]?.approval?.sinceShown.map(({ label }) => label)).toEqual(
    expect.arrayContaining(['Price', 'Fee notice']),
  );
  expect([await world.happened('publish'), await world.happened('fee_confirmed')]).toEqual([1, 1]);
  const again = getOpenBatch();
  await world.pressYesToRows(batch.batchId, again ? listPendingChoices(again) : []);
  expect((await waitUntilOver()).rows.map(({ approval }) => approval?.state)).toEqual(['done', 'done']);
  expect([await world.happened('publish'), await world.happened('fee_confirmed')]).toEqual([2, 1]);
});

test('when a batch is approved, a row that the person did not select is withdrawn', async () => {
  world = await startWorld();
  const batch = await getBatches().publishListings(await createReviewedListings(2));
  await expect(world.pressYesToRows(batch.batchId, [{ approvalId: 'ap_other', digest: 'x' }])).rejects.toThrow(
    'not what you were shown',
  );
  await world.pressYesToRows(batch.batchId, listPendingChoices(batch).slice(0, 1), listPendingChoices(batch));
  expect((await waitUntilOver()).rows.map(({ approval }) => approval?.state)).toEqual(['done', 'withdrawn']);
  expect(await world.happened('publish')).toBe(1);
});

test('the history names the batch of each approval, even after the batch is closed', async () => {
  world = await startWorld();
  const batch = await getBatches().publishListings(await createReviewedListings(2));
  getBatches().closeBatch(batch.batchId, listPendingChoices(batch));
  expect(getOpenBatch()).toBeNull();
  const { rows } = await world.companion().searchHistory.search({ q: '', limit: 50 });
  const own = rows.filter(({ kind }) => /^approval\.(asked|withdraw)$/.test(kind));
  expect(own.map(({ batchId }) => batchId)).toEqual(Array(4).fill(batch.batchId));
  expect(rows.find(({ kind }) => kind === 'connection.made')?.batchId).toBeNull();
  expect(
    getBatches()
      .readBatch(batch.batchId)
      .rows.map(({ approval }) => approval?.state),
  ).toEqual(['withdrawn', 'withdrawn']);
  expect(() => getBatches().readBatch('ba_other')).toThrow();
});

test('a row with an outdated prompt stays pending when its batch is approved or closed', async () => {
  world = await startWorld();
  const ids = await createReviewedListings(2);
  const batch = await getBatches().publishListings(ids);
  const shown = listPendingChoices(batch);
  const key = (await world.secrets.get('agent-key practice')) ?? '';
  await world.practice.call(key, 'PUT', `/listings/${ids[1] ?? ''}`, { price: 1 });
  const { approvalId, digest } = shown[1] ?? { approvalId: '', digest: '' };
  await world.pressYes(approvalId, digest);
  const listStates = () => getOpenBatch()?.rows.map(({ approval }) => approval?.state);
  expect(listStates()).toEqual(['pending', 'pending']);

  await world.pressYesToRows(batch.batchId, shown.slice(0, 1), shown);
  await waitUntil(() => listStates()?.[0] === 'done', 'the selected row');
  expect(listStates()).toEqual(['done', 'pending']);
  await waitUntil(() => getOpenBatch()?.state === 'waiting', 'the end of sending');
  getBatches().closeBatch(batch.batchId, shown);
  expect(listStates()).toEqual(['done', 'pending']);
  const again = getOpenBatch();
  getBatches().closeBatch(batch.batchId, again ? listPendingChoices(again) : []);
  expect(getOpenBatch()).toBeNull();
});

/** How many rows can be published; `npm run test:all` fills a batch to its maximum. */
const good = sampleSize(193, 33);

test(`a batch of ${good + 7} rows that is stopped and approved again publishes each valid row once`, async () => {
  world = await startWorld({ person: { plan: 'Scale' } });
  const ids = await createReviewedListings(good);
  const key = (await world.secrets.get('agent-key practice')) ?? '';
  const drafts = [];
  for (let index = 0; index < 7; index += 1) drafts.push(await world.practice.draft(key, 0));
  const asked = await getBatches().publishListings([...ids.slice(0, 30), ...drafts, ...ids.slice(30)]);
  expect(asked.rows).toHaveLength(good + 7);
  expect(asked.rows.filter(({ problem }) => problem?.code === 'WRONG_STATE')).toHaveLength(7);

  // A single publish first confirms the fee notice of the site, so a new batch is requested.
  const [first] = listPendingChoices(asked);
  await world.pressYes(first?.approvalId ?? '', first?.digest ?? '');
  getBatches().closeBatch(asked.batchId, listPendingChoices(asked));
  const rest = ids.slice(1);
  const batch = await getBatches().publishListings([...rest, ...drafts]);
  await world.pressYesToRows(batch.batchId, listPendingChoices(batch));
  await waitUntil(async () => (await world.happened('publish')) > 10, 'the first ten');
  getBatches().stopSending(batch.batchId);
  const stopped = await waitUntil(() => (getOpenBatch()?.state === 'waiting' ? getOpenBatch() : null), 'the stop');
  const countRows = (state: string) => stopped.rows.filter(({ approval }) => approval?.state === state).length;
  expect(countRows('done') + countRows('pending')).toBe(good - 1);
  expect(countRows('pending')).toBeGreaterThan(0);
  expect(await world.happened('publish')).toBe(countRows('done') + 1);

  await world.pressYesToRows(batch.batchId, listPendingChoices(stopped));
  await waitUntilOver();
  expect(await world.happened('publish')).toBe(good);
}, 120_000);

test('a refused batch row shows the marketplace’s error while the other rows are published', async () => {
  world = await startWorld();
  const [warmUp = '', ...ids] = await createReviewedListings(4);
  await world.perform('publishListing', { params: { listingId: warmUp } });
  const [single] = world.companion().approvals.listPending();
  await world.pressYes(single?.approvalId ?? '', single?.digest ?? '');
  const batch = await getBatches().publishListings(ids);
  await world.practice.fault({
    method: 'POST',
    path: '/market/publish/{listingId}',
    times: 1,
    status: 400,
    code: 'MARKET_REFUSED',
  });
  await world.pressYesToRows(batch.batchId, listPendingChoices(batch));
  const done = await waitUntilOver();
  expect(done.rows.map(({ approval }) => approval?.state)).toEqual(['failed', 'done', 'done']);
  expect(done.rows[0]?.approval?.outcome?.code).toBe('MARKET_REFUSED');
});

const publishPath = '/market/publish/{listingId}';
/** Requests a batch that ends two live listings. */
const askToEndTwo = async (): Promise<{ ids: string[]; batch: BatchView }> => {
  const key = (await world.secrets.get('agent-key practice')) ?? '';
  const ids = [await world.practice.live(key), await world.practice.live(key)];
  const requests = ids.map((listingId) => ({ route: 'endListing' as const, input: { params: { listingId } } }));
  const [batch] = await getBatches().requestBatches({ kind: 'person' }, requests);
  if (!batch) throw new Error('No batch.');
  return { ids, batch };
};

const listRowStates = () => getOpenBatch()?.rows.map(({ approval }) => approval?.state);

test('a publish that the listing contradicts does not delay the other rows of the batch', async () => {
  world = await startWorld();
  const batch = await getBatches().publishListings(await createReviewedListings(3));
  await world.practice.fault({ method: 'POST', path: publishPath, status: 200, body: { success: true } });
  await world.pressYesToRows(batch.batchId, listPendingChoices(batch));
  // The clock does not run, so the first row still waits between its reads.
  await waitUntil(() => listRowStates()?.join(' ') === 'sending done done', 'the other rows');
  expect(getOpenBatch()?.state).toBe('sending');
  const done = await world.until(() => (getOpenBatch()?.state === 'over' ? getOpenBatch() : null), 'the last reading');
  expect(listRowStates()).toEqual(['unconfirmed', 'done', 'done']);
  expect(done.rows[0]?.approval?.outcome).toMatchObject({
    code: 'CONTRADICTED',
    sentence: expect.stringContaining('The service says it is done, but the listing says otherwise.') as string,
  });
  expect(formatBatchOutcome(done, new Set())).toBe('2 published, 1 not confirmed yet');
  expect(await world.happened('publish')).toBe(2);
  const [first] = batch.rows;
  expect(
    await world.perform('updateListing', { params: { listingId: first?.listingId ?? '' }, body: { price: 900 } }),
  ).toMatchObject({ state: 'done' });
});

test('a batch row without a response from the service is checked while the next rows are sent', async () => {
  world = await startWorld();
  const batch = await getBatches().publishListings(await createReviewedListings(2));
  await world.practice.fault({ method: 'POST', path: publishPath, drop: 'after' });
  await world.pressYesToRows(batch.batchId, listPendingChoices(batch));
  await waitUntil(() => listRowStates()?.join(' ') === 'unconfirmed done', 'the other row');
  await world.until(() => (getOpenBatch()?.state === 'over' ? getOpenBatch() : null), 'the last reading');
  expect(listRowStates()).toEqual(['done', 'done']);
  expect(await world.happened('publish')).toBe(2);
});

test('an end that the listing contradicts does not delay the other end in the batch', async () => {
  world = await startWorld();
  const { batch } = await askToEndTwo();
  await world.practice.fault({ method: 'POST', path: '/market/end/{listingId}', status: 200, body: { success: true } });
  await world.pressYesToRows(batch.batchId, listPendingChoices(batch));
  await waitUntil(() => world.clock.sleepsFor(5_000), 'the undo window');
  world.clock.advance(5_000);
  await waitUntil(() => listRowStates()?.join(' ') === 'sending done', 'the other end');
  await world.until(() => (getOpenBatch()?.state === 'over' ? getOpenBatch() : null), 'the last reading');
  expect(getOpenBatch()?.rows[0]?.approval?.outcome?.code).toBe('CONTRADICTED');
  expect(await world.happened('end')).toBe(1);
});

test('a batch that is stopped while one row is being checked sends no further rows', async () => {
  world = await startWorld();
  const batch = await getBatches().publishListings(await createReviewedListings(2));
  const sent = await holdRequest(world, 'POST', publishPath, 0, { status: 200, body: { success: true } });
  await world.pressYesToRows(batch.batchId, listPendingChoices(batch));
  await sent.arrived();
  getBatches().stopSending(batch.batchId);
  await sent.go();
  await world.until(() => (getOpenBatch()?.state === 'waiting' ? getOpenBatch() : null), 'the last reading');
  expect(listRowStates()).toEqual(['unconfirmed', 'pending']);
  expect(getOpenBatch()?.interrupted).toBe(0);
});

test('a batch row whose listing cannot be read is pending again and shows the reason', async () => {
  world = await startWorld();
  const batch = await getBatches().publishListings(await createReviewedListings(2));
  await world.practice.fault({ method: 'GET', path: '/listings/{listingId}', times: 1_000, status: 503 });
  await world.pressYesToRows(batch.batchId, listPendingChoices(batch));
  const back = await world.until(
    () => (getOpenBatch()?.state === 'waiting' ? getOpenBatch() : null),
    'the rows that are pending again',
  );
  expect(back.rows).toMatchObject(
    Array(2).fill({ approval: { state: 'pending' }, problem: { sentence: expect.any(String) as string } }),
  );
  await world.practice.control('DELETE', '/faults');
  await world.pressYesToRows(batch.batchId, listPendingChoices(back));
  const done = await world.until(
    () => (getOpenBatch()?.state === 'over' ? getOpenBatch() : null),
    'the end of the batch',
  );
  expect(done.rows).toMatchObject(Array(2).fill({ approval: { state: 'done' }, problem: null }));
});

test('a locked listing causes an error only in its own row of the batch', async () => {
  world = await startWorld();
  const { ids, batch } = await askToEndTwo();
  const params = { listingId: ids[0] ?? '' };
  const shown = await requestPrompt(world, 'reviseListing', { params, body: { price: 7_700 } });
  const revise = await holdRequest(world, 'POST', '/market/revise/{listingId}');
  const yes = world.pressYes(shown.approvalId, shown.digest);
  await revise.arrived();
  const both = world.pressYesToRows(batch.batchId, listPendingChoices(batch));
  await waitUntil(() => (world.clock.next() ?? Infinity) <= 5_000, 'the waiting row');
  world.clock.advance(5_000);
  expect((await both).rows).toMatchObject([
    { approval: { state: 'pending' }, problem: { code: 'BEING_DECIDED' } },
    { approval: { state: 'approved' }, problem: null },
  ]);
  await revise.go();
  await yes;
});

test('a batch survives a restart and can still be approved', async () => {
  world = await startWorld();
  const batch = await getBatches().publishListings(await createReviewedListings(2));
  await world.stop();
  await world.begin();
  const again = await waitUntil(() => getOpenBatch(), 'the batch');
  expect(again.batchId).toBe(batch.batchId);
  await world.pressYesToRows(again.batchId, listPendingChoices(again).slice(0, 1), listPendingChoices(again));
  await waitUntilOver();
  expect(await world.happened('publish')).toBe(1);
});
