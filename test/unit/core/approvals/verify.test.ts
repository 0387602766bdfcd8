import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { toCanonicalJson } from '../../../../src/core/base/json.ts';
import { verifyExportedFile } from '../../../../src/core/approvals/verify/verifyFile.ts';
import { createRandom } from '../../../helpers/createRandom.ts';
import { createSignedLedger } from '../../../helpers/approvals/createSignedLedger.ts';
import { ledgerMutations, mutations, rewriteChain, type Mutation } from '../../../helpers/approvals/mutateExport.ts';

/** `LEDGER_MUTATIONS=10000 npm test -- test/unit/core/approvals/verify.test.ts` tries more mutations. */
const times = Number(process.env['LEDGER_MUTATIONS'] ?? 300);
const timeoutMs = 30_000 + times * 20;

const verifyText = (text: string, key: string | null = null) => verifyExportedFile(Buffer.from(text), key);

const createSettledLedger = async () => {
  const world = await createSignedLedger();
  for (const id of ['ap_1', 'ap_2', 'ap_3']) world.settle(id, id === 'ap_2' ? 'decline' : 'answer');
  return world;
};

/** Returns which of `count` random mutations were not detected. */
const findUndetected = async (
  text: string,
  all: [string, Mutation][],
  count: number,
  key: string | null = null,
): Promise<string[]> => {
  const random = createRandom(20_262);
  const found: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const [name, mutate] = all[index % all.length] ?? ['none', (same: string) => same];
    const mutated = mutate(text, random);
    if (mutated !== text && (await verifyText(mutated, key)).whole) found.push(`${index}: ${name}`);
  }
  return found;
};

test('an exported ledger verifies as intact', async () => {
  const world = await createSettledLedger();
  const text = world.exported();
  expect(await verifyText(text)).toMatchObject({ whole: true, kind: 'ledger', count: 11, findings: [], notes: [] });
  const fingerprint = world.signed.signing.fingerprint;
  expect(await verifyText(text, fingerprint.slice(0, 20))).toMatchObject({ whole: true, fingerprint });
  expect((await verifyText(text, 'f'.repeat(20))).findings).toMatchObject([{ code: 'OTHER_KEY' }]);
});

test(
  'verification detects every random change of a ledger',
  async () => {
    const text = (await createSettledLedger()).exported();
    expect(await findUndetected(text, Object.entries({ ...mutations, ...ledgerMutations }), times)).toEqual([]);
  },
  timeoutMs,
);

test('the fingerprint of the key reveals a completely rewritten ledger', async () => {
  const world = await createSettledLedger();
  const [text, { fingerprint }] = [world.exported(), world.signed.signing];
  const rewritten = await verifyText(rewriteChain(text, createRandom(1)));
  expect(rewritten).toMatchObject({ whole: true });
  expect(rewritten.fingerprint).not.toBe(fingerprint);
  expect(await findUndetected(text, [['rewritten', rewriteChain]], Math.ceil(times / 20), fingerprint)).toEqual([]);
});

test(
  'verification detects every random change of receipts',
  async () => {
    const world = await createSettledLedger();
    const all = world.receipts();
    expect(await verifyText(all)).toMatchObject({ whole: true, kind: 'receipts', count: 3 });
    expect(await findUndetected(all, Object.entries(mutations), times)).toEqual([]);
    const one = world.receipt('ap_1');
    expect(await verifyText(one)).toMatchObject({ whole: true, kind: 'receipt', count: 1 });
    const single = Object.entries(mutations).filter(([name]) => !name.includes('field') && !name.includes('value'));
    const ofText = single.filter(([name]) => !name.includes('key') && name !== 'spaces between');
    expect(await findUndetected(one, ofText, times)).toEqual([]);
  },
  timeoutMs,
);

test('a planted line cannot make a ledger verify as receipts, or receipts as a ledger', async () => {
  const world = await createSettledLedger();
  const [ledger, receipts] = [world.exported(), world.receipts()];
  const plant = (line: string, text: string): string => `${line.split('\n')[0]}\n${text}`;
  expect(await verifyText(plant(ledger, receipts))).toMatchObject({ whole: false, kind: 'receipts', count: 3 });
  expect(await verifyText(plant(receipts, ledger))).toMatchObject({ whole: false, kind: 'ledger', count: 11 });
});

test('the report names ledger rows that were written before rows were signed', async () => {
  const { createLedger } = await import('../../../../src/core/approvals/ledger/ledger.ts');
  const before = await createSignedLedger();
  const old = createLedger(before.db);
  for (const kind of ['approval.asked', 'approval.decline']) old.append(1, kind, { approvalId: 'ap_0' });
  before.settle('ap_1');
  const { whole, notes } = await verifyText(before.exported());
  expect([whole, notes]).toEqual([true, ['Rows 1–2 are from before rows were signed: only their hashes hold them.']]);
  old.append(2, 'approval.approve', { approvalId: 'ap_9' });
  expect((await verifyText(before.exported())).findings).toMatchObject([{ code: 'UNSIGNED', row: 8 }]);
});

test('a ledger with several signing keys verifies, and the report lists the keys', async () => {
  const first = await createSettledLedger();
  const { createMemorySecrets } = await import('../../../helpers/hosts/createMemorySecrets.ts');
  const second = await createSignedLedger({ db: first.db, secrets: createMemorySecrets() });
  second.settle('ap_4');
  const { whole, keys, notes, fingerprint } = await verifyText(second.exported());
  expect([whole, keys.map(({ from }) => from)]).toEqual([true, [1, 12]]);
  expect(fingerprint).toBe(second.signed.signing.fingerprint);
  expect(notes.at(-1)).toContain('for one run only');
  expect(await verifyText(second.receipt('ap_1'))).toMatchObject({ whole: true });
});

test('a receipt does not record when the prompt was shown', async () => {
  const { shown, version } = JSON.parse((await createSettledLedger()).receipt('ap_1')) as Record<string, object>;
  expect(version).toBe(3);
  expect(Object.keys(shown ?? {}).toSorted()).toEqual(['askedAt', 'expiresAt', 'prompt', 'sinceShown', 'subject']);
});

test('receipts of version 1 still verify with their original signatures', async () => {
  // The companion wrote this file before receipts had version 2.
  const all = await readFile(new URL('receiptsOfVersion1.jsonl', import.meta.url), 'utf8');
  const [first = ''] = all.split('\n');
  const one = `${toCanonicalJson(JSON.parse(first), 2)}\n`;
  const notes = (count: number) => [`Receipts in which "shownAt" is only the time of the request: ${count}.`];
  expect(await verifyText(all)).toMatchObject({ whole: true, kind: 'receipts', count: 2, notes: notes(2) });
  expect(await verifyText(one)).toMatchObject({ whole: true, kind: 'receipt', count: 1, notes: notes(1) });
  expect(await findUndetected(all, Object.entries(mutations), Math.ceil(times / 3))).toEqual([]);
  for (const [pattern, other] of [
    [/"shownAt": \d+/, '"shownAt": 1772366400001'],
    [/"shownAt": \d+,\s*/, ''],
    [/"version": 1/, '"version": 2'],
  ] as const)
    expect((await verifyText(one.replace(pattern, other))).whole, String(pattern)).toBe(false);
});

test('receipts of version 2 still verify with their original signatures', async () => {
  // The companion wrote this file before receipts had version 3.
  const all = await readFile(new URL('receiptsOfVersion2.jsonl', import.meta.url), 'utf8');
  expect(await verifyText(all)).toMatchObject({ whole: true, kind: 'receipts', count: 2, notes: [] });
  expect(await findUndetected(all, Object.entries(mutations), Math.ceil(times / 3))).toEqual([]);
});

test('verification states how the person gave each yes', async () => {
  const world = await createSignedLedger();
  const window = { way: 'window', windowSession: 'ws_1', drawnAs: 'prompt', dwellMs: 2_345 } as const;
  world.settle('ap_1', 'answer', { ...window, isAutomated: true });
  world.settle('ap_2', 'answer', { ...window, way: 'notification', isAutomated: null });
  world.settle('ap_3', 'answer', { ...window, way: 'compact', drawnAs: 'summary', isAutomated: false });
  world.settle('ap_4', 'decline');
  const text = world.receipts();
  expect(await verifyText(text)).toMatchObject({ whole: true, count: 4 });
  expect((await verifyText(text)).notes).toEqual([
    'ap_1: pressed in the window after 2.3 s (window session ws_1). The browser said that a program drives it. No proof of a person.',
    'ap_2: pressed in a notification after 2.3 s (window session ws_1). No proof of a person.',
    'ap_3: pressed in the compact window after 2.3 s (window session ws_1). Its row was not scrolled into view, only the heading and total of its batch. No proof of a person.',
  ]);
  expect((await verifyText(text.replace('"dwellMs":2345', '"dwellMs":9345'))).whole).toBe(false);
  expect((await verifyText(text.replace('"isAutomated":true', '"isAutomated":false'))).whole).toBe(false);
});
