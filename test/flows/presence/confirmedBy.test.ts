import { afterEach, beforeEach, expect, test } from 'vitest';
import { openProofWindow, type ProofWindow } from '../../helpers/presence/openProofWindow.ts';
import { createSoftwareAuthenticator } from '../../helpers/presence/softwareAuthenticator.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let window: ProofWindow;
beforeEach(async () => {
  world = await startWorld();
  window = openProofWindow(world);
  window.noteSignIn();
});
afterEach(() => world.close());

const askShown = async () => {
  const { approvalId, digest } = await world.asked();
  const yes = { approvalId, digest };
  window.show([yes]);
  return yes;
};

test('an approval says that its yes was a press of the button', async () => {
  const yes = await askShown();
  expect(await window.call('approvals.get', { approvalId: yes.approvalId })).toMatchObject({ confirmedBy: null });
  expect(await window.call('approvals.approve', yes)).toMatchObject({ state: 'done', confirmedBy: 'press' });
});

test('an approval says that its yes was confirmed with a passkey', async () => {
  const authenticator = createSoftwareAuthenticator();
  await window.addPasskey(authenticator);
  const yes = await askShown();
  const proofId = await window.prove(authenticator, 'approvals.approve', yes);
  expect(await window.call('approvals.approve', yes, proofId)).toMatchObject({ state: 'done', confirmedBy: 'passkey' });
});

test('an approval says that its yes was confirmed with a PIN', async () => {
  await window.addPin('482913');
  const yes = await askShown();
  const proofId = await window.proveWithPin('482913', 'approvals.approve', yes);
  expect(await window.call('approvals.approve', yes, proofId)).toMatchObject({ state: 'done', confirmedBy: 'pin' });
});
