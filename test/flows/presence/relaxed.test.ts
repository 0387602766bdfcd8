import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifySingleReceipt } from '../../../src/core/approvals/verify/verifyReceipts.ts';
import { pairAsker } from '../../helpers/assistant.ts';
import { listLedgerRows } from '../../helpers/presence/listLedgerRows.ts';
import { openProofWindow, type ProofWindow } from '../../helpers/presence/openProofWindow.ts';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '../../helpers/presence/softwareAuthenticator.ts';
import type { World } from '../../helpers/world.ts';
import { startProvenWorld } from '../../helpers/presence/startProvenWorld.ts';

let world: World;
let window: ProofWindow;
let authenticator: SoftwareAuthenticator;
beforeEach(async () => {
  ({ world, window, authenticator } = await startProvenWorld());
});
afterEach(() => world.close());

const minuteMs = 60_000;
const needed = { code: 'PROOF_NEEDED' };
const relax = async (minutes: 5 | 15): Promise<void> => {
  await window.call('proofs.relax', { minutes }, await window.prove(authenticator, 'proofs.relax', { minutes }));
};
/** Asks to publish another item, which takes some time. */
const askPublish = async (name: string) => {
  const { listingId } = await world.reviewed(name);
  await world.perform('publishListing', { params: { listingId } });
  const asked = world.companion().approvals.listPending().at(-1);
  return { approvalId: asked?.approvalId ?? '', digest: asked?.digest ?? '' };
};
const askShown = async (name: string) => {
  const yes = await askPublish(name);
  await window.showHere([yes]);
  return yes;
};
const countNotices = (): number =>
  world.protectionNotices.filter(({ title }) => title === 'Your own acts are confirmed less often').length;

test('acts of the person need no new proof for five minutes, and the receipt says so', async () => {
  const [first, second, third] = [await askPublish('red'), await askPublish('blue'), await askPublish('green')];
  await relax(5);
  expect(world.companion().state(null).presence).toEqual({ isSetUp: true, relaxedMinutes: 5 });
  expect(countNotices()).toBe(1);
  expect(await listLedgerRows(world, 'proof.relaxed')).toMatchObject([{ facts: { minutes: 5, before: 0 } }]);
  await window.showHere([first]);
  await window.call('approvals.approve', first, await window.prove(authenticator, 'approvals.approve', first));
  world.clock.advance(3 * minuteMs);
  await window.showHere([second]);
  expect(await window.call('approvals.approve', second)).toMatchObject({
    ...{ state: 'done', confirmedBy: 'passkeyEarlier' },
  });
  expect(await window.call('approvals.get', { approvalId: first.approvalId })).toMatchObject({
    confirmedBy: 'passkey',
  });
  const { text } = world.companion().receipts.exportReceipt(second.approvalId);
  const report = await verifySingleReceipt(text);
  expect(report).toMatchObject({ whole: true, findings: [] });
  expect(JSON.stringify(report)).toMatch(/Confirmed by fingerprint or key .* 3 minutes before/);
  world.clock.advance(2 * minuteMs);
  await window.showHere([third]);
  await expect(window.call('approvals.approve', third)).rejects.toMatchObject(needed);
  expect(await listLedgerRows(world, 'proof.missing')).toHaveLength(1);
});

test('the core tells the window whether an act of the person needs a ceremony, without recording a refusal', async () => {
  const [first, second, third] = [await askPublish('red'), await askPublish('blue'), await askPublish('green')];
  await relax(5);
  const begin = (yes: typeof first) => window.call('proofs.begin', { call: 'approvals.approve', input: yes });
  await window.showHere([first, second, third]);
  expect(await begin(first)).toMatchObject({ kinds: ['passkey'] });
  await window.call('approvals.approve', first, await window.prove(authenticator, 'approvals.approve', first));
  await expect(begin(second)).rejects.toMatchObject({ code: 'NO_PROOF_NEEDED' });
  await window.call('approvals.approve', second);
  world.clock.advance(5 * minuteMs);
  await window.call('approvals.approve', third, await window.prove(authenticator, 'approvals.approve', third));
  expect(await listLedgerRows(world, 'proof.missing')).toEqual([]);
});

test('a relaxed proof does not cover an assistant, another window or a call that weakens protection', async () => {
  await relax(15);
  const own = await askShown('red shoes');
  const other = openProofWindow(world);
  await other.showHere([own]);
  await expect(other.call('approvals.approve', own)).rejects.toMatchObject(needed);
  const { listingId } = await world.reviewed('blue shoes');
  const by = pairAsker(world, 'Tidy Helper');
  await world.companion().perform({ by, route: 'publishListing', input: { params: { listingId } } });
  const asked = world.companion().approvals.listPending().at(-1);
  const theirs = { approvalId: asked?.approvalId ?? '', digest: asked?.digest ?? '' };
  await window.showHere([own, theirs]);
  await expect(window.call('approvals.approve', theirs)).rejects.toMatchObject(needed);
  await expect(window.call('app.settings', { approvalMinutes: 60 })).rejects.toMatchObject(needed);
  await expect(window.call('proofs.register', { kind: 'passkey' })).rejects.toMatchObject(needed);
  // The page of the proof that relaxed said nothing about approvals, so it does not count for them.
  await expect(window.call('approvals.approve', own)).rejects.toMatchObject(needed);
  const proved = await window.prove(authenticator, 'approvals.approve', own);
  expect(await window.call('approvals.approve', own, proved)).toMatchObject({ state: 'done' });
});

test('a relaxed proof ends when the companion restarts or its passkey is removed', async () => {
  await relax(15);
  await world.stop();
  await world.begin();
  window = openProofWindow(world);
  const own = await askShown('red shoes');
  await expect(window.call('approvals.approve', own)).rejects.toMatchObject(needed);
  const key = { kind: 'passkey', label: 'Key' } as const;
  const second = createSoftwareAuthenticator();
  await window.addPasskey(second, await window.prove(authenticator, 'proofs.register', key));
  const removal = { kind: 'passkey', credentialId: authenticator.id } as const;
  await window.call('proofs.remove', removal, await window.prove(second, 'proofs.remove', removal));
  await expect(window.call('approvals.approve', own)).rejects.toMatchObject(needed);
});

test('relaxing confirmation needs a proof, but requiring it for each act again does not', async () => {
  await expect(window.call('proofs.relax', { minutes: 5 })).rejects.toMatchObject(needed);
  await relax(15);
  expect(await window.call('proofs.relax', { minutes: 5 })).toMatchObject({ isSetUp: true });
  expect(await window.call('proofs.relax', { minutes: 0 })).toMatchObject({ isSetUp: true });
  expect(countNotices()).toBe(1);
  const own = await askShown('red shoes');
  await expect(window.call('approvals.approve', own)).rejects.toMatchObject(needed);
});
