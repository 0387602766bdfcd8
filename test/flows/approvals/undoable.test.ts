import { afterEach, beforeEach, expect, test } from 'vitest';
import { pairedAsker } from '../../helpers/assistant.ts';
import { askFor, sentTo, writtenListing } from '../../helpers/approvals/decisions.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
beforeEach(async () => void (world = await startWorld()));
afterEach(() => world.close());

const listPending = () => world.companion().approvals.listPending();

test('a pending change is superseded when the person ends the listing', async () => {
  const params = { listingId: await writtenListing(world) };
  await world.perform('publishListing', { params });
  await world.yes();
  const shown = await askFor(world, 'reviseListing', { params, body: { price: 1_000 } }, pairedAsker(world, 'Slow'));
  const told = expect(world.companion().outcome(shown.approvalId, 600_000)).rejects.toMatchObject({
    code: 'WRONG_STATE',
  });
  const end = await askFor(world, 'endListing', { params });
  await world.approve(end);
  await told;
  expect(listPending()).toEqual([]);
  expect(world.companion().approvals.readView(shown.approvalId)).toMatchObject({
    state: 'superseded',
    outcome: { code: 'WRONG_STATE' },
  });
});

test('a pending publish is superseded once its listing is live', async () => {
  const params = { listingId: await writtenListing(world) };
  const other = { listingId: await writtenListing(world) };
  const by = pairedAsker(world, 'Slow');
  await askFor(world, 'publishListing', { params }, by);
  const stays = await askFor(world, 'publishListing', { params: other }, by);
  const mine = await askFor(world, 'publishListing', { params });
  await world.approve(mine);
  const reads = await sentTo(world, 'quoteFees');
  await world.listing(other.listingId);
  await world.until(() => listPending().length === 1, 'the prompt to go');
  expect(listPending()[0]?.approvalId).toBe(stays.approvalId);
  expect(await sentTo(world, 'quoteFees')).toBe(reads);
});

test('a pending deletion is superseded when the person deletes the listing', async () => {
  const params = { listingId: await writtenListing(world) };
  await askFor(world, 'deleteListing', { params }, pairedAsker(world, 'Slow'));
  await world.approve(await askFor(world, 'deleteListing', { params }));
  expect(listPending()).toEqual([]);
});
