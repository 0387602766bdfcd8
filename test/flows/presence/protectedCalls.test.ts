import { realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { getRouteByName, routeNames } from '../../../src/contract/index.ts';
import { calls, type CallInput, type CallName } from '../../../src/ipc/calls.ts';
import type { SettingsChanges } from '../../../src/core/base/settings.ts';
import { listLedgerRows } from '../../helpers/presence/listLedgerRows.ts';
import type { ProofWindow } from '../../helpers/presence/openProofWindow.ts';
import { ceremonyOrigin, type SoftwareAuthenticator } from '../../helpers/presence/softwareAuthenticator.ts';
import type { World } from '../../helpers/world.ts';
import { startWorldWithWindow } from '../../helpers/presence/startProvenWorld.ts';

let world: World;
let window: ProofWindow;
let authenticator: SoftwareAuthenticator;
beforeEach(async () => {
  ({ world, window, authenticator } = await startWorldWithWindow());
});
afterEach(() => world.close());

const addPasskey = async (): Promise<void> => {
  window.noteSignIn();
  await window.addPasskey(authenticator);
};
const needed = { code: 'PROOF_NEEDED' };

/** A valid input of each protected call that a program could send. */
const protectedInputs: { [N in CallName]?: CallInput<N>[] } = {
  'app.settings': [
    { watchFolder: '/tmp' },
    { approvalMinutes: 1_440 },
    { publishFromNotificationMinor: 100_000 },
    { notify: { approvals: false } },
    { theme: 'dark', notify: { sales: true, written: false } },
  ],
  'app.pause': [{ paused: false }],
  'app.forgetEverything': [{}],
  'backups.restore': [{ name: 'companion-2026-11-20T221500Z.db' }],
  'backups.repairSeen': [{}],
  'connect.practice': [{}],
  'connect.verify': [{ challengeId: 'c', email: 'other@practice.example', code: '123456' }],
  'connect.key': [{ key: 'agent_key_of_another_account' }],
  'connect.clipboard': [{}],
  'connect.forget': [{}],
  'service.perform': [
    { route: 'readMarketAuthUrl', input: {} },
    { route: 'connectChannel', input: { params: { channelId: 'corner' } } },
  ],
  'approvals.approve': [],
  'batch.approve': [],
  'history.acknowledge': [{}],
  'assistants.accept': [
    { pairingId: 'pa_1', access: { scope: 'read', folders: [], publishesPerDay: 0, moneyCentsPerDay: 0 } },
  ],
  'assistants.change': [
    { assistantId: 'as_1', paused: false },
    { assistantId: 'as_1', folders: ['/'] },
    { assistantId: 'as_1', scope: 'ask' },
    { assistantId: 'as_1', moneyCentsPerDay: null },
    { assistantId: 'as_1', publishesPerDay: null },
    { assistantId: 'as_1', touches: 'all' },
    { assistantId: 'as_1', paused: true, folders: ['/'] },
  ],
  'clients.connect': [{ clientId: 'cursor', planId: 'plan' }],
  'offers.open': [{ offerId: 'of_1' }],
  'proofs.register': [{ kind: 'passkey' }, { kind: 'pin' }],
  'proofs.relax': [{ minutes: 5 }],
  'proofs.remove': [{ kind: 'passkey', credentialId: 'x' }],
};

const callNames = Object.keys(calls) as CallName[];

test('each protected call has an input in this test', () => {
  const protectedNames = callNames.filter((name) => calls[name].protection === 'proof');
  expect(protectedNames.toSorted()).toEqual(Object.keys(protectedInputs).toSorted());
  expect(callNames.filter((name) => calls[name].protection === 'record')).toEqual([
    'history.export',
    'receipts.export',
    'receipts.exportAll',
  ]);
});

test('each route whose page opens without a prompt has an input in this test', () => {
  const routes = routeNames.filter((name) => {
    const { personPage, askFirst } = getRouteByName(name);
    return personPage !== undefined && askFirst !== true;
  });
  expect(routes.toSorted()).toEqual(protectedInputs['service.perform']?.map(({ route }) => route).toSorted());
});

test('each protected call is refused without a proof, and leaves a row', async () => {
  await addPasskey();
  const refused = new Set<string>();
  for (const name of callNames)
    for (const input of protectedInputs[name] ?? []) {
      await expect(window.call(name, input as never), name).rejects.toMatchObject(needed);
      refused.add(name);
    }
  const named = (await listLedgerRows(world, 'proof.missing')).map(({ facts }) => facts['call']);
  expect([...new Set(named)].toSorted()).toEqual([...refused].toSorted());
});

test('a program that repeats a refused call cannot fill the history', async () => {
  await addPasskey();
  const listCounts = async () => (await listLedgerRows(world, 'proof.missing')).map(({ facts }) => facts['count'] ?? 1);
  for (let at = 0; at < 150; at += 1)
    await expect(window.call('app.pause', { paused: false })).rejects.toMatchObject(needed);
  expect(await listCounts()).toEqual([100, 10, 2, 1]);
  // Another call, and the same call a minute later, get rows of their own.
  await expect(window.call('connect.forget', {})).rejects.toMatchObject(needed);
  world.clock.advance(60_000);
  await expect(window.call('app.pause', { paused: false })).rejects.toMatchObject(needed);
  expect(await listCounts()).toEqual([1, 1, 100, 10, 2, 1]);
});

test('a program that repeats a used page address cannot fill the history', async () => {
  await addPasskey();
  const { token } = await window.openPage('app.pause', { paused: false });
  for (let at = 0; at < 150; at += 1)
    await expect(window.presence.openCeremony(token, { origin: ceremonyOrigin })).rejects.toMatchObject({
      code: 'CEREMONY_OVER',
    });
  const rows = (await listLedgerRows(world, 'proof.token_refused')).map(({ facts }) => facts);
  const reused = { why: 'reused', call: 'app.pause', input: { paused: false }, subjects: {} };
  expect(rows).toEqual([{ ...reused, count: 100 }, { ...reused, count: 10 }, { ...reused, count: 2 }, reused]);
});

test('stopping something needs no proof', async () => {
  const { assistants } = world.companion();
  const { pairingId, pairingSecret } = assistants.requestPairing('Garage helper');
  assistants.accept(pairingId);
  assistants.poll(pairingId, pairingSecret);
  const { assistantId = '' } = assistants.list().assistants[0] ?? {};
  await addPasskey();
  await window.call('assistants.change', { assistantId, paused: true });
  await window.call('app.pause', { paused: true });
  await window.call('app.settings', { theme: 'dark', language: 'de' });
  await window.call('assistants.revoke', { assistantId });
  expect(assistants.list().assistants).toEqual([]);
});

test('reducing an assistant’s rights needs no proof, but extending them needs one', async () => {
  const { assistants } = world.companion();
  const photos = realpathSync(await world.folder('red shoes'));
  const { assistantId } = assistants.pairLocally({ name: 'Garage helper' });
  const wide = {
    scope: 'ask',
    touches: 'all',
    publishesPerDay: null,
    moneyCentsPerDay: 500,
    folders: [photos],
  } as const;
  const narrow = { scope: 'draft', touches: 'own', publishesPerDay: 3, moneyCentsPerDay: 499, folders: [] } as const;
  const inside = join(photos, 'inside');
  await mkdir(inside);
  await window.call('assistants.change', { assistantId, ...wide, folders: [photos] });
  await addPasskey();
  await window.call('assistants.change', { assistantId, ...wide, folders: [inside] });
  for (const [right, value] of Object.entries(narrow)) {
    await window.call('assistants.change', { assistantId, [right]: value });
    const back = { assistantId, [right]: wide[right as keyof typeof wide] } as CallInput<'assistants.change'>;
    await expect(window.call('assistants.change', back), right).rejects.toMatchObject(needed);
    await expect(window.call('assistants.change', { ...back, paused: true }), right).rejects.toMatchObject(needed);
  }
  await window.call('assistants.change', { assistantId, paused: true, scope: 'read' });
  await expect(window.call('assistants.change', { assistantId, paused: false })).rejects.toMatchObject(needed);
  await expect(window.call('assistants.change', { assistantId: 'as_1', scope: 'read' })).rejects.toMatchObject(needed);
  expect(assistants.list().assistants).toMatchObject([
    { scope: 'read', touches: 'own', folders: [], paused: true, budget: { publishesPerDay: 3, moneyCentsPerDay: 499 } },
  ]);
});

test('if no proof is set up, protected calls need no confirmation', async () => {
  await window.call('app.settings', { approvalMinutes: 60 });
  await window.call('app.pause', { paused: false });
  expect(world.companion().state(null).settings.approvalMinutes).toBe(60);
});

test('a proof covers one call with one input, once', async () => {
  await addPasskey();
  const change = { approvalMinutes: 60 } as const;
  const proofId = await window.prove(authenticator, 'app.settings', change);
  await expect(window.call('app.settings', { approvalMinutes: 61 }, proofId)).rejects.toMatchObject(needed);
  await expect(window.call('app.settings', { ...change, watchFolder: '/' }, proofId)).rejects.toMatchObject(needed);
  await expect(window.call('app.pause', { paused: false }, proofId)).rejects.toMatchObject(needed);
  await window.call('app.settings', change, proofId);
  await expect(window.call('app.settings', change, proofId)).rejects.toMatchObject(needed);
  expect((await listLedgerRows(world, 'proof.missing'))[0]?.facts).toMatchObject({ why: 'used', proofId });
  expect(world.companion().state(null).settings.approvalMinutes).toBe(60);
  expect(await listLedgerRows(world, 'proof.used')).toMatchObject([{ facts: { call: 'app.settings', proofId } }]);
});

test('the page of a call shows the call, but not a key that it contains', async () => {
  await addPasskey();
  const { page } = await window.openPage('connect.key', { key: 'agent_key_of_another_account' });
  expect(page.drawn).toMatchObject({ of: 'call', call: 'connect.key', input: {} });
  expect(JSON.stringify(page.drawn)).not.toContain('agent_key');
  const { person, service } = world.companion().state(null);
  expect(page.drawn).toMatchObject({ subjects: { account: person?.email, service: new URL(service.url).host } });
  const { page: second } = await window.openPage('app.settings', { approvalMinutes: 60 });
  expect(second.drawn).toMatchObject({ of: 'call', call: 'app.settings', input: { approvalMinutes: 60 } });
});

test('a ceremony begins only for calls that need a proof', async () => {
  await addPasskey();
  const begin = (call: string, input: Record<string, unknown> = {}) => window.call('proofs.begin', { call, input });
  // The prompt of a publish needs a proof, and the request for the prompt needs none.
  const publish = { route: 'publishListing', input: { params: { listingId: 'ls_1' } } };
  for (const [name, input] of [
    ['app.state', {}],
    ['app.pause', { paused: true }],
    ['service.perform', publish],
  ] as const)
    await expect(begin(name, input)).rejects.toMatchObject({ code: 'NO_PROOF_NEEDED' });
  for (const name of ['no.call', '__proto__'])
    await expect(begin(name)).rejects.toMatchObject({ code: 'UNKNOWN_CALL' });
});

test('a ceremony for an invalid input names the invalid field', async () => {
  await addPasskey();
  const begun = window.call('proofs.begin', { call: 'app.pause', input: { paused: 'no' } });
  await expect(begun).rejects.toMatchObject({ code: 'INVALID_INPUT', field: 'paused' });
});

test.each([
  ['the end of a watched folder', { watchFolder: '/photos' }, { watchFolder: null }],
  ['a lower ceiling', { publishFromNotificationMinor: 500 }, { publishFromNotificationMinor: 499 }],
  ['no publish button', { publishFromNotificationMinor: 500 }, { publishFromNotificationMinor: null }],
  ['a shorter time to answer', { approvalMinutes: 60 }, { approvalMinutes: 59 }],
  ['more notifications', { notify: { sales: false } }, { notify: { sales: true, approvals: true } }],
  ['the settings as they are', { watchFolder: '/photos' }, { watchFolder: '/photos', approvalMinutes: 30 }],
] as [string, SettingsChanges, SettingsChanges][])(
  'a settings change to %s needs no proof, but the opposite change needs one',
  async (_what, before, reduced) => {
    await window.call('app.settings', before);
    await addPasskey();
    const weaker = { ...before, publishFromNotificationMinor: 501 };
    await expect(window.call('app.settings', weaker)).rejects.toMatchObject(needed);
    await expect(window.call('app.settings', { ...reduced, notify: { approvals: false } })).rejects.toMatchObject(
      needed,
    );
    expect(await window.call('app.settings', reduced)).toMatchObject({ settings: reduced });
  },
);
