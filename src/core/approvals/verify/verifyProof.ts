import { createHash } from 'node:crypto';
import * as z from 'zod';
import { hashCanonicalJson, toCanonicalJson } from '../../base/json.ts';
import { computeTotal, type Proof } from '../../presence/proof.ts';
import { relyingPartyOrigin, verifyAssertion } from '../../presence/passkeys.ts';
import { isPasskeyRow } from '../ledger/ledger.ts';
import type { LedgerRow } from '../../storage/tables/ledger/ledgerRow.ts';
import type { Receipt, ReceiptProof } from '../ledger/signedExports.ts';

export const findReceiptProof = (receipt: Receipt): ReceiptProof | null =>
  receipt.version === 3 ? receipt.proof : null;

const shownMoney = z.object({
  prompt: z.looseObject({
    money: z
      .looseObject({
        state: z.enum(['fee', 'free', 'unavailable']),
        currency: z.string().nullable(),
        totalMinor: z.int().nullable(),
      })
      .nullable(),
  }),
});

const shownSubject = z.looseObject({
  subject: z.looseObject({ request: z.looseObject({ route: z.string(), input: z.unknown() }), first: z.unknown() }),
});

/** The digest that the person confirmed covers the subject, and the subject says what may be sent. */
const isSentAsConfirmed = ({ shown, digest, sent: { route, input, first } }: Receipt): boolean => {
  const { data } = shownSubject.safeParse(shown);
  if (data === undefined || hashCanonicalJson(data.subject) !== digest) return false;
  const { request, first: confirmedFirst } = data.subject;
  return toCanonicalJson([route, input, first]) === toCanonicalJson([request.route, request.input, confirmedFirst]);
};

const earlierProof = z.object({ ageMs: z.int().min(0), minutes: z.int() });
const approvedWith = z.looseObject({
  proof: z.looseObject({ proofId: z.string(), hash: z.string(), earlier: earlierProof.optional() }),
});

const isTotalOfReceipt = (receipt: Receipt, { challenge }: Proof): boolean => {
  // Only the receipts of all rows together could show the total of a batch.
  if (challenge.approvals.length !== 1) return true;
  const { data } = shownMoney.safeParse(receipt.shown);
  return data !== undefined && toCanonicalJson(computeTotal([data.prompt.money])) === toCanonicalJson(challenge.total);
};

/** Returns the ledger row of the yes. A row that was not given with this proof contradicts it. */
const findApproveRow = ({ ledger, approvalId }: Receipt): LedgerRow | undefined =>
  ledger.findLast(({ kind, facts }) => kind === 'approval.approve' && facts['approvalId'] === approvalId);

const isNamedByRow = (row: LedgerRow | undefined, proof: Proof): boolean => {
  const { data } = approvedWith.safeParse(row?.facts);
  return data?.proof.hash === hashCanonicalJson(proof) && data.proof.proofId === proof.proofId;
};

type PasskeyProof = Extract<Proof, { kind: 'passkey' }>;

const clientData = z.looseObject({ origin: z.string() });

const readClientData = ({ assertion }: PasskeyProof) => {
  try {
    return clientData.parse(JSON.parse(Buffer.from(assertion.clientDataJSON, 'base64url').toString('utf8')));
  } catch {
    return null;
  }
};

const isAssertionValid = async (proof: PasskeyProof): Promise<boolean> => {
  const { challenge, credentialId, publicKey, assertion } = proof;
  const read = readClientData(proof);
  if (read === null || !relyingPartyOrigin.test(read.origin)) return false;
  const credential = { credentialId, publicKey, counter: 0 };
  try {
    await verifyAssertion(
      { challenge, origin: read.origin, credential },
      { id: credentialId, rawId: credentialId, type: 'public-key', response: assertion },
    );
    return true;
  } catch {
    return false;
  }
};

/** Returns whether the ledger says that the passkey was set up, with this key, when the yes was given. */
const wasPasskeyValid = (
  { credentialId, publicKey }: PasskeyProof,
  validity: readonly LedgerRow[],
  yes: LedgerRow | undefined,
): boolean => {
  if (yes === undefined || !validity.every((row) => isPasskeyRow(row, credentialId))) return false;
  const last = validity.findLast(({ seq }) => seq < yes.seq);
  return last?.kind === 'proof.added' && last.facts['publicKey'] === publicKey;
};

const findEarlierProof = (yes: LedgerRow | undefined) => approvedWith.safeParse(yes?.facts).data?.proof.earlier ?? null;

const checkProofCoverage = (receipt: Receipt, given: Proof): [boolean, string][] => {
  const { approvals, purpose } = given.challenge;
  const covers = approvals.some(({ id, digest }) => id === receipt.approvalId && digest === receipt.digest);
  return [
    [covers && purpose.inputHash === null, 'The proof is about something else.'],
    [isTotalOfReceipt(receipt, given), 'The proof is for another total.'],
  ];
};

/** An earlier proof does not name this approval, so only its age is checked, which the signed row states. */
const checkEarlierProof = ({ asker }: Receipt, earlier: ReturnType<typeof findEarlierProof>): [boolean, string][] => [
  [asker.kind === 'person', 'An earlier proof was used for an assistant.'],
  [earlier !== null && earlier.ageMs < earlier.minutes * 60_000 && earlier.minutes <= 15, 'The proof was too old.'],
];

/** Checks the proof of a receipt without the companion. Returns the sentences that describe its faults. */
export const findProofFaults = async (receipt: Receipt): Promise<string[]> => {
  const found = findReceiptProof(receipt);
  const yes = findApproveRow(receipt);
  if (found === null) return approvedWith.safeParse(yes?.facts).success ? ['The proof of the yes is missing.'] : [];
  const { given, validity } = found;
  const checks: [boolean, string][] = [
    ...(findEarlierProof(yes) === null
      ? checkProofCoverage(receipt, given)
      : checkEarlierProof(receipt, findEarlierProof(yes))),
    [given.challenge.account === receipt.account, 'The proof is for another account.'],
    [isSentAsConfirmed(receipt), 'What was sent is not what the proof is about.'],
    [isNamedByRow(yes, given), 'The row of the yes names another proof.'],
    ...(given.kind === 'passkey'
      ? ([
          [await isAssertionValid(given), 'The passkey did not sign this.'],
          [wasPasskeyValid(given, validity, yes), 'The passkey was not set up when the yes was given.'],
        ] satisfies [boolean, string][])
      : []),
  ];
  return checks.flatMap(([holds, sentence]) => (holds ? [] : [sentence]));
};

/** Returns a short name of a passkey, which people can compare. */
const formatShortCredential = (credentialId: string): string =>
  createHash('sha256').update(credentialId).digest('hex').slice(0, 8);

/** Describes how the person proved the yes. */
export const describeReceiptProof = (receipt: Receipt): string => {
  const given = findReceiptProof(receipt)?.given;
  if (!given) return 'No proof of a person.';
  const earlier = findEarlierProof(findApproveRow(receipt));
  if (earlier === null) return describeGivenProof(given);
  const minutes = Math.floor(earlier.ageMs / 60_000);
  return `${describeGivenProof(given).split('.')[0] ?? ''} ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} before, for something else. The person allowed this for own acts for ${earlier.minutes} minutes. This act has no proof of its own.`;
};

const describeGivenProof = (given: Proof): string => {
  if (given.kind === 'passkey')
    return `Confirmed by fingerprint or key (passkey ${formatShortCredential(given.credentialId)}).`;
  return given.kind === 'pin'
    ? 'Confirmed by PIN. Nothing is signed with a PIN.'
    : 'Confirmed in the dialog of the operating system. Nothing is signed in it.';
};
