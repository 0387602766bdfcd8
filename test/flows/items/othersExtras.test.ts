import { afterEach, expect, test } from 'vitest';
import { pairedAsker } from '../../helpers/assistant.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

/** A person with extras turned on, and so many listings of 30 used. */
const startWith = async (used: number): Promise<string> => {
  world = await startWorld({ person: { plan: 'Lite', used, extras: true } });
  await world.until(() => world.companion().state(null).allowance?.remaining === 30 - used, 'the standing');
  return (await world.secrets.get('agent-key practice')) ?? '';
};
/** The person sets extras aside for an assistant; the service takes them for any writing with this key. */
const setAside = async (): Promise<void> => {
  const by = pairedAsker(world, 'Helper');
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

test('when the plan covers only one of several parallel generations, the others use none of an assistant’s extras', async () => {
  await startWith(29);
  await setAside();
  const ends = await drop(5);
  expect(ends.toSorted()).toEqual([...Array.from({ length: 4 }, () => 'WOULD_BE_EXTRA'), 'review']);
  expect(await world.happened('generation')).toBe(1);
  expect(await world.happened('charge')).toBe(0);
});

test('an allowance read before extras were approved is stale, however much was left', async () => {
  const key = await startWith(10);
  await setAside();
  // Somewhere else the rest of the plan is used.
  for (let at = 0; at < 20; at += 1) await world.practice.written(key);
  expect(await drop(3)).toEqual(['WOULD_BE_EXTRA', 'WOULD_BE_EXTRA', 'WOULD_BE_EXTRA']);
  expect(await world.happened('charge')).toBe(0);
});

test('the person is prompted with the price before a draft is generated with an extra', async () => {
  const key = await startWith(30);
  await setAside();
  const listingId = await world.practice.draft(key, 1);
  expect((await world.perform('generateListing', { params: { listingId } })).state).toBe('pending');
  const [shown] = world.companion().approvals.listPending();
  expect(shown?.prompt).toMatchObject({ yes: 'Write for US$0.60', money: { totalMinor: 60, currency: 'USD' } });
  expect(await world.happened('charge')).toBe(0);
  expect((await world.yes()).state).toBe('done');
  expect(await world.happened('charge')).toBe(1);
});
