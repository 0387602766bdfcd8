import * as z from 'zod';
import { parseJsonOrUndefined } from '../../../text/json.ts';
import {
  readJsonLines,
  type FileLine,
  createFinding,
  formatShortFingerprint,
  type Finding,
  type Report,
} from './report.ts';
import { verifyLedgerExport } from './verifyLedger.ts';
import { looksLikeReceipt, verifySingleReceipt, verifyReceiptsExport } from './verifyReceipts.ts';

const decodeUtf8 = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
};

const createUnknownReport = (findings: Finding[]): Report => ({
  whole: false,
  kind: 'unknown',
  count: 0,
  fingerprint: null,
  keys: [],
  findings: [
    createFinding('UNKNOWN', 'This is neither a receipt nor a history that the companion wrote.'),
    ...findings,
  ],
  notes: [],
});

const looksLikeRow = (value: unknown): boolean =>
  z.looseObject({ seq: z.unknown(), hash: z.unknown() }).safeParse(value).success;
const getStatementKind = (value: unknown): unknown =>
  z.looseObject({ statement: z.looseObject({ of: z.unknown() }) }).safeParse(value).data?.statement.of;

/** The more frequent kind counts, so that a planted line cannot hide the other lines. */
const detectFileKind = (lines: FileLine[]): 'ledger' | 'receipts' | null => {
  const rows = lines.filter(({ value }) => looksLikeRow(value)).length;
  const receipts = lines.filter(({ value }) => looksLikeReceipt(value)).length;
  if (rows !== receipts) return rows > receipts ? 'ledger' : 'receipts';
  const stated = getStatementKind(lines.at(-1)?.value);
  return stated === 'ledger' || stated === 'receipts' ? stated : null;
};

const verifyJsonLines = async (text: string): Promise<Report> => {
  const { lines, findings } = readJsonLines(text);
  const kind = detectFileKind(lines);
  if (kind === null) return createUnknownReport(findings);
  const report = kind === 'ledger' ? verifyLedgerExport(lines) : await verifyReceiptsExport(lines);
  return { ...report, whole: report.whole && findings.length === 0, findings: [...findings, ...report.findings] };
};

const createKeyFindings = (report: Report, key: string | null): Finding[] => {
  if (key === null || report.fingerprint?.startsWith(key)) return [];
  const found = report.fingerprint === null ? 'no key' : `the key ${formatShortFingerprint(report.fingerprint)}`;
  return [createFinding('OTHER_KEY', `This is signed by ${found}, and not by the one that you named.`)];
};

/** `key` is the expected start of the fingerprint in lower-case hex; null accepts every key. */
export const verifyExportedFile = async (bytes: Uint8Array, key: string | null): Promise<Report> => {
  const text = decodeUtf8(bytes);
  if (text === null) return createUnknownReport([createFinding('NOT_TEXT', 'The file is not text in UTF-8.')]);
  const single = parseJsonOrUndefined(text);
  // A single exported receipt spans several lines.
  const isSingle = looksLikeReceipt(single) && text.trimEnd().includes('\n');
  const report = await (isSingle ? verifySingleReceipt(text) : verifyJsonLines(text));
  const findings = [...report.findings, ...createKeyFindings(report, key)];
  return { ...report, whole: findings.length === 0, findings };
};
