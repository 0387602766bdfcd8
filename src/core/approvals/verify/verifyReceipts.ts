import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { ApprovalState } from '../../storage/tables/approvalRecord.ts';
import { toCanonicalJson } from '../../base/json.ts';
import { listApprovalIdsOfRow } from '../ledger/ledger.ts';
import { computeRowHash, type LedgerRow } from '../../storage/tables/ledger/ledgerRow.ts';
import {
  isReceiptSigned,
  receiptShape,
  type Receipt,
  isStatementSigned,
  statementLine,
} from '../ledger/signedExports.ts';
import { computeKeyFingerprint, openVerifier } from '../ledger/signatures.ts';
import { describeReceiptProof, findProofFaults, findReceiptProof } from './verifyProof.ts';
import { parseExactLine, type FileLine, createFinding, type Finding, type Report } from './report.ts';
import { findOwnEntry } from '../../../contract/untrusted.ts';

/** The final state after each of these events; other events are not final. */
const statesByEvent: Partial<Record<string, ApprovalState>> = {
  'approval.answer': 'done',
  'approval.confirm': 'done',
  'approval.refuse': 'failed',
  'approval.refute': 'failed',
  'approval.decline': 'declined',
  'approval.expire': 'expired',
  'approval.withdraw': 'withdrawn',
  'approval.takeBack': 'withdrawn',
  'approval.dropped': 'superseded',
};
const getFinalState = (row: LedgerRow, approvalId: string): ApprovalState | undefined =>
  row.facts['before'] === approvalId ? 'superseded' : findOwnEntry(statesByEvent, row.kind);

const findRowFault = (
  row: LedgerRow,
  receipt: Receipt,
  verifiers: ReturnType<typeof openReceiptVerifiers>,
): string | null => {
  if (computeRowHash(row) !== row.hash) return 'was changed: its hash does not fit what it says';
  const isValidity = findReceiptProof(receipt)?.validity.includes(row) === true;
  if (!isValidity && !listApprovalIdsOfRow(row).includes(receipt.approvalId)) return 'is about something else';
  if (row.signature === null) return null;
  const { hash, signature } = row;
  return verifiers.some((verify) => verify('row', hash, signature)) ? null : 'is not signed by a key that it names';
};

const openReceiptVerifiers = ({ keys }: Receipt) =>
  keys.flatMap(({ publicKey, fingerprint }) => {
    const verifier = computeKeyFingerprint(publicKey) === fingerprint ? openVerifier(publicKey) : null;
    return verifier ? [verifier] : [];
  });

const findRowContradictions = (receipt: Receipt): string[] => {
  const { ledger: rows, approvalId, answer, digest } = receipt;
  const own = rows.filter(({ facts }) => facts['approvalId'] === approvalId);
  const end = rows.map((row) => getFinalState(row, approvalId)).findLast((state) => state !== undefined);
  const asked = own.find(({ kind }) => kind === 'approval.asked' || kind === 'approval.replaced');
  const decided = own.filter(({ kind }) => kind === 'approval.approve' || kind === 'approval.decline');
  const { decidedAt } = answer;
  const isOrdered = rows.every(({ seq }, index) => index === 0 || seq > (rows[index - 1]?.seq ?? 0));
  const shown = asked?.facts['digest'];
  return [
    ...(isOrdered ? [] : ['Its rows are not in their order.']),
    ...(end === undefined || end === answer.state ? [] : ['Its rows end in another way than it says.']),
    ...(shown === undefined || shown === digest ? [] : ['What was shown is not what its rows say.']),
    ...(decided.length === 0 || (decidedAt !== null && decided.some(({ at }) => at >= decidedAt))
      ? []
      : ['It was not answered when its rows say.']),
  ];
};

const findReceiptFaults = async (receipt: Receipt, whose: string, line: number): Promise<Finding[]> => {
  const verifiers = openReceiptVerifiers(receipt);
  const proofFaults = await findProofFaults(receipt);
  const holds = isReceiptSigned(receipt) && computeKeyFingerprint(receipt.publicKey) === receipt.fingerprint;
  const validity = findReceiptProof(receipt)?.validity ?? [];
  const rows = [...receipt.ledger, ...validity].flatMap((row) => {
    const fault = findRowFault(row, receipt, verifiers);
    return fault ? [createFinding('ROW', `${whose}: row ${row.seq} ${fault}.`, { line, row: row.seq })] : [];
  });
  return [
    ...(holds
      ? []
      : [createFinding('RECEIPT', `${whose} was changed, or is not signed by the key that it names.`, { line })]),
    ...(receipt.ledger.length === 0
      ? [createFinding('NO_ROWS', `${whose} has no rows of the history.`, { line })]
      : []),
    ...rows,
    ...proofFaults.map((sentence) => createFinding('PROOF', `${whose}: ${sentence}`, { line })),
    ...findRowContradictions(receipt).map((sentence) => createFinding('STORY', `${whose}: ${sentence}`, { line })),
  ];
};

const ways = { window: 'in the window', compact: 'in the compact window', notification: 'in a notification' } as const;

/** Describes how the person gave the yes; null if the receipt does not state it. */
const describeYes = (receipt: Receipt): string | null => {
  const evidence = receipt.version === 3 ? receipt.answer.evidence : null;
  if (evidence === null) return null;
  const { way, windowSession, drawnAs, dwellMs, isAutomated } = evidence;
  const seconds = (dwellMs / 1_000).toFixed(1);
  return [
    `${receipt.approvalId}: pressed ${ways[way]} after ${seconds} s (window session ${windowSession}).`,
    ...(drawnAs === 'summary' ? ['Its row was not scrolled into view, only the heading and total of its batch.'] : []),
    ...(isAutomated === true ? ['The browser said that a program drives it.'] : []),
    describeReceiptProof(receipt),
  ].join(' ');
};

const createReceiptNotes = (receipts: Receipt[]): string[] => {
  const unsigned = receipts.filter(({ ledger }) => ledger.some(({ signature }) => signature === null)).length;
  const first = receipts.filter(({ version }) => version === 1).length;
  return [
    ...receipts.flatMap((receipt) => describeYes(receipt) ?? []),
    ...(first === 0 ? [] : [`Receipts in which "shownAt" is only the time of the request: ${first}.`]),
    ...(unsigned === 0 ? [] : [`Receipts with rows from before rows were signed: ${unsigned}.`]),
    ...(receipts.some(({ keychain }) => keychain === 'memory')
      ? ['The key that signed this was kept for one run only: the next run signs with another one.']
      : []),
  ];
};

const createReceiptsReport = (
  kind: Report['kind'],
  receipts: Receipt[],
  findings: Finding[],
  fingerprint: string | null,
): Report => ({
  whole: findings.length === 0,
  kind,
  count: receipts.length,
  fingerprint,
  keys: [],
  findings,
  notes: createReceiptNotes(receipts),
});

export const verifySingleReceipt = async (text: string): Promise<Report> => {
  const value: unknown = JSON.parse(text);
  const parsed = receiptShape.safeParse(value);
  if (!parsed.success)
    return createReceiptsReport(
      'receipt',
      [],
      [createFinding('NOT_A_RECEIPT', 'The receipt is not as the companion writes it.')],
      null,
    );
  const receipt = parsed.data;
  const isExact = `${toCanonicalJson(receipt, 2)}\n` === text;
  const findings = [
    ...(isExact ? [] : [createFinding('REWRITTEN', 'The receipt was rewritten by another program.')]),
    ...(await findReceiptFaults(receipt, 'The receipt', 1)),
  ];
  return createReceiptsReport('receipt', [receipt], findings, receipt.fingerprint);
};

const verifyClosingStatement = (
  closing: FileLine | undefined,
  receipts: Receipt[],
): { findings: Finding[]; key: string | null } => {
  const none = 'The signed last line is missing, so it cannot be told whether receipts are missing.';
  const closed = closing ? parseExactLine(statementLine, closing) : null;
  const stated = closed?.data?.statement;
  if (!closed?.data || stated?.of !== 'receipts') return { findings: [createFinding('NO_STATEMENT', none)], key: null };
  const digest = createHash('sha256');
  for (const { signature } of receipts) digest.update(signature);
  const checks: [boolean, string, string][] = [
    [
      !isStatementSigned(closed.data) || computeKeyFingerprint(stated.publicKey) !== stated.fingerprint,
      'STATEMENT',
      'The last line is not signed by the key that it names.',
    ],
    [
      receipts.some(({ fingerprint }) => fingerprint !== stated.fingerprint),
      'STATEMENT_KEY',
      'The last line is not signed by the key that signed the receipts.',
    ],
    [
      stated.receipts !== receipts.length,
      'LENGTH',
      `The last line says that there are ${stated.receipts} receipts; here are ${receipts.length}.`,
    ],
    [stated.digest !== digest.digest('hex'), 'LAST', 'The receipts are not those that the last line names.'],
  ];
  const failed = checks.flatMap(([fails, code, sentence]) => (fails ? [createFinding(code, sentence)] : []));
  return { findings: [...(closed.finding ? [closed.finding] : []), ...failed], key: stated.fingerprint };
};

/** Verifies each receipt of an export. The signed last line shows whether receipts are missing. */
export const verifyReceiptsExport = async (lines: FileLine[]): Promise<Report> => {
  const closing = statementLine.safeParse(lines.at(-1)?.value).success ? lines.at(-1) : undefined;
  const findings: Finding[] = [];
  const receipts: Receipt[] = [];
  const ids = new Set<string>();
  for (const line of closing ? lines.slice(0, -1) : lines) {
    const { data, finding: wrong } = parseExactLine(receiptShape, line);
    if (wrong) findings.push(wrong);
    if (!data) continue;
    const whose = `Receipt ${line.line}`;
    if (ids.has(data.approvalId))
      findings.push(createFinding('TWICE', `${whose} is there twice.`, { line: line.line }));
    ids.add(data.approvalId);
    receipts.push(data);
    findings.push(...(await findReceiptFaults(data, whose, line.line)));
  }
  const closed = verifyClosingStatement(closing, receipts);
  findings.push(...closed.findings);
  return createReceiptsReport('receipts', receipts, findings, closed.key ?? receipts[0]?.fingerprint ?? null);
};

export const looksLikeReceipt = (value: unknown): boolean =>
  z.looseObject({ approvalId: z.unknown(), digest: z.unknown() }).safeParse(value).success;
