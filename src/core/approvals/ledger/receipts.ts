import { createHash } from 'node:crypto';
import { separatePersonPage } from '../../service/personPages.ts';
import type { Clock, ExportPart } from '../../base/ports.ts';
import { createProblem } from '../../base/problem.ts';
import { cutIntoSlices } from '../../base/slices.ts';
import type { ApprovalRow, ApprovalsTable } from '../../storage/tables/approvalsTable.ts';
import { toCanonicalJson } from '../../base/json.ts';
import type { Ledger } from './ledger.ts';
import { keyFacts, type KeyFacts } from '../../storage/tables/ledger/ledgerRow.ts';
import {
  signReceipts,
  type Receipt,
  type ReceiptProof,
  signExportStatement,
  type UnsignedReceipt,
} from './signedExports.ts';
import type { Signer } from './signatures.ts';
import { isFinalState } from '../../storage/tables/approvalRecord.ts';

type ReceiptsContext = { approvalsTable: ApprovalsTable; ledger: Ledger; clock: Pick<Clock, 'now'> };

type SigningKey = KeyFacts & { from: number };

const listSigningKeys = (ledger: Ledger): SigningKey[] =>
  ledger.ofKind('ledger.key').flatMap(({ seq, facts }) => {
    const parsed = keyFacts.safeParse(facts);
    return parsed.success ? [{ from: seq, ...parsed.data }] : [];
  });

const requireSigner = ({ signer }: Ledger): Signer => {
  if (!signer) throw new Error('This ledger is not signed.');
  return signer;
};

/** Reading these, or writing them, takes a few milliseconds. */
const receiptsInStep = 20;
/**
 * The number of receipts in each message that requests signatures. While a thread sends a message, the core cannot receive
 * one. On a busy computer, a thread of low priority can need more than 10 ms for it.
 */
const receiptsPerMessage = 200;

/** Creates receipts of settled approvals on demand, from the stored approval and the ledger. */
export const createReceiptExporter = ({ approvalsTable, ledger, clock }: ReceiptsContext) => {
  const createReceiptProof = ({ proof_id: proofId }: ApprovalRow): ReceiptProof | null => {
    const given = proofId === null ? null : approvalsTable.readProof(proofId);
    return given && { given, validity: given.kind === 'passkey' ? ledger.listOfPasskey(given.credentialId) : [] };
  };
  const createUnsignedReceipt = (row: ApprovalRow, known: SigningKey[]): UnsignedReceipt => {
    const rows = ledger.listOfApproval(row.approval_id);
    const proof = createReceiptProof(row);
    const used = [...rows, ...(proof?.validity ?? [])].flatMap(({ seq, signature }) => {
      const key = signature === null ? undefined : known.find(({ from }) => from <= seq);
      return key ? [key] : [];
    });
    const unique = [...new Map(used.map((key) => [key.fingerprint, key])).values()];
    const keys = unique.map(({ fingerprint, publicKey }) => ({ fingerprint, publicKey }));
    return { ...createReceiptFields(row), proof, ledger: rows, keys };
  };
  const sign = (receipts: readonly UnsignedReceipt[]): Receipt[] =>
    signReceipts(receipts, requireSigner(ledger), clock.now());

  return {
    /** Returns the receipt of one approval as a JSON file. Throws NOT_FOUND or NOT_SETTLED. */
    exportReceipt: (approvalId: string) => {
      const row = approvalsTable.read(approvalId);
      if (!row) throw createProblem('NOT_FOUND.approval');
      if (!isFinalState(row.state)) throw createProblem('NOT_SETTLED');
      const [receipt] = sign([createUnsignedReceipt(row, listSigningKeys(ledger))]);
      return {
        name: `receipt-${approvalId}.json`,
        type: 'application/json',
        text: `${toCanonicalJson(receipt, 2)}\n`,
      };
    },
    /** Exports the receipts of all settled approvals as JSON Lines; the last line states their number. */
    *exportReceipts(): Generator<ExportPart> {
      const known = listSigningKeys(ledger);
      const digest = createHash('sha256');
      const approvalIds = approvalsTable.settledIds();
      let count = 0;
      for (const together of cutIntoSlices(approvalIds, receiptsPerMessage)) {
        const unsigned: UnsignedReceipt[] = [];
        for (const step of cutIntoSlices(together, receiptsInStep)) {
          const rows = step.map(approvalsTable.read).filter((row) => row !== null);
          unsigned.push(...rows.map((row) => createUnsignedReceipt(row, known)));
          yield { text: '', rows: 0 };
        }
        for (const receipts of cutIntoSlices(sign(unsigned), receiptsInStep)) {
          for (const { signature } of receipts) digest.update(signature);
          count += receipts.length;
          yield { text: receipts.map((receipt) => `${toCanonicalJson(receipt)}\n`).join(''), rows: receipts.length };
        }
      }
      const stated = { of: 'receipts', receipts: count, digest: digest.digest('hex') } as const;
      const line = signExportStatement(stated, requireSigner(ledger), clock.now());
      yield { text: `${toCanonicalJson(line)}\n`, rows: 0 };
    },
  };
};

type ReceiptFields = Omit<UnsignedReceipt, 'ledger' | 'keys' | 'proof'>;

/** Omits the URLs of pages that only the person may open. */
const createReceiptFields = (row: ApprovalRow): ReceiptFields => {
  const { approval_id: approvalId, batch_id: batchId, account, asker, reason, digest, state, ...rest } = row;
  const { prompt, subject, since_shown: sinceShown, asked_at, expires_at, shown_at: _shownAt, ...after } = rest;
  const { route, decided_at, sent_at, settled_at, answer, outcome, ...others } = after;
  const { superseded_by: supersededBy, evidence, proof_id: _proofId, ...further } = others;
  const { answer: body, url } = separatePersonPage(route, answer?.body ?? null);
  return {
    approvalId,
    asker,
    reason,
    account,
    batchId,
    shown: {
      prompt,
      subject,
      sinceShown,
      askedAt: asked_at,
      expiresAt: expires_at,
    },
    digest,
    answer: { state, decidedAt: decided_at, evidence },
    sent: { route, input: subject.request.input, first: subject.first, sentAt: sent_at },
    result: {
      settledAt: settled_at,
      status: answer?.status ?? null,
      body,
      outcome: outcome && url !== null ? { ...outcome, url: null } : outcome,
      supersededBy,
    },
    further,
  };
};
