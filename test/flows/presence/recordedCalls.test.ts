import * as z from 'zod';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HistoryRow } from '../../../src/core/approvals/ledger/history.ts';
import { pairAsker } from '../../helpers/assistant.ts';
import { openProofWindow, type ProofWindow } from '../../helpers/presence/openProofWindow.ts';
import { listLedgerRows } from '../../helpers/presence/listLedgerRows.ts';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '../../helpers/presence/softwareAuthenticator.ts';
import { startProvenWorld } from '../../helpers/presence/startProvenWorld.ts';
import type { World } from '../../helpers/world.ts';

let world: World;
let window: ProofWindow;
let authenticator: SoftwareAuthenticator;
beforeEach(async () => {
  ({ world, window, authenticator } = await startProvenWorld());
});
afterEach(() => world.close());

const needed = { code: 'PROOF_NEEDED' };

/** Returns what the newest rows of a kind are about, as the window draws it. */
const listActs = async (kind: string, language?: string): Promise<string[]> => {
  const { rows } = await window.call('history.search', { language });
  const formatRow = ({ about = [] }: HistoryRow): string =>
    about.map(({ act, title }) => [act, title].filter((part) => part !== null).join(': ')).join(' · ');
  return rows.filter((row) => row.kind === kind).map(formatRow);
};

test('a refused call says in the history what it would have done', async () => {
  const { assistantId } = pairAsker(world, 'Tidy Helper');
  await window.call('assistants.change', { assistantId, paused: true });
  const { credentialId = '' } = window.presence.readState().passkeys[0] ?? {};
  const refused = [
    () => window.call('app.pause', { paused: false }),
    () => window.call('connect.key', { key: 'agent_key_of_another_account' }),
    () => window.call('proofs.remove', { kind: 'passkey', credentialId }),
    () => window.call('assistants.change', { assistantId, paused: false }),
    () => window.call('service.perform', { route: 'readMarketAuthUrl', input: {} }),
    () => window.call('app.settings', { watchFolder: '/home/me/photos' }),
  ];
  for (const attempt of refused) await expect(attempt()).rejects.toMatchObject(needed);
  expect(await listActs('proof.missing')).toEqual([
    'Change settings: Watched folder: /home/me/photos',
    'Open the sign-in page of the marketplace',
    'Resume an assistant: Assistant: Tidy Helper',
    'Remove a way to confirm: Kind: Passkey, Passkey: Key',
    'Connect with another key',
    'Resume all work',
  ]);
  expect((await listActs('proof.missing', 'de')).at(-1)).toBe('Alle Arbeit fortsetzen');
  expect(JSON.stringify(await listLedgerRows(world, 'proof.missing'))).not.toContain('agent_key');
});

test('six different refused settings add six rows to the history', async () => {
  const settings = [
    { watchFolder: '/home/me/photos' },
    { approvalMinutes: 1_440 },
    { publishFromNotificationMinor: 100_000 },
    { notify: { approvals: false } },
    { notify: { sales: false } },
    { notify: { connection: false } },
  ] as const;
  for (const changes of settings) await expect(window.call('app.settings', changes)).rejects.toMatchObject(needed);
  expect(new Set(await listActs('proof.missing')).size).toBe(6);
});

test('changes of several settings share a row, which names the first', async () => {
  const changes = { watchFolder: '/home/me/photos', approvalMinutes: 1_440 };
  await expect(window.call('app.settings', changes)).rejects.toMatchObject(needed);
  for (let minutes = 600; minutes < 605; minutes += 1)
    await expect(window.call('app.settings', { ...changes, approvalMinutes: minutes })).rejects.toMatchObject(needed);
  const rows = (await listLedgerRows(world, 'proof.missing')).map(({ facts }) => [facts['input'], facts['count']]);
  expect(rows).toEqual([
    [{ ...changes, approvalMinutes: 600 }, 2],
    [changes, undefined],
  ]);
});

test('a huge input cannot fill the history', async () => {
  const { assistantId } = pairAsker(world, 'Tidy Helper');
  const folders = Array.from({ length: 20 }, (_, at) => `/${String(at)}${'x'.repeat(900)}`);
  await expect(window.call('assistants.change', { assistantId, folders })).rejects.toMatchObject(needed);
  const [row] = await listLedgerRows(world, 'proof.missing');
  const stored = z.object({ folders: z.array(z.string()) }).parse(row?.facts['input']).folders;
  expect(stored.map((folder) => folder.slice(0, 2))).toEqual(['/0', '/1', '/2', '/3', '/4', '…']);
  expect(JSON.stringify(row?.facts).length).toBeLessThan(2_000);
});

test('the history names the call of a confirmation even after the removed passkey is gone', async () => {
  const second = createSoftwareAuthenticator();
  await window.addPasskey(
    second,
    await window.prove(authenticator, 'proofs.register', { kind: 'passkey', label: 'Key' }),
  );
  const removal = { kind: 'passkey', credentialId: authenticator.id } as const;
  await window.call('proofs.remove', removal, await window.prove(second, 'proofs.remove', removal));
  const act = 'Remove a way to confirm: Kind: Passkey, Passkey: Key';
  expect((await listActs('proof.given'))[0]).toBe(act);
  expect((await listActs('proof.used'))[0]).toBe(act);
});

test('accepted and refused confirmations of an approval name the act and the listing', async () => {
  const { listingId } = await world.reviewed('red shoes');
  await world.perform('publishListing', { params: { listingId } });
  const asked = world.companion().approvals.listPending().at(-1);
  const yes = { approvalId: asked?.approvalId ?? '', digest: asked?.digest ?? '' };
  await window.showHere([yes]);
  const stranger = createSoftwareAuthenticator();
  await expect(window.prove(stranger, 'approvals.approve', yes)).rejects.toMatchObject({ code: 'PROOF_REFUSED' });
  await window.prove(authenticator, 'approvals.approve', yes);
  const wanted = `${asked?.prompt.act ?? ''}: ${asked?.prompt.target?.title ?? ''}`;
  expect(await listActs('proof.refused')).toEqual([wanted]);
  expect((await listActs('proof.given'))[0]).toBe(wanted);
});

test('an approval in one window says that its confirmation was made in another window', async () => {
  await window.call(
    'proofs.relax',
    { minutes: 15 },
    await window.prove(authenticator, 'proofs.relax', { minutes: 15 }),
  );
  const ask = async (name: string) => {
    const { listingId } = await world.reviewed(name);
    await world.perform('publishListing', { params: { listingId } });
    const asked = world.companion().approvals.listPending().at(-1);
    return { approvalId: asked?.approvalId ?? '', digest: asked?.digest ?? '' };
  };
  const [first, second] = [await ask('red'), await ask('blue')];
  const readWhy = async () => (await listLedgerRows(world, 'proof.missing'))[0]?.facts['why'];
  await window.showHere([first, second]);
  await expect(window.call('approvals.approve', first)).rejects.toMatchObject(needed);
  expect(await readWhy()).toBe('missing');
  await window.call('approvals.approve', first, await window.prove(authenticator, 'approvals.approve', first));
  const other = openProofWindow(world);
  await other.showHere([second]);
  await expect(other.call('approvals.approve', second)).rejects.toMatchObject(needed);
  expect(await readWhy()).toBe('otherWindow');
  world.clock.advance(15 * 60_000);
  await window.showHere([second]);
  await expect(window.call('approvals.approve', second)).rejects.toMatchObject(needed);
  expect(await readWhy()).toBe('relaxationOver');
});
