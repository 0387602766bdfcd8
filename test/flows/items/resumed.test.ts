import { afterEach, expect, test } from 'vitest';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const approvals = () => world.companion().approvals;
/** Delays the lookups that are spread over 30 s after a start to the 27th second. */
const getLateFraction = () => 0.9;

test('within seconds of its start, the companion looks up an unconfirmed publish', async () => {
  world = await startWorld({ random: getLateFraction });
  const shown = await world.asked();
  await world.practice.fault({ method: 'POST', path: '/market/publish/{listingId}', drop: 'after' });
  const sent = world.pressYes(shown.approvalId, shown.digest).catch(() => null);
  await waitUntil(() => approvals().readView(shown.approvalId).state === 'unconfirmed', 'the lost answer');
  await world.stop();
  await world.begin();
  world.clock.advance(2_000);
  await waitUntil(() => approvals().readView(shown.approvalId).state === 'done', 'the outcome');
  expect(await world.happened('publish')).toBe(1);
  void sent;
});

test('the lookup after a start does not change an approval in its undo window', async () => {
  world = await startWorld({ random: getLateFraction });
  const { listingId } = await world.asked();
  expect((await world.yes()).state).toBe('done');
  await world.stop();
  await world.begin();
  world.clock.advance(24_000);
  await world.perform('endListing', { params: { listingId } });
  const [shown] = approvals().listPending();
  if (!shown) throw new Error('No prompt is waiting.');
  expect((await world.pressYes(shown.approvalId, shown.digest)).state).toBe('approved');
  world.clock.advance(4_000);
  // The lookup reads the listing, and its result is stored shortly afterwards.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(approvals().listPending()).toEqual([]);
  expect(approvals().readView(shown.approvalId).state).toBe('approved');
  world.clock.advance(1_000);
  await waitUntil(() => approvals().readView(shown.approvalId).state === 'done', 'the end');
});
