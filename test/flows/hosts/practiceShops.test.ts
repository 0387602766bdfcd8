import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPracticePeople } from '../../../src/host/practice/practicePeople.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld({
    person: null,
    practicePerson: (practice) => createPracticePeople(practice, async () => 'Helper'),
  });
});
afterEach(() => world.close());

const who = () => world.companion().state(null).person?.email;
const listings = () => world.until(() => world.companion().listings.counts().sync.doneAt !== null, 'the listings');
const count = async (): Promise<number> => {
  await listings();
  return world.companion().listings.counts().all;
};
const plan = async (): Promise<unknown> => {
  const outcome = await world.perform('readStanding', {});
  return outcome.state === 'done' ? (outcome.answer as { plan: { name: string } }).plan.name : null;
};

test('a shop of each kind is left and found again as it was; begun anew, it is another one', async () => {
  const { connect, changeSettings } = world.companion();
  await connect.practice('stocked');
  const first = who();
  expect(await count()).toBe(60);
  changeSettings({ templateId: 'tpl_of_the_first' });
  await connect.practice('empty');
  expect(await count()).toBe(0);
  expect(world.companion().state(null).settings.templateId).toBeNull();
  const empty = who();

  await connect.practice('stocked');
  expect(who()).toBe(first);
  await connect.practice('stocked', true);
  const second = who();
  expect(second).not.toBe(first);
  expect(await count()).toBe(60);
  await connect.forget();
  await connect.practice('stocked');
  expect(who()).toBe(second);
  await connect.practice('empty');
  expect(who()).toBe(empty);
});

test('a start without the key finds the same person, with the plan that they have since', async () => {
  const { connect } = world.companion();
  await connect.practice('stocked');
  await connect.practice('stocked', true);
  const email = who() ?? '';
  await world.practice.control('POST', '/people', { email, plan: 'Pro' });
  await world.stop();
  await world.secrets.remove('agent-key practice');
  await world.begin();
  expect(world.companion().state(null).connection).toBe('connected');
  expect(who()).toBe(email);
  expect(await plan()).toBe('Pro');
});

test('who practises without a keychain that lasts is let in at every start, however many there were', async () => {
  await world.companion().connect.practice('empty');
  for (let start = 0; start < 22; start += 1) {
    await world.stop();
    await world.secrets.remove('agent-key practice');
    await world.begin();
  }
  expect(world.companion().state(null).connection).toBe('connected');
});
