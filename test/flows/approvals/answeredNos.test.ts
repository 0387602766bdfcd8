import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listing, type InputOf, type Listing, type RouteName } from '../../../src/contract/index.ts';
import type { Asker } from '../../../src/core/base/request.ts';
import type { DeclineReason } from '../../../src/core/base/problem.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { pairedAsker } from '../../helpers/assistant.ts';
import { askFor, performAs, writtenListing } from '../../helpers/approvals/decisions.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let by: Asker;
beforeEach(async () => {
  world = await startWorld();
  by = pairedAsker(world, 'Corrector');
});
afterEach(() => world.close());

const ask = <N extends RouteName>(route: N, input: InputOf<N>) => askFor(world, route, input, by);
const decline = ({ approvalId, digest }: ApprovalView, why: DeclineReason = 'no') =>
  world.companion().approvals.decline(approvalId, digest, why);
const isDeclined = <N extends RouteName>(route: N, input: InputOf<N>) =>
  expect(performAs(world, by, route, input)).rejects.toMatchObject({ code: 'PERSON_DECLINED' });

const readListing = async (listingId: string): Promise<Listing> => {
  const read = await world.perform('readListing', { params: { listingId } });
  return listing.parse(read.state === 'done' ? read.answer : null);
};

/** A listing that the person published half an hour ago. */
const liveListing = async () => {
  const params = { listingId: await writtenListing(world) };
  await world.perform('publishListing', { params });
  await world.yes();
  world.clock.advance(30 * 60_000);
  return params;
};

describe('approvals after a decline', () => {
  test('a declined price stays refused after another request is approved', async () => {
    const params = await liveListing();
    decline(await ask('reviseListing', { params, body: { price: 500 } }));
    await world.approve(await ask('reviseListing', { params, body: { sku: 'BLUE-1' } }));
    await isDeclined('reviseListing', { params, body: { price: 500 } });
    await isDeclined('reviseListing', { params, body: { price: 510, sku: 'BLUE-2' } });
    await world.stop();
    await world.begin();
    await isDeclined('reviseListing', { params, body: { price: 500 } });
    await ask('reviseListing', { params, body: { price: 900 } });
  });

  test('a decline is lifted when the person approves the declined request', async () => {
    const params = { listingId: await writtenListing(world) };
    const { title } = await readListing(params.listingId);
    decline(await ask('publishListing', { params }));
    await performAs(world, by, 'updateListing', { params, body: { title: 'Another title' } });
    world.clock.advance(1_000);
    const second = await ask('publishListing', { params });
    await world.perform('updateListing', { params, body: { title: title ?? '' } });
    await world.approve(await world.approve(second));
    await world.stop();
    await world.begin();
    await expect(performAs(world, by, 'publishListing', { params })).rejects.toMatchObject({ code: 'WRONG_STATE' });
  });
});

describe('a decline with the reason "The details are wrong"', () => {
  test.each([
    ['a description', () => ({ description: 'These are the right words.' })],
    [
      'an item specific',
      ({ itemSpecifics: specifics }) => ({ itemSpecifics: { ...specifics, Brand: 'Another brand' } }),
    ],
  ] satisfies [string, (listing: Listing) => Record<string, unknown>][])(
    'the assistant gets one new prompt after correcting %s',
    async (_what, bodyOf) => {
      const params = { listingId: await writtenListing(world) };
      const body = bodyOf(await readListing(params.listingId));
      decline(await ask('publishListing', { params }), 'wrong_details');
      await isDeclined('publishListing', { params });
      await performAs(world, by, 'updateListing', { params, body });
      const second = await ask('publishListing', { params });
      decline(second, 'wrong_details');
      await performAs(world, by, 'updateListing', { params, body: { description: 'And now these words.' } });
      await isDeclined('publishListing', { params });
    },
  );

  test.each([
    ['the price by less than five percent', { price: 1_250 }],
    ['the condition note', { conditionDescription: 'A scratch on the back.' }],
    ['the package weight', { packageWeightGrams: 740 }],
  ])('the assistant gets one new prompt after correcting %s, but none after a plain decline', async (_what, body) => {
    for (const why of ['no', 'wrong_details'] as const) {
      const params = { listingId: await writtenListing(world) };
      decline(await ask('publishListing', { params }), why);
      await performAs(world, by, 'updateListing', { params, body });
      if (why === 'no') await isDeclined('publishListing', { params });
      else decline(await ask('publishListing', { params }), why);
      await performAs(world, by, 'updateListing', { params, body: { description: 'And now these words.' } });
      await isDeclined('publishListing', { params });
    }
  });

  test('a changed Best Offer allows one new prompt, while changed case or spacing allows none', async () => {
    const params = await liveListing();
    const offer = (autoAcceptCents: number) => ({ bestOffer: { enabled: true, autoAcceptCents } });
    decline(
      await ask('reviseListing', { params, body: { ...offer(900), description: 'Blue shoes.' } }),
      'wrong_details',
    );
    await isDeclined('reviseListing', { params, body: { ...offer(900), description: 'BLUE  shoes' } });
    await isDeclined('reviseListing', { params, body: { ...offer(900), description: 'Blue shoes.', sku: 'B-1' } });
    await ask('reviseListing', { params, body: { ...offer(1_200), description: 'Blue shoes.' } });
    await isDeclined('reviseListing', { params, body: { ...offer(1_300), description: 'Blue shoes.' } });
  });

  test('a corrected description leads to no new prompt after a decline without this reason', async () => {
    const params = { listingId: await writtenListing(world) };
    decline(await ask('publishListing', { params }), 'no');
    await performAs(world, by, 'updateListing', { params, body: { description: 'Other words.' } });
    await isDeclined('publishListing', { params });
  });
});
