import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { InputOf, RouteName } from '../../../src/contract/index.ts';
import type { Asker } from '../../../src/core/base/request.ts';
import type { DeclineReason } from '../../../src/core/base/problem.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { pairAsker } from '../../helpers/assistant.ts';
import {
  requestPrompt,
  holdRequest,
  performAs,
  countRequests,
  createWrittenListing,
} from '../../helpers/approvals/decisions.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let by: Asker;
beforeEach(async () => {
  world = await startWorld();
  by = pairAsker(world, 'Stubborn');
});
afterEach(() => world.close());

const passMinutes = (count: number): void => world.clock.advance(count * 60_000);
const listPending = () => world.companion().approvals.listPending();
const askByAssistant = <N extends RouteName>(route: N, input: InputOf<N>) => requestPrompt(world, route, input, by);
const declineApproval = ({ approvalId, digest }: ApprovalView, why: DeclineReason = 'no') =>
  world.companion().approvals.decline(approvalId, digest, why);
const expectDeclined = <N extends RouteName>(route: N, input: InputOf<N>, more: Record<string, unknown> = {}) =>
  expect(performAs(world, by, route, input)).rejects.toMatchObject({ code: 'PERSON_DECLINED', ...more });
const expectTooMany = <N extends RouteName>(route: N, input: InputOf<N>) =>
  expect(performAs(world, by, route, input)).rejects.toMatchObject({ code: 'TOO_MANY_WAITING' });

/** Creates a listing that the person published half an hour ago. */
const createLiveListing = async (): Promise<{ listingId: string }> => {
  const params = { listingId: await createWrittenListing(world) };
  await world.perform('publishListing', { params });
  await world.yes();
  passMinutes(30);
  return params;
};

describe('repeated requests for the same act on the same listing', () => {
  test('requests for the same act on a listing share one prompt, whatever their route and values', async () => {
    const params = { listingId: await createWrittenListing(world) };
    const first = await askByAssistant('publishListing', { params });
    world.clock.advance(5_000);
    const other = await askByAssistant('createTemplate', { body: { name: 'Books' } });
    const second = await askByAssistant('publishListing', { params, body: { autoDelistOnSale: false } });
    expect(listPending().map(({ approvalId }) => approvalId)).toEqual([second.approvalId, other.approvalId]);
    expect(second).toMatchObject({ askedAt: first.askedAt, shownAt: world.clock.now() });
    expect(second.sinceShown).not.toEqual([]);
    const third = await askByAssistant('publishChannels', { params, body: { note: 'x', channels: ['market'] } });
    expect(listPending().map(({ approvalId }) => approvalId)).toEqual([third.approvalId, other.approvalId]);
    await expectTooMany('publishListing', { params, body: { autoDelistOnSale: true } });
    expect(
      (await askByAssistant('publishChannels', { params, body: { channels: ['market'], note: 'x' } })).approvalId,
    ).toBe(third.approvalId);
    passMinutes(11);
    await askByAssistant('publishListing', { params });
    expect(listPending()).toHaveLength(2);
  });

  test('an approval of a superseded prompt sends nothing', async () => {
    const params = await createLiveListing();
    const first = await askByAssistant('reviseListing', { params, body: { price: 1_000 } });
    const read = await holdRequest(world, 'GET', '/listings/{listingId}');
    const yes = world.approve(first);
    await read.arrived();
    const second = await askByAssistant('reviseListing', { params, body: { price: 900 } });
    await read.go();
    expect(await yes).toMatchObject({ approvalId: second.approvalId, state: 'pending' });
    expect(await world.approve(first)).toMatchObject({ approvalId: second.approvalId, state: 'pending' });
    expect(await countRequests(world, 'reviseListing')).toBe(0);
  });

  test('an assistant waiting for a superseded prompt does not get the new prompt’s outcome', async () => {
    const params = await createLiveListing();
    const first = await askByAssistant('reviseListing', { params, body: { price: 1_000 } });
    const outcome = world.companion().outcome(first.approvalId, 60_000);
    const told = expect(outcome).rejects.toMatchObject({ code: 'ASKED_AGAIN' });
    await askByAssistant('reviseListing', { params, body: { price: 900 } });
    await told;
    await world.yes();
    await expect(world.companion().outcome(first.approvalId, 0)).rejects.toMatchObject({ code: 'ASKED_AGAIN' });
  });

  test('four different requests at once lead to one prompt and one refusal', async () => {
    const params = { listingId: await createWrittenListing(world) };
    const bodies = [{}, { autoDelistOnSale: true }, { autoDelistOnSale: false }, { autoDelistOnSale: true, fix: true }];
    const asked = await Promise.allSettled(
      bodies.map((body) => performAs(world, by, 'publishListing', { params, body })),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(listPending()).toHaveLength(1);
  });

  test('an assistant that withdraws a request and repeats it uses up the limit of changes', async () => {
    const params = { listingId: await createWrittenListing(world) };
    for (const autoDelistOnSale of [true, false]) {
      const { approvalId } = await askByAssistant('publishListing', { params, body: { autoDelistOnSale } });
      world.companion().approvals.withdraw(approvalId);
    }
    await expectTooMany('publishListing', { params });
    await world.stop();
    await world.begin();
    await expectTooMany('publishListing', { params, body: { autoDelistOnSale: true } });
    passMinutes(10);
    await askByAssistant('publishListing', { params });
  });

  test('after an approval, a new request leads to a new prompt despite earlier changes', async () => {
    const params = await createLiveListing();
    for (const price of [1_000, 900, 800]) await askByAssistant('reviseListing', { params, body: { price } });
    await world.yes();
    await askByAssistant('reviseListing', { params, body: { price: 700 } });
    expect(listPending()).toHaveLength(1);
  });

  test('a listing has either a prompt of its own or a row in a batch, never both', async () => {
    const ids = [
      await createWrittenListing(world),
      await createWrittenListing(world),
      await createWrittenListing(world),
    ];
    const [alone = '', row = ''] = ids;
    await askByAssistant('publishListing', { params: { listingId: alone } });
    const toPublish = (listingId: string) => ({
      route: 'publishListing' as const,
      input: { params: { listingId }, body: { autoDelistOnSale: true } },
    });
    const [batch] = await world.companion().batches.requestBatches(by, ids.map(toPublish));
    expect(batch?.rows.map(({ problem }) => problem?.code)).toEqual(['ALREADY_ASKED', undefined, undefined]);
    const changed = await askByAssistant('publishListing', { params: { listingId: row } });
    const now = world.companion().batches.readBatch(batch?.batchId ?? '');
    expect(now.rows[1]?.approval?.approvalId).toBe(changed.approvalId);
    expect(listPending()).toHaveLength(1);
  });

  test('the limit of changes to a prompt does not apply to the person’s own requests', async () => {
    const params = await createLiveListing();
    for (const price of [1_000, 900, 800, 700]) await world.perform('reviseListing', { params, body: { price } });
    expect(listPending()).toHaveLength(4);
  });
});

describe('requests after a decline', () => {
  test('after a decline, every request for the same act on the listing is refused for ten minutes', async () => {
    const params = { listingId: await createWrittenListing(world) };
    declineApproval(await askByAssistant('publishListing', { params }), 'wrong_details');
    passMinutes(1);
    const facts = { declinedBecause: 'wrong_details', retryAfterS: 540 };
    await expectDeclined('publishListing', { params }, facts);
    await expectDeclined('publishListing', { params, body: { autoDelistOnSale: false } }, facts);
    await expectDeclined('publishChannels', { params, body: { anything: 'else' } }, facts);
    await world.stop();
    await world.begin();
    await expectDeclined('publishChannels', { params, body: { channels: ['market'] } }, facts);
    expect(listPending()).toEqual([]);
    passMinutes(9);
    await askByAssistant('publishListing', { params });
  });

  test('a changed wall clock does not affect the ten minutes after a decline', async () => {
    const params = { listingId: await createWrittenListing(world) };
    declineApproval(await askByAssistant('publishListing', { params }), 'wrong_details');
    world.clock.jumpWall(60 * 60_000);
    await expectDeclined('publishListing', { params, body: { autoDelistOnSale: false } }, { retryAfterS: 600 });
    world.clock.jumpWall(-24 * 60 * 60_000);
    passMinutes(1);
    await expectDeclined('publishListing', { params }, { retryAfterS: 540 });
    passMinutes(9);
    await askByAssistant('publishListing', { params });
  });

  test('after a decline, a request with other irrelevant fields is refused without reading the listing', async () => {
    const params = { listingId: await createWrittenListing(world) };
    declineApproval(await askByAssistant('publishListing', { params }));
    passMinutes(1);
    const reads = await countRequests(world, 'readListing');
    await expectDeclined('publishListing', { params, body: { autoDelistOnSale: false } });
    expect(await countRequests(world, 'readListing')).toBe(reads);
  });

  test('after a decline, a request that follows an irrelevant edit of the listing is refused', async () => {
    const params = { listingId: await createWrittenListing(world) };
    declineApproval(await askByAssistant('publishListing', { params }));
    passMinutes(1);
    await performAs(world, by, 'updateListing', { params, body: { description: 'Other words.' } });
    await expectDeclined('publishListing', { params });
    expect(listPending()).toEqual([]);
  });

  test('after a decline, a correction of the listing leads to one new prompt', async () => {
    const params = { listingId: await createWrittenListing(world) };
    declineApproval(await askByAssistant('publishListing', { params }), 'wrong_details');
    passMinutes(1);
    await performAs(world, by, 'updateListing', { params, body: { title: 'A quite different title' } });
    const second = await askByAssistant('publishListing', { params });
    declineApproval(second, 'wrong_details');
    passMinutes(1);
    await performAs(world, by, 'updateListing', { params, body: { title: 'Yet another one', price: 99_900 } });
    await expectDeclined('publishListing', { params }, { retryAfterS: 540 });
    passMinutes(8.5);
    await expectDeclined('publishListing', { params });
    passMinutes(1);
    await askByAssistant('publishListing', { params });
  });

  test('after a decline, a pending corrected request cannot be corrected again', async () => {
    const params = await createLiveListing();
    declineApproval(await askByAssistant('reviseListing', { params, body: { price: 10_000 } }));
    const second = await askByAssistant('reviseListing', { params, body: { price: 10_500 } });
    await expectDeclined('reviseListing', { params, body: { price: 20_000 } });
    await expectDeclined('reviseListing', { params, body: { price: 10_000 } });
    expect(listPending().map(({ approvalId }) => approvalId)).toEqual([second.approvalId]);
    world.companion().approvals.withdraw(second.approvalId);
    await expectDeclined('reviseListing', { params, body: { price: 30_000 } });
  });

  test('after a declined price, only a price change of at least five percent leads to a new prompt', async () => {
    const params = await createLiveListing();
    declineApproval(await askByAssistant('reviseListing', { params, body: { price: 10_000 } }));
    for (const price of [10_499, 9_501, 10_001]) await expectDeclined('reviseListing', { params, body: { price } });
    await expectDeclined('reviseListing', { params, body: { price: 10_000, description: 'New' } });
    await askByAssistant('reviseListing', { params, body: { price: 9_500 } });
  });

  test('a decline for the marketplace covers every request that includes the marketplace', async () => {
    const params = { listingId: await createWrittenListing(world) };
    declineApproval(await askByAssistant('publishListing', { params }));
    await expectDeclined('publishChannels', { params, body: { channels: ['corner', 'market'] } });
    await expectDeclined('publishChannels', { params, body: { channels: [] } });
    await expect(
      performAs(world, by, 'publishChannels', { params, body: { channels: ['corner'] } }),
    ).rejects.not.toMatchObject({ code: 'PERSON_DECLINED' });
  });

  test('a declined request without a listing can be corrected once', async () => {
    declineApproval(await askByAssistant('createTemplate', { body: { name: 'Books' } }), 'wrong_details');
    await expectDeclined('createTemplate', { body: { name: 'Books' } });
    const second = await askByAssistant('createTemplate', { body: { name: 'Books', note: 'x' } });
    declineApproval(second);
    await expectDeclined('createTemplate', { body: { name: 'Toys' } });
    declineApproval(await askByAssistant('updateSellerDefaults', { body: { location: 'Here' } }));
    declineApproval(await askByAssistant('updateSellerDefaults', { body: { location: 'There' } }));
    await expectDeclined('updateSellerDefaults', { body: { location: 'Elsewhere' } });
  });

  test('templates share a prompt only if they have the same name', async () => {
    await askByAssistant('createTemplate', { body: { name: 'Books' } });
    await askByAssistant('createTemplate', { body: { name: 'Toys' } });
    await askByAssistant('createTemplate', { body: { name: ' books', note: 1 } });
    expect(listPending()).toHaveLength(2);
  });

  test('a decline of a batch also covers single requests for its listings', async () => {
    const ids = [await createWrittenListing(world), await createWrittenListing(world)];
    const requests = ids.map((listingId) => ({
      route: 'publishListing' as const,
      input: { params: { listingId }, body: {} },
    }));
    const [batch] = await world.companion().batches.requestBatches(by, requests);
    const rows = batch?.rows.flatMap(({ approval }) => approval ?? []) ?? [];
    world.companion().batches.closeBatch(batch?.batchId ?? '', rows);
    for (const listingId of ids)
      await expectDeclined('publishListing', { params: { listingId }, body: { autoDelistOnSale: false } });
    const [again] = await world.companion().batches.requestBatches(by, requests);
    expect(again?.rows[0]?.problem).toMatchObject({ code: 'PERSON_DECLINED', declinedBecause: 'no', retryAfterS: 600 });
  });

  test('a declined request can still be made by another assistant or the person', async () => {
    const params = { listingId: await createWrittenListing(world) };
    declineApproval(await askByAssistant('publishListing', { params }));
    await requestPrompt(world, 'publishListing', { params }, pairAsker(world, 'Other'));
    await world.perform('publishListing', { params });
    expect(listPending()).toHaveLength(2);
  });
});
