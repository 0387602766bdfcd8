import { afterEach, beforeEach, expect, test } from 'vitest';
import { openNotificationSession } from '../../../src/host/runCompanion.ts';
import { verifyExportedFile } from '../../../src/core/approvals/verify/verifyFile.ts';
import type { ProofWindow } from '../../helpers/presence/openProofWindow.ts';
import {
  ceremonyOrigin,
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '../../helpers/presence/softwareAuthenticator.ts';
import { listLedgerRows } from '../../helpers/presence/listLedgerRows.ts';
import { readExport } from '../../helpers/approvals/readExport.ts';
import type { World } from '../../helpers/world.ts';
import { startProvenWorld } from '../../helpers/presence/startProvenWorld.ts';

let world: World;
let window: ProofWindow;
let authenticator: SoftwareAuthenticator;
beforeEach(async () => {
  ({ world, window, authenticator } = await startProvenWorld());
});
afterEach(() => world.close());

const needed = { code: 'PROOF_NEEDED' };
const verifyReceipt = (approvalId: string) =>
  verifyExportedFile(Buffer.from(world.companion().receipts.exportReceipt(approvalId).text), null);
const listRows = (kind: string) => listLedgerRows(world, kind);

const askShown = async () => {
  const { approvalId, digest, listingId } = await world.asked();
  const yes = { approvalId, digest };
  window.show([yes]);
  return { yes, listingId };
};

test('a publish that an assistant asked for is sent only after its ceremony, and its receipt proves the yes', async () => {
  const { listingId } = await world.reviewed();
  const { assistants, perform, approvals } = world.companion();
  const { pairingId, pairingSecret } = assistants.requestPairing('Garage helper');
  const accept = {
    pairingId,
    access: { scope: 'ask' as const, folders: [], publishesPerDay: null, moneyCentsPerDay: null },
  };
  await expect(window.call('assistants.accept', accept)).rejects.toMatchObject(needed);
  await window.call('assistants.accept', accept, await window.prove(authenticator, 'assistants.accept', accept));
  expect(assistants.poll(pairingId, pairingSecret).token).toBeDefined();
  const [{ assistantId = '', name = '' } = {}] = assistants.list().assistants;
  const by = { kind: 'assistant', assistantId, name } as const;
  await perform({ by, route: 'publishListing', input: { params: { listingId } } });
  const [asked] = approvals.listPending();
  const yes = { approvalId: asked?.approvalId ?? '', digest: asked?.digest ?? '' };
  window.show([yes]);
  await expect(window.call('approvals.approve', yes)).rejects.toMatchObject(needed);
  expect(await world.happened('publish')).toBe(0);

  const { token, page, challenge } = await window.openPage('approvals.approve', yes);
  expect(page.drawn).toMatchObject({
    of: 'approvals',
    approvals: [{ approvalId: yes.approvalId, asker: by, act: asked?.prompt.act, title: asked?.prompt.target?.title }],
    total: { unknown: 0 },
  });
  const proofId = await window.presence.confirmWithPasskey(token, authenticator.get({ challenge }));
  expect(await window.call('proofs.result', { token })).toEqual({ state: 'done', proofId });
  expect(await window.call('approvals.approve', yes, proofId)).toMatchObject({ state: 'done' });
  expect(await world.happened('publish')).toBe(1);

  const report = await verifyReceipt(yes.approvalId);
  expect(report).toMatchObject({ whole: true, findings: [] });
  expect(report.notes.join(' ')).toContain('Confirmed by fingerprint or key');
  expect(await listRows('proof.given')).toMatchObject([{ facts: { call: 'approvals.approve' } }, {}]);
  expect(await listRows('approval.approve')).toMatchObject([{ facts: { proof: { proofId, kind: 'passkey' } } }]);
});

test('a publish and an end by the person each need their own ceremony', async () => {
  const { yes, listingId } = await askShown();
  const published = await window.prove(authenticator, 'approvals.approve', yes);
  expect(await window.call('approvals.approve', yes, published)).toMatchObject({ state: 'done' });
  await world.perform('endListing', { params: { listingId } });
  const [end] = world.companion().approvals.listPending();
  const second = { approvalId: end?.approvalId ?? '', digest: end?.digest ?? '' };
  window.show([second]);
  await expect(window.call('approvals.approve', second, published)).rejects.toMatchObject(needed);
  const ended = await window.prove(authenticator, 'approvals.approve', second);
  expect(await window.call('approvals.approve', second, ended)).toMatchObject({ state: 'approved' });
  await world.until(() => world.companion().approvals.readView(second.approvalId).state === 'done');
  expect(await verifyReceipt(second.approvalId)).toMatchObject({ whole: true });
});

test('one ceremony covers exactly the ticked rows of a batch', async () => {
  const listingIds: string[] = [];
  for (const name of ['blue shoes', 'red hat', 'green coat']) listingIds.push((await world.reviewed(name)).listingId);
  const { batches } = world.companion();
  const { batchId, rows } = await batches.publishListings(listingIds);
  const all = rows.flatMap(({ approval }) => approval ?? []).map(({ approvalId, digest }) => ({ approvalId, digest }));
  window.show(all);
  const [first, second, third] = all;
  if (!first || !second || !third) throw new Error('The batch has three rows.');
  const ticked = { batchId, rows: [second, first], unticked: [third] };
  const { token, page, challenge } = await window.openPage('batch.approve', ticked);
  expect(page.drawn).toMatchObject({ of: 'approvals', approvals: [{}, {}] });
  const proofId = await window.presence.confirmWithPasskey(token, authenticator.get({ challenge }));
  const everything = { batchId, rows: all, unticked: [] };
  await expect(window.call('batch.approve', everything, proofId)).rejects.toMatchObject(needed);
  // The total of these rows is the same, but the person did not tick them.
  const others = { batchId, rows: [first, third], unticked: [second] };
  await expect(window.call('batch.approve', others, proofId)).rejects.toMatchObject(needed);
  const oneOnly = { batchId, rows: [first], unticked: [] };
  await expect(window.call('batch.approve', oneOnly, proofId)).rejects.toMatchObject(needed);
  expect(await world.happened('publish')).toBe(0);
  await window.call('batch.approve', ticked, proofId);
  await world.until(() => batches.readBatch(batchId).state === 'over');
  expect(await world.happened('publish')).toBe(2);
  expect(await verifyReceipt(first.approvalId)).toMatchObject({ whole: true });
  expect(await verifyReceipt(second.approvalId)).toMatchObject({ whole: true });
  const everyReceipt = await readExport(world, (exports) => exports.exportReceipts());
  expect(await verifyExportedFile(Buffer.from(everyReceipt), null)).toMatchObject({ whole: true });
});

test('a proof is valid once, and only for the approval that it names', async () => {
  const { yes } = await askShown();
  const proofId = await window.prove(authenticator, 'approvals.approve', yes);
  const other = await world.reviewed('red hat');
  await world.perform('publishListing', { params: { listingId: other.listingId } });
  const pending = world
    .companion()
    .approvals.listPending()
    .find(({ approvalId }) => approvalId !== yes.approvalId);
  const second = { approvalId: pending?.approvalId ?? '', digest: pending?.digest ?? '' };
  window.show([second]);
  await expect(window.call('approvals.approve', second, proofId)).rejects.toMatchObject(needed);
  await expect(window.call('approvals.approve', second, 'pr_guessed')).rejects.toMatchObject(needed);
  await window.call('approvals.approve', yes, proofId);
  await expect(window.call('approvals.approve', second, proofId)).rejects.toMatchObject(needed);
  expect(await world.happened('publish')).toBe(1);
  const why = (await listRows('proof.missing')).map(({ facts }) => facts['why']);
  expect(why.toReversed()).toEqual(['otherSubject', 'unknown', 'used']);
});

test('a proof expires a minute after its ceremony', async () => {
  const { yes } = await askShown();
  const proofId = await window.prove(authenticator, 'approvals.approve', yes);
  world.clock.advance(60_001);
  await expect(window.call('approvals.approve', yes, proofId)).rejects.toMatchObject(needed);
  expect(await listRows('proof.missing')).toMatchObject([{ facts: { why: 'expired', approvalId: yes.approvalId } }]);
});

test('a changed listing supersedes the prompt, and its proof does not count for the new one', async () => {
  const { yes, listingId } = await askShown();
  const proofId = await window.prove(authenticator, 'approvals.approve', yes);
  await world.perform('updateListing', { params: { listingId }, body: { title: 'Another title' } });
  const next = await window.call('approvals.approve', yes, proofId);
  expect(next).toMatchObject({ state: 'pending' });
  window.show([next]);
  const again = { approvalId: next.approvalId, digest: next.digest };
  await expect(window.call('approvals.approve', again, proofId)).rejects.toMatchObject(needed);
  expect(await world.happened('publish')).toBe(0);
});

test('declining and pausing need no proof', async () => {
  const { yes } = await askShown();
  expect(await window.call('approvals.decline', yes)).toMatchObject({ state: 'withdrawn' });
  expect(await window.call('app.pause', { paused: true })).toMatchObject({ paused: true });
  await expect(window.call('app.pause', { paused: false })).rejects.toMatchObject(needed);
});

test('a restart ends the ceremony, and the approval stays pending', async () => {
  const { yes } = await askShown();
  const { token, challenge } = await window.openPage('approvals.approve', yes);
  await world.stop();
  const next = await world.begin();
  await world.until(() => next.state(null).connection === 'connected');
  const response = authenticator.get({ challenge });
  await expect(next.presence.confirmWithPasskey(token, response)).rejects.toMatchObject({ code: 'CEREMONY_OVER' });
  expect(next.approvals.readView(yes.approvalId).state).toBe('pending');
  expect(next.presence.readState()).toMatchObject({ isSetUp: true, passkeys: [{ label: 'Key' }] });
});

test.each([
  ['another total', { total: { amounts: [{ currency: 'USD', minor: 1 }], unknown: 0 } }],
  ['another account', { account: 'practice#someone' }],
  ['another digest', { approvals: [{ id: 'ap_1', digest: 'other' }] }],
])('the authenticator’s signature over %s is refused', async (_what, change) => {
  const { createHash } = await import('node:crypto');
  const { toCanonicalJson } = await import('../../../src/core/base/json.ts');
  const { yes } = await askShown();
  const { token } = await window.openPage('approvals.approve', yes);
  const other = { purpose: { call: 'approvals.approve', inputHash: null }, nonce: 'n', expiresAt: 1, ...change };
  const challenge = createHash('sha256').update(toCanonicalJson(other)).digest('base64url');
  const response = authenticator.get({ challenge });
  await expect(window.presence.confirmWithPasskey(token, response)).rejects.toMatchObject({ code: 'PROOF_REFUSED' });
  expect(await listRows('proof.refused')).toHaveLength(1);
});

test.each([
  ['without user verification', { isUserVerified: false }],
  ['from a page of another localhost port', { origin: 'http://localhost:9999' }],
  ['from a page of another site', { origin: 'https://evil.example' }],
  ['for another relying party', { rpId: 'evil.example' }],
  ['in a frame of an unknown page', { topOrigin: 'http://evil.localhost:1' }],
  ['with a counter that did not rise', { counter: 1 }],
])('an assertion %s is refused', async (_what, options) => {
  const { yes } = await askShown();
  await window.presence.confirmWithPasskey(
    ...(await window
      .openPage('approvals.approve', yes)
      .then(({ token, challenge }) => [token, authenticator.get({ challenge }, { counter: 50 })] as const)),
  );
  const { token, challenge } = await window.openPage('approvals.approve', yes);
  const response = authenticator.get({ challenge }, { counter: 51, ...options });
  await expect(window.presence.confirmWithPasskey(token, response)).rejects.toMatchObject({ code: 'PROOF_REFUSED' });
  const again = authenticator.get({ challenge }, { counter: 60 });
  await expect(window.presence.confirmWithPasskey(token, again)).rejects.toMatchObject({ code: 'CEREMONY_OVER' });
  expect(await listRows('proof.refused')).toHaveLength(1);
  expect(await world.happened('publish')).toBe(0);
});

test('an authenticator that the person did not register is refused', async () => {
  const { yes } = await askShown();
  const { token, challenge } = await window.openPage('approvals.approve', yes);
  const planted = createSoftwareAuthenticator().get({ challenge });
  await expect(window.presence.confirmWithPasskey(token, planted)).rejects.toMatchObject({ code: 'PROOF_REFUSED' });
  const forged = { ...planted, id: authenticator.id, rawId: authenticator.id };
  const second = await window.openPage('approvals.approve', yes);
  const answer = window.presence.confirmWithPasskey(second.token, forged);
  await expect(answer).rejects.toMatchObject({ code: 'PROOF_REFUSED' });
});

test('a ceremony page opens once, within a minute, and only by its token', async () => {
  const { yes } = await askShown();
  const over = { code: 'CEREMONY_OVER' };
  const place = { origin: ceremonyOrigin };
  const { token } = await window.call('proofs.begin', { call: 'approvals.approve', input: yes });
  await expect(window.presence.openCeremony('guessed', place)).rejects.toMatchObject(over);
  const unopened = window.presence.confirmWithPasskey(token, authenticator.get({ challenge: 'x' }));
  await expect(unopened).rejects.toMatchObject(over);
  await window.presence.openCeremony(token, place);
  await expect(window.presence.openCeremony(token, place)).rejects.toMatchObject(over);
  const late = await window.call('proofs.begin', { call: 'approvals.approve', input: yes });
  world.clock.advance(60_000);
  await expect(window.presence.openCeremony(late.token, place)).rejects.toMatchObject(over);
  expect(await window.call('proofs.result', { token: late.token })).toEqual({ state: 'expired', proofId: null });
  const why = (await listRows('proof.token_refused')).map(({ facts }) => facts['why']);
  expect(why.toReversed()).toEqual(['unknown', 'notOpen', 'reused', 'expired']);
});

test('a window that did not show the prompt cannot begin a ceremony for it', async () => {
  const { approvalId, digest } = await world.asked();
  const begun = window.call('proofs.begin', { call: 'approvals.approve', input: { approvalId, digest } });
  await expect(begun).rejects.toMatchObject({ code: 'PROMPT_NOT_SHOWN' });
});

test('a request approved in a notification stays pending for the window, and the history shows no attack', async () => {
  const { approvalId, digest } = await world.asked();
  const notification = openNotificationSession(world.companion(), { approvalId, digest });
  world.clock.advance(1_200);
  expect(await notification.approve()).toMatchObject({ approvalId, state: 'pending' });
  expect(await listRows('proof.missing')).toEqual([]);
});
