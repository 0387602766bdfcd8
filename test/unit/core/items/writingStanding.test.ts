import { expect, test } from 'vitest';
import { parseTrustedInput, type Standing } from '../../../../src/contract/index.ts';
import { createAllowanceTracker, createGenerationStandingReader } from '../../../../src/core/service/allowance.ts';
import type { ServiceClient } from '../../../../src/core/service/serviceClient.ts';
import { createTestClock } from '../../../helpers/testClock.ts';

const createStanding = (remaining: number, more: Partial<Standing['allowance']> = {}): Standing => ({
  allowance: { remaining, creditBalance: 0, ...more },
});
const never = new AbortController().signal;

/** Starts a service that reports `answer` as the standing and accepts every generation. */
const startService = (answer: Standing) => {
  const clock = createTestClock();
  const state = { reads: 0, account: 'one', held: Promise.resolve(), standing: answer };
  const client = {
    send: async (route: string, _input: unknown, options?: { beforeSend?: () => void }) => {
      options?.beforeSend?.();
      if (route === 'readStanding') state.reads += 1;
      const now = state.standing;
      await state.held;
      return { status: 200, headers: {}, answer: route === 'readStanding' ? now : {} };
    },
  } as ServiceClient;
  const allowance = createAllowanceTracker(client, clock, () => state.account);
  const read = async () => (await allowance.client.send('readStanding', parseTrustedInput('readStanding', {}))).answer;
  const send = (route: 'approveExtras' | 'generateListing', body: object): Promise<unknown> =>
    route === 'approveExtras'
      ? allowance.client.send(route, parseTrustedInput(route, { body }))
      : allowance.client.send(route, parseTrustedInput(route, { params: { listingId: 'one' }, body }));
  return { clock, state, allowance, read, send, judge: createGenerationStandingReader(allowance, read) };
};

/** Returns how often the standing was read for this number of generations; every read returns `answer`. */
const readsFor = async (writings: number, answer: Standing): Promise<number> => {
  const { judge, send, state } = startService(answer);
  for (let at = 0; at < writings; at += 1) {
    await judge(never);
    await send('generateListing', {});
  }
  return state.reads;
};

test('one read of the allowance is enough for many generations', async () => {
  expect(await readsFor(100, createStanding(200))).toBe(1);
  // Another device could use five listings in this time, so one read with twelve left covers seven.
  expect(await readsFor(7, createStanding(12))).toBe(1);
  expect(await readsFor(8, createStanding(12))).toBe(2);
  expect(await readsFor(7, createStanding(2, { creditBalance: 10 }))).toBe(1);
});

test('every generation reads the allowance if little is left or extras could be charged', async () => {
  expect(await readsFor(4, createStanding(5))).toBe(4);
  expect(await readsFor(4, createStanding(0))).toBe(4);
  expect(await readsFor(4, createStanding(200, { extras: { approval: { remaining: 3 } } }))).toBe(4);
});

test('a known allowance becomes invalid after a minute, an account change or an extras approval', async () => {
  const { allowance, clock, read, send, state } = startService(createStanding(200));
  const isKnown = (): boolean => allowance.recent() !== null;
  expect(isKnown()).toBe(false);
  await read();
  expect(isKnown()).toBe(true);
  state.account = 'another';
  expect(isKnown()).toBe(false);
  state.account = 'one';
  clock.advance(60_000);
  expect(isKnown()).toBe(false);
  await read();
  const setting = send('approveExtras', { count: 1, rateCents: 60 });
  expect(isKnown()).toBe(false);
  expect(allowance.readCoverage()).toBe('used');
  await setting;
  expect(isKnown()).toBe(false);
  expect(allowance.readCoverage()).toBe('unread');
});

test('an account change or a starting extras approval invalidates an allowance response in flight', async () => {
  const { allowance, read, send, state } = startService(createStanding(200));
  const overtaken = read();
  state.account = 'another';
  await overtaken;
  expect(allowance.recent()).toBeNull();
  const held = Promise.withResolvers<void>();
  state.held = held.promise;
  const reading = read();
  const setting = send('approveExtras', { count: 1, rateCents: 60 });
  held.resolve();
  await Promise.all([reading, setting]);
  expect(allowance.recent()).toBeNull();
});

test('an allowance response is discarded if extras were approved during the request', async () => {
  const { allowance, read, send, state } = startService(createStanding(200));
  const held = Promise.withResolvers<void>();
  state.held = held.promise;
  const reading = read();
  state.held = Promise.resolve();
  await send('approveExtras', { count: 1, rateCents: 60 });
  held.resolve();
  await reading;
  expect([allowance.recent(), allowance.readCoverage()]).toEqual([null, 'unread']);
});

test('of two overlapping allowance requests, the later request determines the allowance', async () => {
  const { allowance, read, state } = startService(createStanding(9));
  const held = Promise.withResolvers<void>();
  state.held = held.promise;
  const earlier = read();
  state.held = Promise.resolve();
  state.standing = createStanding(3);
  await read();
  held.resolve();
  expect(await earlier).toEqual(createStanding(9));
  expect([allowance.recent(), allowance.surplus()]).toEqual([createStanding(3), 3]);
  state.standing = createStanding(2);
  await read();
  expect(allowance.surplus()).toBe(2);
});

test('with approved extras, one read of the allowance is enough for only one generation', async () => {
  const { allowance, read, send, state } = startService(createStanding(1, { extras: { approval: { remaining: 3 } } }));
  await read();
  expect(allowance.readCoverage()).toBe('covered');
  const held = Promise.withResolvers<void>();
  state.held = held.promise;
  const writing = send('generateListing', {});
  expect(allowance.readCoverage()).toBe('unread');
  state.held = Promise.resolve();
  await read();
  expect(allowance.readCoverage()).toBe('used');
  held.resolve();
  await writing;
  await read();
  expect(allowance.readCoverage()).toBe('covered');
});
