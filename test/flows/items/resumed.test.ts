import { afterEach, expect, test } from 'vitest';
import { settled } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const approvals = () => world.companion().approvals;
/** Near the end of every span: after a start, what is spread begins after 27 s. */
const late = () => 0.9;

test('acts with an unknown outcome are looked up right after a start, all at once', async () => {
  world = await startWorld({ random: late });
  const shown = await world.asked();
  await world.practice.fault({ method: 'POST', path: '/market/publish/{listingId}', drop: 'after' });
  const sent = approvals()
    .approve(shown.approvalId, shown.digest)
    .catch(() => null);
  await settled(() => approvals().readView(shown.approvalId).state === 'unconfirmed', 'the lost answer');
  await world.stop();
  await world.begin();
  world.clock.advance(2_000);
  await settled(() => approvals().readView(shown.approvalId).state === 'done', 'the outcome');
  expect(await world.happened('publish')).toBe(1);
  void sent;
});

test('an approval in its undo window stays approved when the delayed lookup after a start runs', async () => {
  world = await startWorld({ random: late });
  const { listingId } = await world.asked();
  expect((await world.yes()).state).toBe('done');
  await world.stop();
  await world.begin();
  world.clock.advance(24_000);
  await world.perform('endListing', { params: { listingId } });
  const [shown] = approvals().listPending();
  if (!shown) throw new Error('No prompt is waiting.');
  expect((await approvals().approve(shown.approvalId, shown.digest)).state).toBe('approved');
  world.clock.advance(4_000);
  // The look reads the listing; what it makes of it is there soon after.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(approvals().listPending()).toEqual([]);
  expect(approvals().readView(shown.approvalId).state).toBe('approved');
  world.clock.advance(1_000);
  await settled(() => approvals().readView(shown.approvalId).state === 'done', 'the end');
});
