import { expect, test } from 'vitest';
import { requireRouteInput, type Standing } from '../../../../src/contract/index.ts';
import { createWritingStanding } from '../../../../src/core/items/writingStanding.ts';
import { createAllowanceTracker } from '../../../../src/core/service/allowance.ts';
import type { ServiceClient } from '../../../../src/core/service/serviceClient.ts';
import { testClock } from '../../../helpers/testClock.ts';

const standing = (remaining: number, more: Partial<Standing['allowance']> = {}): Standing => ({
  allowance: { remaining, creditBalance: 0, ...more },
});
const never = new AbortController().signal;

/** A service that answers what is left as it is told, and takes every writing. */
const startService = (answer: Standing) => {
  const clock = testClock();
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
  const read = async () => (await allowance.client.send('readStanding', requireRouteInput('readStanding', {}))).answer;
  const send = (route: 'approveExtras' | 'generateListing', body: object): Promise<unknown> =>
    route === 'approveExtras'
      ? allowance.client.send(route, requireRouteInput(route, { body }))
      : allowance.client.send(route, requireRouteInput(route, { params: { listingId: 'one' }, body }));
  return { clock, state, allowance, read, send, judge: createWritingStanding(allowance, read) };
};

/** For how many of so many writings the service was asked what is left; each time it answers the same. */
const readsFor = async (writings: number, answer: Standing): Promise<number> => {
  const { judge, send, state } = startService(answer);
  for (let at = 0; at < writings; at += 1) {
    await judge(never);
    await send('generateListing', {});
  }
  return state.reads;
};

test('one reading tells enough for many writings, but for those that may be the last ones', async () => {
  expect(await readsFor(100, standing(200))).toBe(1);
  // Five may be written elsewhere meanwhile: of twelve that are left, seven are judged by that reading.
  expect(await readsFor(7, standing(12))).toBe(1);
  expect(await readsFor(8, standing(12))).toBe(2);
  expect(await readsFor(7, standing(2, { creditBalance: 10 }))).toBe(1);
});

test('each writing is read for where little is left, or where it could be charged to an extra', async () => {
  expect(await readsFor(4, standing(5))).toBe(4);
  expect(await readsFor(4, standing(0))).toBe(4);
  expect(await readsFor(4, standing(200, { extras: { approval: { remaining: 3 } } }))).toBe(4);
});

test('a reading tells nothing after a minute, of another account, or once extras are being set aside', async () => {
  const { allowance, clock, read, send, state } = startService(standing(200));
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

test('a reading that was overtaken tells nothing: by another account, or by extras that were set aside', async () => {
  const { allowance, read, send, state } = startService(standing(200));
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

test('a reading tells nothing where extras were set aside and answered while it was under way', async () => {
  const { allowance, read, send, state } = startService(standing(200));
  const held = Promise.withResolvers<void>();
  state.held = held.promise;
  const reading = read();
  state.held = Promise.resolve();
  await send('approveExtras', { count: 1, rateCents: 60 });
  held.resolve();
  await reading;
  expect([allowance.recent(), allowance.readCoverage()]).toEqual([null, 'unread']);
});

test('of two readings that were under way together, the one that began later counts', async () => {
  const { allowance, read, state } = startService(standing(9));
  const held = Promise.withResolvers<void>();
  state.held = held.promise;
  const earlier = read();
  state.held = Promise.resolve();
  state.standing = standing(3);
  await read();
  held.resolve();
  expect(await earlier).toEqual(standing(9));
  expect([allowance.recent(), allowance.surplus()]).toEqual([standing(3), 3]);
  state.standing = standing(2);
  await read();
  expect(allowance.surplus()).toBe(2);
});

test('where extras are set aside, a reading covers one writing, and none where as many are under way as are left', async () => {
  const { allowance, read, send, state } = startService(standing(1, { extras: { approval: { remaining: 3 } } }));
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
