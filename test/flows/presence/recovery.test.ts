import { afterEach, beforeEach, expect, test } from 'vitest';
import { listLedgerRows } from '../../helpers/presence/listLedgerRows.ts';
import type { ProofWindow } from '../../helpers/presence/openProofWindow.ts';
import type { SoftwareAuthenticator } from '../../helpers/presence/softwareAuthenticator.ts';
import type { World } from '../../helpers/world.ts';
import { startProvenWorld } from '../../helpers/presence/startProvenWorld.ts';

let world: World;
let window: ProofWindow;
let authenticator: SoftwareAuthenticator;
beforeEach(async () => {
  ({ world, window, authenticator } = await startProvenWorld());
});
afterEach(() => world.close());

const hourMs = 3_600_000;
const noteSignIn = () => window.noteSignIn();
const countNotices = (title: string): number =>
  world.protectionNotices.filter((notice) => notice.title === title).length;

test('a recovery needs its own sign-in, not the one used for the set-up', async () => {
  await expect(window.call('proofs.startRecovery', {})).rejects.toMatchObject({ code: 'SIGN_IN_NEEDED' });
  expect(await listLedgerRows(world, 'proof.recovery_refused')).toHaveLength(1);
  expect(window.presence.readState().recoveryLeftMs).toBeNull();
});

test('a recovery pauses all assistants at once and removes the proofs after 24 hours', async () => {
  const { assistants } = world.companion();
  const { pairingId, pairingSecret } = assistants.requestPairing('Garage helper');
  assistants.accept(pairingId);
  assistants.poll(pairingId, pairingSecret);
  noteSignIn();
  expect(await window.call('proofs.startRecovery', {})).toMatchObject({ recoveryLeftMs: 24 * hourMs });
  expect(assistants.list().assistants).toMatchObject([{ paused: true }]);
  expect(countNotices('Your passkeys and PIN will be removed in 24 hours')).toBe(1);
  const { assistantId = '' } = assistants.list().assistants[0] ?? {};
  const resumed = window.call('assistants.change', { assistantId, paused: false });
  await expect(resumed).rejects.toMatchObject({ code: 'PROOF_NEEDED' });
  world.clock.advance(24 * hourMs - 1);
  expect(window.presence.readState()).toMatchObject({ isSetUp: true, recoveryLeftMs: 1 });
  world.clock.advance(1);
  await world.until(() => !window.presence.readState().isSetUp);
  expect(window.presence.readState()).toMatchObject({ passkeys: [], recoveryLeftMs: null });
  expect(countNotices('Your passkeys and PIN were removed')).toBe(1);
  expect(assistants.list().assistants).toMatchObject([{ paused: true }]);
  await window.call('assistants.change', { assistantId, paused: false });
});

test('the person cancels a recovery that an attacker started', async () => {
  noteSignIn();
  await window.call('proofs.startRecovery', {});
  world.clock.advance(23 * hourMs);
  expect(await window.call('proofs.cancelRecovery', {})).toMatchObject({ recoveryLeftMs: null });
  world.clock.advance(48 * hourMs);
  await world.stop();
  await world.begin();
  expect(world.companion().presence.readState()).toMatchObject({ isSetUp: true, recoveryLeftMs: null });
  expect(countNotices('Your passkeys and PIN stay as they are')).toBe(1);
  expect(await listLedgerRows(world, 'proof.recovery_cancelled')).toHaveLength(1);
});

test('an existing proof stops a recovery', async () => {
  noteSignIn();
  await window.call('proofs.startRecovery', {});
  await window.prove(authenticator, 'app.pause', { paused: false });
  expect(window.presence.readState().recoveryLeftMs).toBeNull();
});

test('a recovery continues after restarts, and each start says so', async () => {
  noteSignIn();
  await window.call('proofs.startRecovery', {});
  world.clock.advance(10 * hourMs);
  await world.stop();
  await world.begin();
  const { presence } = world.companion();
  expect(presence.readState()).toMatchObject({ isSetUp: true, recoveryLeftMs: 14 * hourMs });
  expect(countNotices('Your passkeys and PIN will be removed soon')).toBe(1);
  world.clock.advance(14 * hourMs);
  await world.until(() => !world.companion().presence.readState().isSetUp);
});

test('a clock that is set ahead while the companion is closed does not shorten a recovery', async () => {
  noteSignIn();
  await window.call('proofs.startRecovery', {});
  world.clock.advance(hourMs);
  await world.stop();
  world.clock.jumpWall(25 * hourMs);
  await world.begin();
  expect(world.companion().presence.readState()).toMatchObject({ isSetUp: true, recoveryLeftMs: 23 * hourMs });
});

test.each([24 * hourMs, -24 * hourMs])(
  'a clock change of %i ms does not move the end of a recovery',
  async (jumpMs) => {
    noteSignIn();
    await window.call('proofs.startRecovery', {});
    world.clock.jumpWall(jumpMs);
    expect(window.presence.readState()).toMatchObject({ isSetUp: true, recoveryLeftMs: 24 * hourMs });
  },
);

test('nothing can be recovered if no proof is set up', async () => {
  const removal = { kind: 'passkey', credentialId: authenticator.id } as const;
  await window.call('proofs.remove', removal, await window.prove(authenticator, 'proofs.remove', removal));
  noteSignIn();
  await expect(window.call('proofs.startRecovery', {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
