import { afterEach, beforeEach, expect, test } from 'vitest';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const choice = { scope: 'draft', folders: ['/'], publishesPerDay: 2, moneyCentsPerDay: 500 } as const;
const getAssistants = () => world.companion().assistants;

test('the limits chosen for a pairing survive a restart', async () => {
  const asked = getAssistants().requestPairing('Garage helper');
  getAssistants().accept(asked.pairingId, { ...choice, folders: [...choice.folders] });
  await world.stop();
  await world.begin();
  expect(getAssistants().poll(asked.pairingId, asked.pairingSecret).token).toMatch(/^lct_/);
  expect(getAssistants().list().assistants).toMatchObject([
    { name: 'Garage helper', scope: 'draft', folders: ['/'], budget: { publishesPerDay: 2, moneyCentsPerDay: 500 } },
  ]);
});

test('a pairing cannot be accepted with a relative folder path', () => {
  const asked = getAssistants().requestPairing('Garage helper');
  expect(() => getAssistants().accept(asked.pairingId, { ...choice, folders: ['photos'] })).toThrow();
  expect(getAssistants().poll(asked.pairingId, asked.pairingSecret)).toEqual({ state: 'waiting' });
});
