import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { restoreRequestedBackup } from '../../../src/core/storage/restore.ts';
import { listLedgerRows } from '../../helpers/presence/listLedgerRows.ts';
import { openProofWindow, type ProofWindow } from '../../helpers/presence/openProofWindow.ts';
import {
  ceremonyOrigin,
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '../../helpers/presence/softwareAuthenticator.ts';
import type { World } from '../../helpers/world.ts';
import { startWorldWithWindow } from '../../helpers/presence/startProvenWorld.ts';

let world: World;
let window: ProofWindow;
let authenticator: SoftwareAuthenticator;
beforeEach(async () => {
  ({ world, window, authenticator } = await startWorldWithWindow());
});
afterEach(() => world.close());

const restart = async (): Promise<void> => {
  await world.stop();
  restoreRequestedBackup(world.dataDir, null, world.clock.now());
  await world.begin();
  window = openProofWindow(world);
};
const needed = { code: 'PROOF_NEEDED' };
const refused = { code: 'PROOF_REFUSED' };
const listRows = (kind: string) => listLedgerRows(world, kind);
const passkey = { kind: 'passkey', label: 'Another key' } as const;

const mails = z.array(z.object({ code: z.string() }));

/** Connects the same account again with the code from the e-mail. */
const signIn = async (): Promise<void> => {
  const { challengeId } = await window.call('proofs.startSignIn', {});
  const [mail] = mails.parse(await world.practice.control('GET', '/outbox'));
  await window.call('proofs.signIn', { challengeId, code: mail?.code ?? '' });
};
const noteSignIn = () => window.noteSignIn();

test('a passkey or PIN is not registered without a sign-in and without a proof', async () => {
  for (const kind of ['passkey', 'pin'] as const)
    await expect(window.call('proofs.register', { kind })).rejects.toMatchObject({ code: 'SIGN_IN_NEEDED' });
  expect(await listRows('proof.set_up_refused')).toHaveLength(2);
  noteSignIn();
  await window.addPasskey(authenticator);
  // A sign-in alone must not add another passkey, because then a recovery would need no 24 hours.
  noteSignIn();
  for (const kind of ['passkey', 'pin'] as const)
    await expect(window.call('proofs.register', { kind })).rejects.toMatchObject(needed);
  await expect(window.call('proofs.remove', { kind: 'passkey' })).rejects.toMatchObject(needed);
  expect(window.presence.readState().passkeys).toHaveLength(1);
});

test('a proof can be set up only after a sign-in for this purpose with the same account', async () => {
  const email = 'another@practice.example';
  const { connect } = world.companion();
  const { challengeId } = await connect.start(email, 'Other');
  const [mail] = mails.parse(await world.practice.control('GET', '/outbox'));
  noteSignIn();
  await connect.verify({ challengeId, email, code: mail?.code ?? '' });
  await expect(window.call('proofs.register', passkey)).rejects.toMatchObject({ code: 'SIGN_IN_NEEDED' });
  noteSignIn();
  await window.call('connect.forget', {});
  await expect(window.call('proofs.register', passkey)).rejects.toMatchObject({ code: 'SIGN_IN_NEEDED' });
});

test('for ten minutes after a sign-in, one proof can be set up', async () => {
  noteSignIn();
  world.clock.advance(10 * 60_000 + 1);
  await expect(window.addPasskey(authenticator)).rejects.toMatchObject({ code: 'SIGN_IN_NEEDED' });
  noteSignIn();
  const attacker = createSoftwareAuthenticator();
  const { token } = await window.call('proofs.register', passkey);
  const { registrationOptions } = await window.presence.openCeremony(token, { origin: ceremonyOrigin });
  await window.addPasskey(authenticator);
  const planted = attacker.create({ challenge: registrationOptions?.challenge ?? '' });
  await expect(window.presence.registerPasskey(token, planted)).rejects.toMatchObject({ code: 'CEREMONY_OVER' });
  expect(window.presence.readState()).toMatchObject({ passkeys: [{ credentialId: authenticator.id }] });
  expect(await listRows('proof.added')).toMatchObject([{ facts: { kind: 'passkey', credentialId: authenticator.id } }]);
  expect(world.protectionNotices.filter(({ title }) => title === 'A passkey was added')).toHaveLength(1);
});

test('a sign-in with a code from the e-mail connects the same account with a new key', async () => {
  const before = await world.secrets.get('agent-key practice');
  await signIn();
  const after = await world.secrets.get('agent-key practice');
  expect(after).not.toBe(before);
  expect(await window.call('proofs.state', {})).toMatchObject({ isSignInFresh: true });
  await window.addPasskey(authenticator);
  expect(await window.call('proofs.state', {})).toMatchObject({ isSetUp: true, isSignInFresh: false });
  const keys = await world.perform('listKeys', {});
  expect(keys).toMatchObject({ state: 'done', answer: { keys: [{}] } });
});

test.each([
  ['without user verification', { isUserVerified: false }],
  ['from another origin', { origin: 'http://localhost:9999' }],
  ['in a frame', { topOrigin: 'http://window.localhost:1' }],
])('a passkey that was created %s is refused', async (_what, options) => {
  noteSignIn();
  const { token } = await window.call('proofs.register', passkey);
  const { registrationOptions } = await window.presence.openCeremony(token, { origin: ceremonyOrigin });
  const made = authenticator.create({ challenge: registrationOptions?.challenge ?? '' }, options);
  await expect(window.presence.registerPasskey(token, made)).rejects.toMatchObject(refused);
  expect(window.presence.readState().isSetUp).toBe(false);
});

test('a second passkey confirms too, and a removed one no longer does', async () => {
  noteSignIn();
  await window.addPasskey(authenticator);
  const second = createSoftwareAuthenticator();
  const register = { kind: 'passkey', label: 'Key' } as const;
  await window.addPasskey(second, await window.prove(authenticator, 'proofs.register', register));
  const removal = { kind: 'passkey', credentialId: authenticator.id } as const;
  const { token, challenge } = await window.openPage('app.pause', { paused: false });
  const given = await window.prove(authenticator, 'app.pause', { paused: false });
  await window.call('proofs.remove', removal, await window.prove(second, 'proofs.remove', removal));
  const late = window.presence.confirmWithPasskey(token, authenticator.get({ challenge }));
  await expect(late).rejects.toMatchObject({ code: 'CEREMONY_OVER' });
  await expect(window.call('app.pause', { paused: false }, given)).rejects.toMatchObject(needed);
  const page = await window.openPage('app.pause', { paused: false });
  const removed = window.presence.confirmWithPasskey(page.token, authenticator.get(page));
  await expect(removed).rejects.toMatchObject(refused);
  const proofId = await window.prove(second, 'app.pause', { paused: false });
  expect(await window.call('app.pause', { paused: false }, proofId)).toMatchObject({ paused: false });
});

test('the last passkey is removed with its own proof, and then no call needs a proof', async () => {
  noteSignIn();
  await window.addPasskey(authenticator);
  const removal = { kind: 'passkey', credentialId: authenticator.id } as const;
  const state = await window.call(
    'proofs.remove',
    removal,
    await window.prove(authenticator, 'proofs.remove', removal),
  );
  expect(state).toMatchObject({ isSetUp: false, passkeys: [] });
  expect(await window.call('app.pause', { paused: false })).toMatchObject({ paused: false });
  expect(await listRows('proof.removed')).toMatchObject([{ facts: { credentialId: authenticator.id } }]);
});

test('a registered passkey turns the PIN off', async () => {
  noteSignIn();
  await window.addPin('246813');
  const register = { kind: 'passkey', label: 'Key' } as const;
  await window.addPasskey(authenticator, await window.proveWithPin('246813', 'proofs.register', register));
  expect(window.presence.readState()).toMatchObject({ kinds: ['passkey'], pin: null });
  const { token } = await window.openPage('app.pause', { paused: false });
  await expect(window.presence.confirmWithPin(token, '246813')).rejects.toMatchObject({ code: 'PROOF_KIND_OFF' });
});

test('a restored backup neither removes a later passkey nor brings back a removed one', async () => {
  const { backups } = world.companion();
  const before = await backups.make();
  noteSignIn();
  await window.addPasskey(authenticator);
  const restore = { name: before?.name ?? '' };
  await expect(window.call('backups.restore', restore)).rejects.toMatchObject(needed);
  await window.call('backups.restore', restore, await window.prove(authenticator, 'backups.restore', restore));
  await world.stop();
  await world.begin();
  window = openProofWindow(world);
  expect(window.presence.readState()).toMatchObject({ isSetUp: true, isLost: false });
  const withKey = await world.companion().backups.make();
  const removal = { kind: 'passkey', credentialId: authenticator.id } as const;
  await window.call('proofs.remove', removal, await window.prove(authenticator, 'proofs.remove', removal));
  await window.call('backups.restore', { name: withKey?.name ?? '' });
  await world.stop();
  await world.begin();
  expect(world.companion().presence.readState()).toMatchObject({ isSetUp: false, passkeys: [] });
});

test.each([
  ['is deleted', (file: string) => rm(file)],
  ['is damaged', (file: string) => writeFile(file, '{"passkeys": [')],
  [
    'is emptied',
    async (file: string) =>
      writeFile(file, JSON.stringify({ ...(JSON.parse(await readFile(file, 'utf8')) as object), passkeys: [] })),
  ],
])('if the file with the proofs %s, a proof is still needed', async (_what, harm) => {
  noteSignIn();
  await window.addPasskey(authenticator);
  const file = join(world.dataDir, 'person-proofs.json');
  expect(await readFile(file, 'utf8')).toContain(authenticator.id);
  await world.stop();
  await harm(file);
  await world.begin();
  window = openProofWindow(world);
  expect(window.presence.readState()).toMatchObject({ isSetUp: true, isLost: true, kinds: [] });
  await expect(window.call('app.pause', { paused: false })).rejects.toMatchObject(needed);
  noteSignIn();
  await expect(window.call('proofs.register', passkey)).rejects.toMatchObject(needed);
});

test('an older backup does not remove the protection after the proofs file is deleted', async () => {
  await world.companion().backups.make();
  noteSignIn();
  await window.addPasskey(authenticator);
  await world.stop();
  await rm(join(world.dataDir, 'person-proofs.json'));
  restoreRequestedBackup(world.dataDir, 'newest', world.clock.now());
  await world.begin();
  window = openProofWindow(world);
  expect(window.presence.readState()).toMatchObject({ isSetUp: true, isLost: true });
  await expect(window.call('app.pause', { paused: false })).rejects.toMatchObject(needed);
});

test('after a backup that contains a removed passkey is restored, no passkey is missing', async () => {
  world.secrets.kind = 'system';
  await restart();
  noteSignIn();
  await window.addPasskey(authenticator);
  await world.companion().backups.make();
  const removal = { kind: 'passkey', credentialId: authenticator.id } as const;
  await window.call('proofs.remove', removal, await window.prove(authenticator, 'proofs.remove', removal));
  await world.stop();
  restoreRequestedBackup(world.dataDir, 'newest', world.clock.now());
  await world.begin();
  expect(world.companion().presence.readState()).toMatchObject({ isSetUp: false, isLost: false });
});

test('deleted data needs no proof at the next start, but a restored backup of it does', async () => {
  const made = await world.companion().backups.make();
  noteSignIn();
  await window.addPasskey(authenticator);
  await world.stop();
  for (const name of ['person-proofs.json', 'companion.db', 'companion.db-wal', 'companion.db-shm'])
    await rm(join(world.dataDir, name), { force: true });
  await world.begin();
  expect(world.companion().presence.readState()).toMatchObject({ isSetUp: false });
  await world.companion().backups.restore(made?.name ?? '');
  await restart();
  expect(window.presence.readState()).toMatchObject({ isSetUp: true, isLost: true });
});
