import { afterEach, beforeEach, expect, test } from 'vitest';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const choice = { scope: 'draft', folders: ['/'], publishesPerDay: 2, moneyCentsPerDay: 500 } as const;
const assistants = () => world.companion().assistants;

test('the limits chosen for a pairing survive a restart', async () => {
  const asked = assistants().requestPairing('Garage helper');
  assistants().accept(asked.pairingId, { ...choice, folders: [...choice.folders] });
  await world.stop();
  await world.begin();
  expect(assistants().poll(asked.pairingId, asked.pairingSecret).token).toMatch(/^lct_/);
  expect(assistants().list().assistants).toMatchObject([
    { name: 'Garage helper', scope: 'draft', folders: ['/'], budget: { publishesPerDay: 2, moneyCentsPerDay: 500 } },
  ]);
});

test('a pairing cannot be accepted with a relative folder path', () => {
  const asked = assistants().requestPairing('Garage helper');
  expect(() => assistants().accept(asked.pairingId, { ...choice, folders: ['photos'] })).toThrow();
  expect(assistants().poll(asked.pairingId, asked.pairingSecret)).toEqual({ state: 'waiting' });
});
