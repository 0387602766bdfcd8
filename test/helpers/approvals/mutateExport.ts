import { toCanonicalJson } from '../../../src/core/base/json.ts';
import {
  chainStart,
  ledgerRow,
  computeRowHash,
  type LedgerRow,
} from '../../../src/core/storage/tables/ledger/ledgerRow.ts';
import { createPrivateKeyText, openSigner, type Signer } from '../../../src/core/approvals/ledger/signatures.ts';
import { statementLine } from '../../../src/core/approvals/ledger/signedExports.ts';

export type Random = () => number;
export type Mutation = (text: string, random: Random) => string;

const pickBelow = (random: Random, end: number): number => Math.floor(random() * end);
const splitLines = (text: string): string[] => text.split('\n').slice(0, -1);
const joinLines = (lines: readonly unknown[]): string =>
  lines.map((line) => `${typeof line === 'string' ? line : toCanonicalJson(line)}\n`).join('');
const mutateLines =
  (change: (lines: string[], random: Random) => string[]): Mutation =>
  (text, random) =>
    joinLines(change(splitLines(text), random));
const mutateOneLine = (change: (line: string, random: Random) => string): Mutation =>
  mutateLines((lines, random) => {
    const at = pickBelow(random, lines.length);
    return lines.map((line, index) => (index === at ? change(line, random) : line));
  });

type Leaf = { of: Record<string, unknown>; key: string };
const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const listLeaves = (value: unknown): Leaf[] =>
  value === null || typeof value !== 'object'
    ? []
    : Object.entries(value).flatMap(([key, part]) => [
        { of: value as Record<string, unknown>, key },
        ...listLeaves(part),
      ]);

const changeValue = (value: unknown, random: Random): unknown => {
  if (typeof value === 'number') return value + 1 + pickBelow(random, 9);
  if (typeof value === 'string') return value === '' ? 'x' : value.slice(0, -1) + (value.endsWith('0') ? '1' : '0');
  if (typeof value === 'boolean') return !value;
  return value === null ? 0 : null;
};

const mutateLeaf = (change: (leaf: Leaf, random: Random) => void): Mutation =>
  mutateOneLine((line, random) => {
    const value: unknown = JSON.parse(line);
    const leaves = listLeaves(value);
    const leaf = leaves[pickBelow(random, leaves.length)];
    if (leaf) change(leaf, random);
    return toCanonicalJson(value);
  });

const parseRows = (lines: string[]): LedgerRow[] =>
  lines.slice(0, -1).map((line) => ledgerRow.parse(JSON.parse(line) as unknown));
const parseStatement = (lines: string[]) => statementLine.parse(JSON.parse(lines.at(-1) ?? '') as unknown);

/** Recomputes the hash chain from the first row on; without a signer the signatures stay unchanged. */
const rebuildChain = (rows: LedgerRow[], signer: Signer | null): LedgerRow[] => {
  let previous = chainStart;
  return rows.map((row, index) => {
    const facts =
      signer && row.kind === 'ledger.key'
        ? { ...row.facts, fingerprint: signer.fingerprint, publicKey: signer.publicKey, before: null }
        : row.facts;
    const next = { ...row, seq: index + 1, facts, previous };
    const hash = computeRowHash(next);
    previous = hash;
    return { ...next, hash, signature: signer ? signer.sign('row', hash) : row.signature };
  });
};

/** Adapts the signed statement to the rows and signs it with this key. */
const signStatement = (lines: string[], rows: LedgerRow[], signer: Signer): string[] => {
  const { statement } = parseStatement(lines);
  const { publicKey, fingerprint } = signer;
  const begins = rows.find(({ kind }) => kind === 'ledger.key')?.seq ?? 1;
  const next = {
    ...statement,
    rows: rows.length,
    first: rows[0]?.hash ?? null,
    last: rows.at(-1)?.hash ?? null,
    keys: [{ fingerprint, publicKey, from: begins }],
    publicKey,
    fingerprint,
  };
  const closing = statementLine.parse({ statement: next, signature: signer.sign('statement', toCanonicalJson(next)) });
  return [...rows.map((row) => toCanonicalJson(row)), toCanonicalJson(closing)];
};

const changeRow = (rows: LedgerRow[], random: Random): LedgerRow[] => {
  const at = pickBelow(random, rows.length);
  return rows.map((row, index) => (index === at ? { ...row, at: row.at + 1 } : row));
};

/** Everything that someone without the private key could change in an export, by name. */
export const mutations: Record<string, Mutation> = {
  'another character': (text, random) => {
    const at = pickBelow(random, text.length);
    const codes = [' ', '0', '1', 'a', '"', '{', '\n', 'ä'].filter((code) => code !== text[at]);
    return text.slice(0, at) + (codes[pickBelow(random, codes.length)] ?? '') + text.slice(at + 1);
  },
  'a character left out': (text, random) => {
    const at = pickBelow(random, text.length);
    return text.slice(0, at) + text.slice(at + 1);
  },
  'the end cut off': (text, random) => text.slice(0, pickBelow(random, text.length)),
  'something after the end': (text, random) =>
    text + ([' ', '\n', '{}\n', 'null\n', '\0'][pickBelow(random, 5)] ?? ' '),
  'something before the beginning': (text, random) =>
    (['\uFEFF', ' ', '\n', '{}\n'][pickBelow(random, 4)] ?? ' ') + text,
  'a line left out': mutateLines((lines, random) => lines.toSpliced(pickBelow(random, lines.length), 1)),
  'lines left out at the end': mutateLines((lines, random) => lines.slice(0, pickBelow(random, lines.length))),
  'rows left out before the last line': mutateLines((lines, random) =>
    lines.toSpliced(
      lines.length - 1 - (1 + pickBelow(random, lines.length - 2)),
      1 + pickBelow(random, lines.length - 2),
    ),
  ),
  'a line twice': mutateLines((lines, random) => {
    const at = pickBelow(random, lines.length);
    return lines.toSpliced(pickBelow(random, lines.length + 1), 0, lines[at] ?? '');
  }),
  'two lines swapped': mutateLines((lines, random) => {
    const from = pickBelow(random, lines.length);
    const to = (from + 1 + pickBelow(random, lines.length - 1)) % lines.length;
    return lines.with(from, lines[to] ?? '').with(to, lines[from] ?? '');
  }),
  'another value': mutateLeaf((leaf, random) => {
    leaf.of[leaf.key] = changeValue(leaf.of[leaf.key], random);
  }),
  'a field left out': mutateLeaf(({ of, key }) => {
    if (Array.isArray(of)) of.splice(Number(key), 1);
    else delete of[key];
  }),
  'a field more': mutateLeaf(({ of }, random) => {
    if (Array.isArray(of)) of.push(pickBelow(random, 10));
    else of[`field ${pickBelow(random, 10)}`] = pickBelow(random, 10);
  }),
  'a field of no effect': mutateOneLine((line) => line.replace('{', '{"__proto__":{"at":1},')),
  'a key twice': mutateOneLine((line, random) => {
    const fields = Object.entries(JSON.parse(line) as Record<string, unknown>);
    const [key, value] = fields[pickBelow(random, fields.length)] ?? ['seq', 1];
    return `{${JSON.stringify(key)}:${JSON.stringify(random() < 0.5 ? value : 'other')},${line.slice(1)}`;
  }),
  'keys in another order': mutateOneLine((line, random) => {
    const value: unknown = JSON.parse(line);
    const objects = [value, ...listLeaves(value).map(({ of, key }) => of[key])].filter(isObject);
    const chosen = objects[pickBelow(random, objects.length)] ?? {};
    const fields = Object.entries(chosen).reverse();
    for (const [key] of fields) delete chosen[key];
    return JSON.stringify(Object.assign(chosen, Object.fromEntries(fields)) && value);
  }),
  'spaces between': mutateOneLine((line, random) =>
    random() < 0.5 ? `${line}\r` : toCanonicalJson(JSON.parse(line), 1),
  ),
};

/** More changes to the export of a ledger, which need some knowledge of its format. */
export const ledgerMutations: Record<string, Mutation> = {
  'a row changed with all later hashes': mutateLines((lines, random) => [
    ...rebuildChain(changeRow(parseRows(lines), random), null).map((row) => toCanonicalJson(row)),
    lines.at(-1) ?? '',
  ]),
  'a signature taken away': mutateLines((lines, random) => {
    const at = pickBelow(random, lines.length - 1);
    return lines.map((line, index) =>
      index === at ? toCanonicalJson({ ...ledgerRow.parse(JSON.parse(line)), signature: null }) : line,
    );
  }),
  'a row added without a signature': mutateLines((lines) => {
    const rows = parseRows(lines);
    const last = rows.at(-1);
    const row = {
      seq: rows.length + 1,
      at: 1,
      kind: 'approval.approve',
      facts: {},
      previous: last?.hash ?? chainStart,
    };
    return lines.toSpliced(
      lines.length - 1,
      0,
      toCanonicalJson({ ...row, hash: computeRowHash(row), signature: null }),
    );
  }),
  'rows left out, the last line signed by another key': mutateLines((lines, random) => {
    const rows = parseRows(lines).slice(0, -1 - pickBelow(random, lines.length - 2));
    return signStatement(lines, rows, openSigner(createPrivateKeyText(), 'system'));
  }),
  'all signatures taken away': mutateLines((lines) => [
    ...parseRows(lines).map((row) => toCanonicalJson({ ...row, signature: null })),
    lines.at(-1) ?? '',
  ]),
};

/** Rewrites the whole chain with a different key: valid in itself, but with another fingerprint. */
export const rewriteChain: Mutation = mutateLines((lines, random) => {
  const signer = openSigner(createPrivateKeyText(), 'system');
  return signStatement(lines, rebuildChain(changeRow(parseRows(lines), random), signer), signer);
});
