import { afterEach, expect, test } from 'vitest';
import { pairAsker } from '../../helpers/assistant.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

/** Starts with extras turned on and `used` of 30 listings used. Returns the service key. */
const startWith = async (used: number): Promise<string> => {
  world = await startWorld({ person: { plan: 'Lite', used, extras: true } });
  await world.until(() => world.companion().state(null).allowance?.remaining === 30 - used, 'the standing');
  return (await world.secrets.get('agent-key practice')) ?? '';
};
/** Approves extras for an assistant. The service would use them for any generation with this key. */
const approveExtrasForAssistant = async (): Promise<void> => {
  const by = pairAsker(world, 'Helper');
  await world.companion().perform({ by, route: 'approveExtras', input: { body: { count: 3, rateCents: 60 } } });
  expect((await world.yes()).state).toBe('done');
};
/** Drops the given number of folders as the person and returns where each item stopped. */
const drop = async (count: number): Promise<string[]> => {
  const names = Array.from({ length: count }, (_, at) => `thing ${at}`);
  const paths = await Promise.all(names.map((name) => world.folder(name, 1)));
  const { itemIds } = await world.companion().add({ kind: 'paths', paths });
  const states = () => itemIds.map((itemId) => world.companion().items.get(itemId));
  await world.until(() => states().every(({ stop, step }) => stop !== null || step === 'review'), 'all of them');
  return states().map(({ stop, step }) => stop?.code ?? step);
};

test('the person’s generations do not use extras that were approved for an assistant', async () => {
  await startWith(29);
  await approveExtrasForAssistant();
  const ends = await drop(5);
  expect(ends.toSorted()).toEqual([...Array.from({ length: 4 }, () => 'WOULD_BE_EXTRA'), 'review']);
  expect(await world.happened('generation')).toBe(1);
  expect(await world.happened('charge')).toBe(0);
});

test('approving extras causes a new read of the allowance, even if much of it was left', async () => {
  const key = await startWith(10);
  await approveExtrasForAssistant();
  // Another client uses the remaining listings of the plan.
  for (let at = 0; at < 20; at += 1) await world.practice.written(key);
  expect(await drop(3)).toEqual(['WOULD_BE_EXTRA', 'WOULD_BE_EXTRA', 'WOULD_BE_EXTRA']);
  expect(await world.happened('charge')).toBe(0);
});

test('the prompt for generating a draft with an extra shows the price', async () => {
  const key = await startWith(30);
  await approveExtrasForAssistant();
  const listingId = await world.practice.draft(key, 1);
  expect((await world.perform('generateListing', { params: { listingId } })).state).toBe('pending');
  const [shown] = world.companion().approvals.listPending();
  expect(shown?.prompt).toMatchObject({ yes: 'Write for US$0.60', money: { totalMinor: 60, currency: 'USD' } });
  expect(await world.happened('charge')).toBe(0);
  expect((await world.yes()).state).toBe('done');
  expect(await world.happened('charge')).toBe(1);
});
