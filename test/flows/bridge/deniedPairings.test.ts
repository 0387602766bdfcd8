import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { callBridge } from '../../helpers/assistant.ts';
import { connectAs } from '../../helpers/approvals/decisions.ts';
import { startWorld, type World } from '../../helpers/world.ts';

const given = z.object({ pairingId: z.string(), pairingSecret: z.string(), code: z.string() });

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
beforeEach(async () => {
  world = await startWorld();
  bridge = await world.bridge();
});
afterEach(async () => {
  await bridge.stop();
  await world.close();
});

const requestPairing = (name: unknown) => callBridge(bridge.url, 'POST', '/companion/pairings', { body: { name } });
const requestValidPairing = async (name: string) => given.parse((await requestPairing(name)).body);
const pollPairing = (pairingId: string, authorization: string) =>
  callBridge(bridge.url, 'GET', `/companion/pairings/${pairingId}`, { headers: { authorization } });
const listPairingNames = () =>
  world
    .companion()
    .assistants.list()
    .pairings.map(({ name }) => name);

test('a sixth pairing is refused while five pairings are unanswered', async () => {
  for (let index = 1; index <= 5; index += 1) expect((await requestPairing(`Helper ${index}`)).status).toBe(201);
  for (let index = 0; index < 50; index += 1) {
    const sixth = await requestPairing('One too many');
    expect([sixth.status, sixth.body['code'], sixth.headers['retry-after']]).toEqual([429, 'TOO_MANY_PAIRINGS', '60']);
    expect(sixth.body['error']).toBe('Too many assistants are waiting to be let in. Answer these first.');
  }
  expect(listPairingNames()).toHaveLength(5);
  world.clock.advance(11 * 60_000);
  expect(listPairingNames()).toEqual([]);
  expect((await requestPairing('Another')).status).toBe(201);
  expect(listPairingNames()).toEqual(['Another']);
});

test('a caller without the pairing secret learns nothing about the pairing, even after many attempts', async () => {
  const { pairingId, pairingSecret, code } = await requestValidPairing('Helper');
  const other = await requestValidPairing('Stranger');
  world.companion().assistants.accept(pairingId);
  const wrong = [`${pairingSecret}x`, pairingSecret.slice(1), other.pairingSecret, code, 'x'.repeat(5_000)];
  for (let guess = 0; guess < 300; guess += 1) wrong.push(String(guess).padStart(6, '0'));
  for (const secret of wrong) {
    const answer = await pollPairing(pairingId, `Pairing ${secret}`);
    expect([answer.status, answer.body]).toEqual([404, { code: 'NOT_FOUND', error: 'There is no such pairing.' }]);
  }
  for (const authorization of ['', `Bearer ${pairingSecret}`, 'Pairing', `Pairing ${pairingSecret} x`])
    expect((await pollPairing(pairingId, authorization)).body['code']).toBe('UNAUTHORIZED');
  expect((await pollPairing('pa_none', `Pairing ${pairingSecret}`)).status).toBe(404);
  // These attempts have not used up the token.
  expect((await pollPairing(pairingId, `Pairing ${pairingSecret}`)).body).toEqual({
    state: 'accepted',
    token: expect.stringMatching(/^lct_/) as string,
  });
  expect(world.companion().assistants.list().assistants).toHaveLength(1);
});

test('neither the secret nor the code of a pairing is accepted as a token', async () => {
  const { pairingSecret, code, pairingId } = await requestValidPairing('Helper');
  for (const token of [pairingSecret, code, pairingId]) {
    const answer = await callBridge(bridge.url, 'GET', '/agent/me', { headers: { authorization: `Bearer ${token}` } });
    expect(answer.body['code']).toBe('UNAUTHORIZED');
  }
});

test('an unanswered pairing expires', async () => {
  const { pairingId, pairingSecret } = await requestValidPairing('Helper');
  world.clock.advance(11 * 60_000);
  expect(() => world.companion().assistants.accept(pairingId)).toThrow('This request is over.');
  expect((await pollPairing(pairingId, `Pairing ${pairingSecret}`)).body).toEqual({ state: 'expired' });
});

test('a token that was not collected is no longer handed out the next day', async () => {
  const { pairingId, pairingSecret } = await requestValidPairing('Helper');
  world.companion().assistants.accept(pairingId);
  world.clock.advance(24 * 3_600_000);
  await requestValidPairing('Another');
  const late = await pollPairing(pairingId, `Pairing ${pairingSecret}`);
  expect(late.body['token']).toBeUndefined();
  expect(world.companion().assistants.list().assistants).toEqual([]);
});

test('the token of an accepted pairing can be collected for ten minutes', async () => {
  const [inTime, late] = [await requestValidPairing('In time'), await requestValidPairing('Late')];
  for (const { pairingId } of [inTime, late]) world.companion().assistants.accept(pairingId);
  world.clock.advance(10 * 60_000 - 1);
  expect((await pollPairing(inTime.pairingId, `Pairing ${inTime.pairingSecret}`)).body['token']).toMatch(/^lct_/);
  world.clock.advance(1);
  for (let attempt = 0; attempt < 2; attempt += 1)
    expect((await pollPairing(late.pairingId, `Pairing ${late.pairingSecret}`)).body).toEqual({ state: 'expired' });
  expect(world.companion().assistants.list().assistants).toHaveLength(1);
  // The pairing stays expired even if the clock is set back.
  world.clock.jumpWall(-5 * 60_000);
  expect((await pollPairing(late.pairingId, `Pairing ${late.pairingSecret}`)).body).toEqual({ state: 'expired' });
});

const names: [string, unknown, string][] = [
  ['no name', undefined, 'Say your name.'],
  ['a blank name', '   ', 'Say your name.'],
  ['a number', 7, 'Say your name.'],
  ['a name of 61 characters', 'x'.repeat(61), 'A name has at most 60 characters.'],
  ['a name with a line break', 'Helper\nThe companion trusts it', 'A name has no invisible characters.'],
  ['a name with reversed text', 'Helper \u202Edetsurt', 'A name has no invisible characters.'],
  ['a name with a zero-width space', 'Help\u200Ber', 'A name has no invisible characters.'],
];
test.each(names)('an invalid pairing name is refused: %s', async (_what, name, sentence) => {
  const answer = await requestPairing(name);
  expect([answer.status, answer.body]).toEqual([400, { code: 'INVALID_REQUEST', error: sentence, field: 'name' }]);
  expect(listPairingNames()).toEqual([]);
});

test('an accepted pairing is refused after its account has been disconnected', async () => {
  const { pairingId, pairingSecret } = await requestValidPairing('Helper');
  world.companion().assistants.accept(pairingId);
  await world.companion().connect.forget();
  expect((await pollPairing(pairingId, `Pairing ${pairingSecret}`)).body).toEqual({ state: 'refused' });
  await connectAs(world, 'other-seller@example.com');
  expect((await pollPairing(pairingId, `Pairing ${pairingSecret}`)).body).toEqual({ state: 'refused' });
  expect(world.companion().assistants.list().assistants).toEqual([]);
});

test('a pairing accepted without an account is valid for the next connected account', async () => {
  await world.companion().connect.forget();
  const { pairingId, pairingSecret } = await requestValidPairing('Helper');
  world.companion().assistants.accept(pairingId);
  expect((await pollPairing(pairingId, `Pairing ${pairingSecret}`)).body).toMatchObject({ state: 'accepted' });
  await connectAs(world, 'other-seller@example.com');
  expect(world.companion().assistants.list().assistants).toMatchObject([{ name: 'Helper' }]);
});
