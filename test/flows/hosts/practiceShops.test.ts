import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startStaleShopRemoval } from '../../../src/host/practice/embedPractice.ts';
import { createPracticePersonProvider } from '../../../src/host/practice/practicePeople.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld({
    person: null,
    practicePerson: (practice) => createPracticePersonProvider(practice, async () => 'Helper'),
  });
});
afterEach(() => world.close());

const getEmail = () => world.companion().state(null).person?.email;
const waitForListings = () =>
  world.until(() => world.companion().listings.counts().sync.doneAt !== null, 'the listings');
const countListings = async (): Promise<number> => {
  await waitForListings();
  return world.companion().listings.counts().all;
};
const readPlan = async (): Promise<unknown> => {
  const outcome = await world.perform('readStanding', {});
  return outcome.state === 'done' ? (outcome.answer as { plan: { name: string } }).plan.name : null;
};

test('each kind of practice shop is kept when the person switches to another shop', async () => {
  const { connect, changeSettings } = world.companion();
  await connect.practice('stocked');
  const first = getEmail();
  expect(await countListings()).toBe(60);
  changeSettings({ templateId: 'tpl_of_the_first' });
  await connect.practice('empty');
  expect(await countListings()).toBe(0);
  expect(world.companion().state(null).settings.templateId).toBeNull();
  const empty = getEmail();

  await connect.practice('stocked');
  expect(getEmail()).toBe(first);
  await connect.practice('stocked', true);
  const second = getEmail();
  expect(second).not.toBe(first);
  expect(await countListings()).toBe(60);
  await connect.forget();
  await connect.practice('stocked');
  expect(getEmail()).toBe(second);
  await connect.practice('empty');
  expect(getEmail()).toBe(empty);
});

test('after a start without the stored key, the same practice account is connected with its current plan', async () => {
  const { connect } = world.companion();
  await connect.practice('stocked');
  await connect.practice('stocked', true);
  const email = getEmail() ?? '';
  await world.practice.control('POST', '/people', { email, plan: 'Pro' });
  await world.stop();
  await world.secrets.remove('agent-key practice');
  await world.begin();
  expect(world.companion().state(null).connection).toBe('connected');
  expect(getEmail()).toBe(email);
  expect(await readPlan()).toBe('Pro');
});

test('without a persistent keychain, every start reconnects the person to the practice shop', async () => {
  await world.companion().connect.practice('empty');
  for (let start = 0; start < 22; start += 1) {
    await world.stop();
    await world.secrets.remove('agent-key practice');
    await world.begin();
  }
  expect(world.companion().state(null).connection).toBe('connected');
});

describe('a start without the practice key before the window is drawn', () => {
  let made: number;
  let drawn: PromiseWithResolvers<void>;
  let fails: boolean;
  let own: World;
  const getConnection = () => own.companion().state(null).connection;
  beforeEach(async () => {
    [made, fails, drawn] = [0, false, Promise.withResolvers<void>()];
    const options: Parameters<typeof startWorld>[0] = {
      person: null,
      practicePerson: (practice) => {
        const person = createPracticePersonProvider(practice, async () => 'Helper');
        return async (wish) => {
          made += 1;
          if (fails) throw new Error('damaged');
          return person(wish);
        };
      },
    };
    own = await startWorld(options);
    await own.companion().connect.practice('empty');
    await own.stop();
    await own.secrets.remove('agent-key practice');
    Object.assign(options, { calm: drawn.promise });
    made = 0;
    await own.begin();
  });
  afterEach(() => own.close());

  test('after the window is drawn, requests are sent with a renewed practice key', async () => {
    expect(getConnection()).toBe('connected');
    const asked = Promise.all([own.perform('readStanding', {}), own.perform('readAccount', {})]);
    await setImmediate();
    expect(made).toBe(0);
    drawn.resolve();
    expect(await asked).toMatchObject([{ state: 'done' }, { state: 'done' }]);
    expect(made).toBe(1);
  });

  test('the practice key is renewed once the window is drawn', async () => {
    drawn.resolve();
    await own.until(() => made === 1 && own.companion().listings.counts().sync.doneAt !== null, 'the listings');
    expect(getConnection()).toBe('connected');
  });

  test('the person is asked to reconnect if the practice key cannot be renewed', async () => {
    fails = true;
    const seen: string[] = [];
    own.companion().onChanged((topic) => topic === 'app' && seen.push(getConnection()));
    drawn.resolve();
    await own.until(() => seen.includes('reconnect'), 'the state');
    expect(own.logs.join()).toContain('the practice key could not be renewed');
  });

  test('another practice shop that is connected before the window is drawn stays connected', async () => {
    const asked = own.perform('readStanding', {});
    await own.companion().connect.practice('stocked');
    drawn.resolve();
    // A request for the previous shop is not answered with data of the new shop.
    await expect(asked).rejects.toThrow();
    expect(own.companion().state(null).person?.email).toBe('shopkeeper@practice.example');
    await own.until(() => own.companion().listings.counts().sync.doneAt !== null, 'the listings');
    expect(own.companion().listings.counts().all).toBe(60);
  });
});

describe('an outdated practice shop', () => {
  let stop: () => Promise<void>;
  const startRemoval = (): void => {
    stop = startStaleShopRemoval({
      companion: world.companion(),
      practice: world.practice,
      log: (_level, message) => world.logs.push(message),
    });
  };
  const listPhotos = () => readdir(join(world.practice.dataDir, 'photos'));
  const waitForRemoval = (email: string | null | undefined) =>
    waitUntil(() => !world.practice.addresses().includes(email ?? ''), 'the shop to go');

  test('an outdated practice shop is removed with its photos once another shop is connected', async () => {
    startRemoval();
    await world.companion().connect.practice('stocked');
    const [first, files] = [getEmail(), await listPhotos()];
    await world.companion().connect.practice('empty');
    const empty = getEmail();
    await world.companion().connect.practice('stocked', true);
    await waitForRemoval(first);
    await waitUntil(async () => (await listPhotos()).every((file) => !files.includes(file)), 'its photos to go');
    expect(world.practice.addresses()).toEqual([empty, getEmail()]);
    expect(await countListings()).toBe(60);
    await world.companion().connect.practice('stocked', true);
    expect(getEmail()).toBe('shopkeeper-3@practice.example');
    await stop();
  });

  test('a connected practice shop is not removed', async () => {
    await world.companion().connect.practice('stocked');
    const first = getEmail() ?? '';
    // As if the companion had ended between creating and connecting the newer shop.
    await world.practice.person({ email: 'shopkeeper-2@practice.example' });
    await world.practice.person({ email: 'shopkeeper-x@practice.example' });
    startRemoval();
    await stop();
    expect(world.practice.addresses()).toContain(first);
    expect(await countListings()).toBe(60);
    await world.companion().connect.practice('stocked');
    startRemoval();
    await stop();
    expect(world.practice.addresses()).toEqual(['shopkeeper-2@practice.example', 'shopkeeper-x@practice.example']);
  });

  test('an outdated practice shop is removed at the next start', async () => {
    await world.companion().connect.practice('stocked');
    const first = getEmail() ?? '';
    await world.companion().connect.practice('stocked', true);
    expect(world.practice.addresses()).toContain(first);
    await world.stop();
    await world.begin();
    startRemoval();
    await waitForRemoval(first);
    await stop();
  });

  test('a practice shop is not removed while one of its listings is being generated', async () => {
    const email = 'you@practice.example';
    const { agentKey } = await world.practice.person({ email, plan: 'Starter' });
    const listingId = await world.practice.draft(agentKey);
    await world.practice.control('POST', '/writer', { delayMs: 600_000 });
    await world.practice.call(agentKey, 'POST', `/listings/${listingId}/generate`, {});
    expect(await world.practice.remove(email)).toBe(false);
    expect(world.practice.addresses()).toEqual([email]);
  });
});
