import fc from 'fast-check';
import { expect, test } from 'vitest';
import { receiptShape, signReceipts } from '../../../../src/core/approvals/ledger/signedExports.ts';
import { verifyExportedFile } from '../../../../src/core/approvals/verify/verifyFile.ts';
import { toCanonicalJson } from '../../../../src/core/base/json.ts';
import { createProvenReceipt } from '../../../helpers/presence/createProvenReceipt.ts';

const verifyText = (text: string) => verifyExportedFile(Buffer.from(text), null);
type ProvenReceipt = Awaited<ReturnType<typeof createProvenReceipt>>;
type Json = Record<string, unknown>;

/** `PROVEN_RECEIPTS=10000 npm test -- test/unit/core/presence/provenReceipts.test.ts` tries more changes. */
const numChanges = Number(process.env['PROVEN_RECEIPTS'] ?? 200);
/** To create a receipt takes much longer than to change it. */
const changesPerReceipt = 20;
const numRuns = Math.ceil(numChanges / changesPerReceipt);
const timeoutMs = 60_000 + numChanges * 60;

const text = fc.string({ maxLength: 40 });
const options = fc.record({
  listing: fc.record({
    listingId: fc.constant('lst_1'),
    status: fc.constant('draft' as const),
    title: text,
    other: fc.jsonValue(),
  }),
  input: fc.dictionary(fc.constantFrom('marketplaceId', 'price', 'note'), fc.oneof(text, fc.nat(), fc.boolean())),
  totalMinor: fc.nat(100_000),
});

const choices = fc.array(fc.nat(), { minLength: changesPerReceipt, maxLength: changesPerReceipt });

const listing = { listingId: 'lst_1', status: 'draft' } as const;

type Leaf = { of: Json; key: string; path: string };
const listLeaves = (value: unknown, path = ''): Leaf[] =>
  value === null || typeof value !== 'object'
    ? []
    : Object.entries(value).flatMap(([key, part]: [string, unknown]) =>
        part !== null && typeof part === 'object' && Object.keys(part).length > 0
          ? listLeaves(part, `${path}/${key}`)
          : [{ of: value as Json, key, path: `${path}/${key}` }],
      );

const changeValue = (value: unknown): unknown => {
  if (typeof value === 'string')
    return value.length > 0 ? `${value.slice(0, 3) === 'Aaa' ? 'B' : 'Aaa'}${value.slice(3)}` : 'x';
  // Adding 1 does not change a large number.
  if (typeof value === 'number') return Math.abs(value) > 1e6 ? 0 : value + 1;
  if (typeof value === 'boolean') return !value;
  return value === null ? 'x' : { added: 1 };
};

const formatReceipt = (value: unknown): string => `${toCanonicalJson(value, 2)}\n`;

/** Signs a changed receipt again with the key of the companion, as a program that stole this key could. */
const signAgain = ({ ledger }: ProvenReceipt, changed: Json): string => {
  const {
    version: _version,
    madeAt,
    keychain: _keychain,
    publicKey: _key,
    fingerprint: _print,
    signature: _old,
    ...rest
  } = changed;
  if (!ledger.signer) throw new Error('The ledger is signed.');
  return signReceipts([rest as never], ledger.signer, madeAt as number)
    .map(formatReceipt)
    .join('');
};

/** Everything that the passkey signed, directly or by the digest. */
const isProven = ({ path }: Leaf): boolean =>
  /^\/(approvalId|account|digest|proof|shown\/subject|sent\/(route|input|first))(\/|$)/.test(path);

const changeOne = (receipt: string, choice: number, isCandidate: (leaf: Leaf) => boolean): Json => {
  const value = JSON.parse(receipt) as Json;
  const leaves = listLeaves(value).filter(isCandidate);
  const leaf = leaves[choice % leaves.length];
  if (leaf) leaf.of[leaf.key] = changeValue(leaf.of[leaf.key]);
  return value;
};

test('the receipt of a yes with a passkey verifies', async () => {
  const made = await createProvenReceipt({ listing, input: {}, totalMinor: 35 });
  expect(await verifyText(made.text)).toMatchObject({ whole: true, findings: [] });
  const receipt = receiptShape.parse(JSON.parse(made.text));
  expect(receipt).toMatchObject({ proof: { given: { kind: 'passkey' }, validity: [{ kind: 'proof.added' }] } });
  expect(await verifyText(signAgain(made, JSON.parse(made.text) as Json))).toMatchObject({ whole: true });
});

test(
  'a receipt verifies exactly when nothing changed after the passkey signed',
  async () => {
    await fc.assert(
      fc.asyncProperty(options, choices, async (given, chosen) => {
        const made = await createProvenReceipt(given);
        const intact = await verifyText(made.text);
        expect(intact, JSON.stringify(intact.findings)).toMatchObject({ whole: true });
        for (const choice of chosen) {
          const changed = formatReceipt(changeOne(made.text, choice, () => true));
          expect(await verifyText(changed), changed).toMatchObject({ whole: false });
        }
      }),
      { numRuns },
    );
  },
  timeoutMs,
);

test(
  'a program that stole the companion’s key cannot change what the passkey signed',
  async () => {
    await fc.assert(
      fc.asyncProperty(options, choices, async (given, chosen) => {
        const made = await createProvenReceipt(given);
        for (const choice of chosen) {
          const value = changeOne(made.text, choice, isProven);
          const changed = receiptShape.safeParse(value).success ? signAgain(made, value) : formatReceipt(value);
          expect(await verifyText(changed), changed).toMatchObject({ whole: false });
        }
      }),
      { numRuns },
    );
  },
  timeoutMs,
);

test('a receipt without the proof that its ledger rows name is detected, even if it is signed again', async () => {
  const made = await createProvenReceipt({ listing, input: {}, totalMinor: 35 });
  const without = signAgain(made, { ...(JSON.parse(made.text) as Json), proof: null });
  const report = await verifyText(without);
  expect(report.findings).toMatchObject([{ code: 'PROOF', sentence: 'The receipt: The proof of the yes is missing.' }]);
});

test('a passkey that was removed before the approval proves nothing', async () => {
  const made = await createProvenReceipt({ listing, input: {}, totalMinor: 35 });
  const receipt = JSON.parse(made.text) as { proof: { validity: Json[] } };
  made.ledger.append(made.clock.now(), 'proof.removed', made.credential);
  const [added, removed] = made.ledger.listOfPasskey(made.credential.credentialId);
  const later = { ...receipt, proof: { ...receipt.proof, validity: [added, removed] } };
  expect(await verifyText(signAgain(made, later as unknown as Json))).toMatchObject({ whole: true });
  const never = { ...receipt, proof: { ...receipt.proof, validity: [] } };
  expect(await verifyText(signAgain(made, never as unknown as Json))).toMatchObject({ whole: false });
});

test('a stolen companion key cannot change the total that the passkey signed', async () => {
  const made = await createProvenReceipt({ listing, input: {}, totalMinor: 35, forgeTotalMinor: 1 });
  const { findings } = await verifyText(made.text);
  expect(findings).toMatchObject([{ code: 'PROOF', sentence: 'The receipt: The passkey did not sign this.' }]);
});
