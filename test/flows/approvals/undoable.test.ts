import { afterEach, beforeEach, expect, test } from 'vitest';
import { pairAsker } from '../../helpers/assistant.ts';
import { requestPrompt, countRequests, createWrittenListing } from '../../helpers/approvals/decisions.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
beforeEach(async () => void (world = await startWorld()));
afterEach(() => world.close());

const listPending = () => world.companion().approvals.listPending();

test('a pending change is superseded when the person ends the listing', async () => {
  const params = { listingId: await createWrittenListing(world) };
  await world.perform('publishListing', { params });
  await world.yes();
  const shown = await requestPrompt(
    world,
    'reviseListing',
    { params, body: { price: 1_000 } },
    pairAsker(world, 'Slow'),
  );
  const told = expect(world.companion().outcome(shown.approvalId, 600_000)).rejects.toMatchObject({
    code: 'WRONG_STATE',
  });
  const end = await requestPrompt(world, 'endListing', { params });
  await world.approve(end);
  await told;
  expect(listPending()).toEqual([]);
  expect(world.companion().approvals.readView(shown.approvalId)).toMatchObject({
    state: 'superseded',
    outcome: { code: 'WRONG_STATE' },
  });
});

test('a pending publish is superseded once its listing is live', async () => {
  const params = { listingId: await createWrittenListing(world) };
  const other = { listingId: await createWrittenListing(world) };
  const by = pairAsker(world, 'Slow');
  await requestPrompt(world, 'publishListing', { params }, by);
  const stays = await requestPrompt(world, 'publishListing', { params: other }, by);
  const mine = await requestPrompt(world, 'publishListing', { params });
  await world.approve(mine);
  const reads = await countRequests(world, 'quoteFees');
  await world.listing(other.listingId);
  await world.until(() => listPending().length === 1, 'the prompt to go');
  expect(listPending()[0]?.approvalId).toBe(stays.approvalId);
  expect(await countRequests(world, 'quoteFees')).toBe(reads);
});

test('a pending deletion is superseded when the person deletes the listing', async () => {
  const params = { listingId: await createWrittenListing(world) };
  await requestPrompt(world, 'deleteListing', { params }, pairAsker(world, 'Slow'));
  await world.approve(await requestPrompt(world, 'deleteListing', { params }));
  expect(listPending()).toEqual([]);
});
