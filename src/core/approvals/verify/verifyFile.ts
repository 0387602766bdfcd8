import * as z from 'zod';
import { readLines, type Line, finding, shortFingerprint, type Finding, type Report } from './report.ts';
import { verifyLedger } from './verifyLedger.ts';
import { isReceipt, verifyReceipt, verifyReceipts } from './verifyReceipts.ts';

const decoded = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const unknown = (findings: Finding[]): Report => ({
  whole: false,
  kind: 'unknown',
  count: 0,
  fingerprint: null,
  keys: [],
  findings: [finding('UNKNOWN', 'This is neither a receipt nor a history that the companion wrote.'), ...findings],
  notes: [],
});

const isRow = (value: unknown): boolean =>
  z.looseObject({ seq: z.unknown(), hash: z.unknown() }).safeParse(value).success;
const statedOf = (value: unknown): unknown =>
  z.looseObject({ statement: z.looseObject({ of: z.unknown() }) }).safeParse(value).data?.statement.of;

/** Returns the kind of most lines, so that a manipulated line does not hide the others. */
const kindOf = (lines: Line[]): 'ledger' | 'receipts' | null => {
  if (lines.some(({ value }) => isRow(value))) return 'ledger';
  if (lines.some(({ value }) => isReceipt(value))) return 'receipts';
  const stated = statedOf(lines.at(-1)?.value);
  return stated === 'ledger' || stated === 'receipts' ? stated : null;
};

const verifyLines = (text: string): Report => {
  const { lines, findings } = readLines(text);
  const kind = kindOf(lines);
  if (kind === null) return unknown(findings);
  const report = kind === 'ledger' ? verifyLedger(lines) : verifyReceipts(lines);
  return { ...report, whole: report.whole && findings.length === 0, findings: [...findings, ...report.findings] };
};

/** Returns a finding if the file is not signed by the key that the person named. */
const keyFindings = (report: Report, key: string | null): Finding[] => {
  if (key === null || report.fingerprint?.startsWith(key)) return [];
  const found = report.fingerprint === null ? 'no key' : `the key ${shortFingerprint(report.fingerprint)}`;
  return [finding('OTHER_KEY', `This is signed by ${found}, and not by the one that you named.`)];
};

/**
 * Verifies a file of the companion: a receipt, receipts, or the history. `key` is the expected start of the fingerprint in
 * lower-case hex; null if the person named none.
 */
export const verifyFile = (bytes: Uint8Array, key: string | null): Report => {
  const text = decoded(bytes);
  if (text === null) return unknown([finding('NOT_TEXT', 'The file is not text in UTF-8.')]);
  const single = parsed(text);
  // A receipt exported alone spans several lines.
  const isSingle = isReceipt(single) && text.trimEnd().includes('\n');
  const report = isSingle ? verifyReceipt(text) : verifyLines(text);
  const findings = [...report.findings, ...keyFindings(report, key)];
  return { ...report, whole: findings.length === 0, findings };
};
