import { afterEach, beforeEach, expect, test } from 'vitest';
import { openProofWindow, type ProofWindow } from '../../helpers/presence/openProofWindow.ts';
import { ceremonyOrigin, type SoftwareAuthenticator } from '../../helpers/presence/softwareAuthenticator.ts';
import type { World } from '../../helpers/world.ts';
import { startProvenWorld } from '../../helpers/presence/startProvenWorld.ts';

let world: World;
let window: ProofWindow;
let authenticator: SoftwareAuthenticator;
beforeEach(async () => {
  ({ world, window, authenticator } = await startProvenWorld());
});
afterEach(() => world.close());

const begin = async (from = window): Promise<string> =>
  (await from.call('proofs.begin', { call: 'app.pause', input: { paused: false } })).token;
const readStates = (tokens: readonly string[]): string[] =>
  tokens.map((token) => window.presence.readCeremony(token).state);

test('a window has five open ceremonies, and a sixth cancels the oldest', async () => {
  const mine = await begin(openProofWindow(world));
  const tokens: string[] = [];
  for (let at = 0; at < 20; at += 1) tokens.push(await begin());
  const states = readStates(tokens);
  expect(states.slice(0, 15).every((state) => state === 'cancelled')).toBe(true);
  expect(states.slice(15)).toEqual(['begun', 'begun', 'begun', 'begun', 'begun']);
  expect(readStates([mine])).toEqual(['begun']);
  const opened = window.presence.openCeremony(tokens[0] ?? '', { origin: ceremonyOrigin });
  await expect(opened).rejects.toMatchObject({ code: 'CEREMONY_OVER' });
});

test('a window that begins ceremonies without end does not end the ceremony of another window', async () => {
  const mine = openProofWindow(world);
  const { token, challenge } = await mine.openPage('app.pause', { paused: false });
  for (let at = 0; at < 150; at += 1) await begin();
  const proofId = await window.presence.confirmWithPasskey(token, authenticator.get({ challenge }));
  expect(await mine.call('proofs.result', { token })).toEqual({ state: 'done', proofId });
  expect(await mine.call('app.pause', { paused: false }, proofId)).toMatchObject({ paused: false });
});

test('an ended or expired ceremony does not count towards the limit', async () => {
  const old = await begin();
  world.clock.advance(60_000);
  const done = await window.prove(authenticator, 'app.pause', { paused: false });
  const tokens: string[] = [];
  for (let at = 0; at < 5; at += 1) tokens.push(await begin());
  expect(readStates(tokens)).toEqual(['begun', 'begun', 'begun', 'begun', 'begun']);
  expect(readStates([old])).toEqual(['expired']);
  await window.call('app.pause', { paused: false }, done);
});
