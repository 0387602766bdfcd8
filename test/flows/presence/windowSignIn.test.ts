import { afterEach, beforeEach, expect, test } from 'vitest';
import { listLedgerRows } from '../../helpers/presence/listLedgerRows.ts';
import { openProofWindow, type ProofWindow } from '../../helpers/presence/openProofWindow.ts';
import type { SoftwareAuthenticator } from '../../helpers/presence/softwareAuthenticator.ts';
import { readNewestCode } from '../../helpers/practice/readNewestCode.ts';
import type { World } from '../../helpers/world.ts';
import { startWorldWithWindow } from '../../helpers/presence/startProvenWorld.ts';

let world: World;
let window: ProofWindow;
let authenticator: SoftwareAuthenticator;
beforeEach(async () => {
  ({ world, window, authenticator } = await startWorldWithWindow());
});
afterEach(() => world.close());

const hourMs = 3_600_000;
const signInNeeded = { code: 'SIGN_IN_NEEDED' };
const needed = { code: 'PROOF_NEEDED' };
const passkey = { kind: 'passkey', label: 'Key of a program' } as const;
const readEmail = (): string => world.companion().state(null).person?.email ?? '';

/** Requests a code for an account and reads it from the e-mail. */
const requestCode = async (email: string, name?: string) => {
  const { challengeId } = await world.companion().connect.start(email, name);
  return { challengeId, email, code: await readNewestCode(world.practice) };
};
const signIn = async (): Promise<void> => {
  const { challengeId } = await window.call('proofs.startSignIn', {});
  await window.call('proofs.signIn', { challengeId, code: await readNewestCode(world.practice) });
};
/** Revokes the key at the service, as the person does in the web settings, and lets the companion notice it. */
const revokeKey = async (): Promise<void> => {
  await world.practice.call((await world.secrets.get('agent-key practice')) ?? '', 'DELETE', '/agent/keys/current');
  const read = world.perform('listKeys', {});
  let isSettled = false;
  void read.catch(() => undefined).finally(() => (isSettled = true));
  await world.until(() => isSettled, 'the answer');
  expect(world.companion().state(null).connection).toBe('reconnect');
};

test('a sign-in sets up a proof only in the window that made it', async () => {
  await signIn();
  const other = openProofWindow(world);
  expect(await other.call('proofs.state', {})).toMatchObject({ isSignInFresh: false });
  await expect(other.call('proofs.register', passkey)).rejects.toMatchObject(signInNeeded);
  await expect(other.call('proofs.begin', { call: 'proofs.register', input: passkey })).rejects.toMatchObject(
    signInNeeded,
  );
  expect((await listLedgerRows(world, 'proof.set_up_refused')).map(({ facts }) => facts['count'] ?? 1)).toEqual([2, 1]);
  expect(await window.call('proofs.state', {})).toMatchObject({ isSignInFresh: true });
  await window.addPasskey(authenticator);
  expect(window.presence.readState().passkeys).toMatchObject([{ credentialId: authenticator.id }]);
});

test('a window gets one code a minute, and each request for one leaves a row', async () => {
  const start = () => window.call('proofs.startSignIn', {});
  await start();
  await expect(start()).rejects.toMatchObject({ code: 'CODE_JUST_SENT', retryAfterS: 60 });
  world.clock.advance(59_000);
  await expect(start()).rejects.toMatchObject({ code: 'CODE_JUST_SENT', retryAfterS: 1 });
  world.clock.advance(1_000);
  await start();
  expect(await listLedgerRows(world, 'proof.sign_in_started')).toHaveLength(2);
});

test('wrong codes leave rows, which they share within a minute', async () => {
  const { challengeId } = await window.call('proofs.startSignIn', {});
  for (let attempt = 0; attempt < 3; attempt += 1)
    await expect(window.call('proofs.signIn', { challengeId, code: 'WRONG0' })).rejects.toThrow();
  const rows = await listLedgerRows(world, 'proof.sign_in_refused');
  expect(rows.at(-1)?.facts).toMatchObject({ code: 'INVALID_CODE' });
  expect(rows.length).toBeLessThan(3);
});

test('a recovery starts only in the window that made the sign-in', async () => {
  window.noteSignIn();
  await window.addPasskey(authenticator);
  await signIn();
  const other = openProofWindow(world);
  await expect(other.call('proofs.startRecovery', {})).rejects.toMatchObject(signInNeeded);
  expect(await listLedgerRows(world, 'proof.recovery_refused')).toHaveLength(1);
  expect(await window.call('proofs.startRecovery', {})).toMatchObject({ recoveryLeftMs: 24 * hourMs });
});

test('a reloaded window needs another sign-in', async () => {
  await signIn();
  window.reload();
  await expect(window.call('proofs.register', passkey)).rejects.toMatchObject(signInNeeded);
});

test('a person with a lost proof and a revoked key connects again by code and recovers', async () => {
  window.noteSignIn();
  await window.addPasskey(authenticator);
  await revokeKey();
  const other = openProofWindow(world);
  await window.call('connect.verify', await requestCode(readEmail()));
  expect(world.companion().state(null).connection).toBe('connected');
  await expect(other.call('proofs.startRecovery', {})).rejects.toMatchObject(signInNeeded);
  await window.call('proofs.startRecovery', {});
  world.clock.advance(24 * hourMs);
  await world.until(() => !window.presence.readState().isSetUp);
  expect(window.presence.readState()).toMatchObject({ passkeys: [], recoveryLeftMs: null });
});

test('after the account was disconnected, its person connects again by code without a proof', async () => {
  window.noteSignIn();
  await window.addPasskey(authenticator);
  const email = readEmail();
  await window.call('connect.forget', {}, await window.prove(authenticator, 'connect.forget', {}));
  await expect(
    window.call('connect.verify', await requestCode('another@practice.example', 'Another')),
  ).rejects.toMatchObject(needed);
  await window.call('connect.verify', await requestCode(email.toUpperCase()));
  expect(readEmail().toLowerCase()).toBe(email.toLowerCase());
  await window.call('proofs.startRecovery', {});
  expect(window.presence.readState().recoveryLeftMs).toBe(24 * hourMs);
});

test('another account, and the same account while its key works, need a proof to connect', async () => {
  window.noteSignIn();
  await window.addPasskey(authenticator);
  await expect(window.call('connect.verify', await requestCode(readEmail()))).rejects.toMatchObject(needed);
  await revokeKey();
  const code = await requestCode('another@practice.example', 'Another');
  await expect(window.call('connect.verify', code)).rejects.toMatchObject(needed);
  await window.call('connect.verify', code, await window.prove(authenticator, 'connect.verify', code));
  expect(readEmail()).toBe('another@practice.example');
  await expect(window.call('proofs.startRecovery', {})).rejects.toMatchObject(signInNeeded);
});

test('if no proof is set up, connecting by code does not allow a set-up', async () => {
  await revokeKey();
  await window.call('connect.verify', await requestCode(readEmail()));
  await expect(window.call('proofs.register', passkey)).rejects.toMatchObject(signInNeeded);
});
