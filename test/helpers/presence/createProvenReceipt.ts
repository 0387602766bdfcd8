import type { Listing } from '../../../src/contract/index.ts';
import { computeSubjectDigest, createBoundSubject } from '../../../src/core/approvals/subject.ts';
import { hashCanonicalJson } from '../../../src/core/base/json.ts';
import {
  computeTotal,
  computeWebAuthnChallenge,
  type Challenge,
  type Proof,
} from '../../../src/core/presence/proof.ts';
import type { PromptMoney } from '../../../src/core/storage/tables/approvalRecord.ts';
import { createApprovalsTable } from '../../../src/core/storage/tables/approvalsTable.ts';
import { createSignedLedger } from '../approvals/createSignedLedger.ts';
import { createSoftwareAuthenticator } from './softwareAuthenticator.ts';

const account = 'practice#u1';
const approvalId = 'ap_1';
const publicKeyOf = (attestationObject: string): string => {
  // The COSE key is the last part of the attestation object, and always has 77 bytes.
  return Buffer.from(attestationObject, 'base64url').subarray(-77).toString('base64url');
};

type ProvenOptions = {
  listing: Listing;
  input: Record<string, unknown>;
  totalMinor: number;
  /** The total that a program with the companion’s key writes instead of the signed one. */
  forgeTotalMinor?: number;
};

/** Creates the receipt of an approval that a passkey confirmed, without a companion. */
export const createProvenReceipt = async ({
  listing,
  input,
  totalMinor,
  forgeTotalMinor = totalMinor,
}: ProvenOptions) => {
  const world = await createSignedLedger();
  const { ledger, clock, db } = world;
  const authenticator = createSoftwareAuthenticator();
  const { attestationObject } = authenticator.create({ challenge: 'x' }).response;
  const publicKey = publicKeyOf(attestationObject);
  const credential = { kind: 'passkey', credentialId: authenticator.id, publicKey };
  ledger.append(clock.now(), 'proof.added', credential);

  const request = {
    route: 'publishListing' as const,
    input: { params: { listingId: 'lst_1' }, body: input },
    ...{ account, askerId: 'person', key: 'print of a key' },
  };
  const subject = createBoundSubject(request, { listing, quote: { state: 'free' } });
  const digest = computeSubjectDigest(subject);
  const money: PromptMoney = { state: 'fee', currency: 'USD', totalMinor, lines: [], reason: null, quotedAt: 1 };
  const challenge: Challenge = {
    purpose: { call: 'approvals.approve', inputHash: null },
    approvals: [{ id: approvalId, digest }],
    ...{ total: computeTotal([money]), account, nonce: 'nonce', expiresAt: clock.now() + 60_000 },
  };
  const { response } = authenticator.get({ challenge: computeWebAuthnChallenge(challenge) });
  const forgedMoney: PromptMoney = { ...money, totalMinor: forgeTotalMinor };
  const forged: Challenge = { ...challenge, total: computeTotal([forgedMoney]) };
  const proof: Proof = {
    ...{ kind: 'passkey', proofId: 'pr_1', challenge: forged },
    ...{ credentialId: authenticator.id, publicKey, assertion: response },
  };

  const table = createApprovalsTable(db);
  const at = clock.now();
  const by = { kind: 'person' } as const;
  table.add({
    ...{ approvalId, account, asker: by, askerId: 'person', route: request.route, subject, digest },
    ...{ requestDigest: 'request', reason: null, sinceShown: [], askedAt: at, shownAt: at, expiresAt: at + 1_000_000 },
    ...{ batchId: null, placeSeq: null, askedSeq: null, isCorrection: false, addedItemId: null },
    prompt: {
      ...{ act: 'Publish', consequence: 'It goes live.', target: null, facts: [], changes: [], money: forgedMoney },
      ...{ feeNotice: null, mainFact: null, undo: 'It can be ended.', final: false, yes: 'Publish' },
    },
  });
  const addRow = (kind: string, facts: Record<string, unknown> = {}): void =>
    ledger.append(clock.now(), kind, { approvalId, ...facts });
  addRow('approval.asked', { by, route: request.route, digest });
  clock.advance(1_000);
  table.keepProof(proof);
  table.move(approvalId, 'approve', { at: clock.now(), proofId: proof.proofId });
  addRow('approval.approve', { digest, proof: { proofId: proof.proofId, hash: hashCanonicalJson(proof) } });
  table.move(approvalId, 'send', { at: clock.now() });
  addRow('approval.send');
  table.move(approvalId, 'answer', { at: clock.now(), answer: { status: 200, headers: {}, body: {} } });
  addRow('approval.answer');
  return { ...world, text: world.receipt(approvalId), credential, authenticator };
};
