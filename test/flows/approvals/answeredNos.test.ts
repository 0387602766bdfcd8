import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listing, type InputOf, type Listing, type RouteName } from '../../../src/contract/index.ts';
import type { Asker } from '../../../src/core/base/request.ts';
import type { DeclineReason } from '../../../src/core/base/problem.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { pairAsker } from '../../helpers/assistant.ts';
import { requestPrompt, performAs, createWrittenListing } from '../../helpers/approvals/decisions.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let by: Asker;
beforeEach(async () => {
  world = await startWorld();
  by = pairAsker(world, 'Corrector');
});
afterEach(() => world.close());

const askByAssistant = <N extends RouteName>(route: N, input: InputOf<N>) => requestPrompt(world, route, input, by);
const declineApproval = ({ approvalId, digest }: ApprovalView, why: DeclineReason = 'no') =>
  world.companion().approvals.decline(approvalId, digest, why);
const expectDeclined = <N extends RouteName>(route: N, input: InputOf<N>) =>
  expect(performAs(world, by, route, input)).rejects.toMatchObject({ code: 'PERSON_DECLINED' });

const readListing = async (listingId: string): Promise<Listing> => {
  const read = await world.perform('readListing', { params: { listingId } });
  return listing.parse(read.state === 'done' ? read.answer : null);
};

/** Creates a listing that the person published half an hour ago. */
const createLiveListing = async () => {
  const params = { listingId: await createWrittenListing(world) };
  await world.perform('publishListing', { params });
  await world.yes();
  world.clock.advance(30 * 60_000);
  return params;
};

describe('approvals after a decline', () => {
  test('a declined price stays refused after another request is approved', async () => {
    const params = await createLiveListing();
    declineApproval(await askByAssistant('reviseListing', { params, body: { price: 500 } }));
    await world.approve(await askByAssistant('reviseListing', { params, body: { sku: 'BLUE-1' } }));
    await expectDeclined('reviseListing', { params, body: { price: 500 } });
    await expectDeclined('reviseListing', { params, body: { price: 510, sku: 'BLUE-2' } });
    await world.stop();
    await world.begin();
    await expectDeclined('reviseListing', { params, body: { price: 500 } });
    await askByAssistant('reviseListing', { params, body: { price: 900 } });
  });

  test('a decline is lifted when the person approves the declined request', async () => {
    const params = { listingId: await createWrittenListing(world) };
    const { title } = await readListing(params.listingId);
    declineApproval(await askByAssistant('publishListing', { params }));
    await performAs(world, by, 'updateListing', { params, body: { title: 'Another title' } });
    world.clock.advance(1_000);
    const second = await askByAssistant('publishListing', { params });
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
    'after a decline for wrong details, a correction of %s leads to one new prompt',
    async (_what, bodyOf) => {
      const params = { listingId: await createWrittenListing(world) };
      const body = bodyOf(await readListing(params.listingId));
      declineApproval(await askByAssistant('publishListing', { params }), 'wrong_details');
      await expectDeclined('publishListing', { params });
      await performAs(world, by, 'updateListing', { params, body });
      const second = await askByAssistant('publishListing', { params });
      declineApproval(second, 'wrong_details');
      await performAs(world, by, 'updateListing', { params, body: { description: 'And now these words.' } });
      await expectDeclined('publishListing', { params });
    },
  );

  test.each([
    ['the price by less than five percent', { price: 1_250 }],
    ['the condition note', { conditionDescription: 'A scratch on the back.' }],
    ['the package weight', { packageWeightGrams: 740 }],
  ])('a correction of %s leads to a new prompt only if the decline named wrong details', async (_what, body) => {
    for (const why of ['no', 'wrong_details'] as const) {
      const params = { listingId: await createWrittenListing(world) };
      declineApproval(await askByAssistant('publishListing', { params }), why);
      await performAs(world, by, 'updateListing', { params, body });
      if (why === 'no') await expectDeclined('publishListing', { params });
      else declineApproval(await askByAssistant('publishListing', { params }), why);
      await performAs(world, by, 'updateListing', { params, body: { description: 'And now these words.' } });
      await expectDeclined('publishListing', { params });
    }
  });

  test('after a decline, a changed Best Offer leads to a new prompt, but changed spacing does not', async () => {
    const params = await createLiveListing();
    const toBestOffer = (autoAcceptCents: number) => ({ bestOffer: { enabled: true, autoAcceptCents } });
    declineApproval(
      await askByAssistant('reviseListing', { params, body: { ...toBestOffer(900), description: 'Blue shoes.' } }),
      'wrong_details',
    );
    await expectDeclined('reviseListing', { params, body: { ...toBestOffer(900), description: 'BLUE  shoes' } });
    await expectDeclined('reviseListing', {
      params,
      body: { ...toBestOffer(900), description: 'Blue shoes.', sku: 'B-1' },
    });
    await askByAssistant('reviseListing', { params, body: { ...toBestOffer(1_200), description: 'Blue shoes.' } });
    await expectDeclined('reviseListing', { params, body: { ...toBestOffer(1_300), description: 'Blue shoes.' } });
  });

  test('a corrected description leads to no new prompt if the decline did not name wrong details', async () => {
    const params = { listingId: await createWrittenListing(world) };
    declineApproval(await askByAssistant('publishListing', { params }), 'no');
    await performAs(world, by, 'updateListing', { params, body: { description: 'Other words.' } });
    await expectDeclined('publishListing', { params });
  });
});
