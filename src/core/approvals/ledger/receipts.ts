import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { withoutPage } from '../../service/personPages.ts';
import type { Clock } from '../../base/ports.ts';
import { problem } from '../../base/problem.ts';
import type { ApprovalRow, ApprovalsTable } from '../../storage/tables/approvalsTable.ts';
import { canonical } from '../../base/json.ts';
import { approvalsOf, type Ledger, type LedgerRow } from './ledger.ts';
import { keyFacts, type KeyFacts } from '../../storage/tables/ledgerRow.ts';
import { signReceipt, type Receipt, signStatement, type UnsignedReceipt } from './signedExports.ts';
import type { Signer } from './signatures.ts';
import { isFinal } from '../../storage/tables/approvalRecord.ts';

type Parts = { approvalsTable: ApprovalsTable; ledger: Ledger; clock: Clock };

const receiptsAtOnce = 50;

type Key = KeyFacts & { from: number };

const keysOf = (ledger: Ledger): Key[] =>
  ledger.ofKind('ledger.key').flatMap(({ seq, facts }) => {
    const parsed = keyFacts.safeParse(facts);
    return parsed.success ? [{ from: seq, ...parsed.data }] : [];
  });

const signerOf = ({ signer }: Ledger): Signer => {
  if (!signer) throw new Error('This ledger is not signed.');
  return signer;
};

/**
 * Creates receipts of settled approvals: the asker, the prompt, the answer with its time, the request sent and its outcome.
 * Each is created on demand from the stored approval and the ledger.
 */
export const createReceipts = ({ approvalsTable, ledger, clock }: Parts) => {
  const make = (row: ApprovalRow, rows: LedgerRow[], known: Key[]): Receipt => {
    const used = rows.flatMap(({ seq, signature }) => {
      const key = signature === null ? undefined : known.find(({ from }) => from <= seq);
      return key ? [key] : [];
    });
    const unique = [...new Map(used.map((key) => [key.fingerprint, key])).values()];
    return signReceipt(
      {
        ...receiptOf(row),
        ledger: rows,
        keys: unique.map(({ fingerprint, publicKey }) => ({ fingerprint, publicKey })),
      },
      signerOf(ledger),
      clock.now(),
    );
  };

  return {
    /** Returns the receipt of one approval as a JSON file. Throws `NOT_FOUND` and `NOT_SETTLED`. */
    one: (approvalId: string) => {
      const row = approvalsTable.read(approvalId);
      if (!row) throw problem('NOT_FOUND.approval');
      if (!isFinal(row.state)) throw problem('NOT_SETTLED');
      const receipt = make(row, ledger.ofApproval(approvalId), keysOf(ledger));
      return {
        name: `receipt-${approvalId}.json`,
        type: 'application/json',
        text: `${canonical(receipt, 2)}\n`,
      };
    },
    /** Returns the receipts of all settled approvals as JSON Lines; the last line states their number. */
    all: async () => {
      const [known, rowsOf] = [keysOf(ledger), byApproval(ledger.rows())];
      const lines: string[] = [];
      const digest = createHash('sha256');
      for (const [index, approvalId] of approvalsTable.settledIds().entries()) {
        if (index % receiptsAtOnce === 0) await nextTurn();
        const row = approvalsTable.read(approvalId);
        if (!row) continue;
        const receipt = make(row, rowsOf.get(approvalId) ?? [], known);
        digest.update(receipt.signature);
        lines.push(canonical(receipt));
      }
      const stated = { of: 'receipts', receipts: lines.length, digest: digest.digest('hex') } as const;
      lines.push(canonical(signStatement(stated, signerOf(ledger), clock.now())));
      return {
        name: 'receipts.jsonl',
        type: 'application/jsonl',
        text: lines.map((line) => `${line}\n`).join(''),
      };
    },
  };
};

/** Groups rows by approval. A row of a superseding approval belongs to both approvals. */
const byApproval = (rows: LedgerRow[]): Map<string, LedgerRow[]> => {
  const found = new Map<string, LedgerRow[]>();
  for (const row of rows) {
    for (const id of approvalsOf(row)) {
      const own = found.get(id);
      if (own) own.push(row);
      else found.set(id, [row]);
    }
  }
  return found;
};

type Projected = Omit<UnsignedReceipt, 'ledger' | 'keys'>;

/**
 * Returns all stored fields of an approval except the URLs of pages that only the person may open, and `shown_at`:
 * the deadline counts from it, but it is not the time when the person saw the prompt.
 */
const receiptOf = (row: ApprovalRow): Projected => {
  const { approval_id: approvalId, batch_id: batchId, account, asker, reason, digest, state, ...rest } = row;
  const { prompt, subject, since_shown: sinceShown, asked_at, expires_at, shown_at: _shownAt, ...after } = rest;
  const { route, decided_at, sent_at, settled_at, answer, outcome, ...others } = after;
  const { superseded_by: supersededBy, ...further } = others;
  const { answer: body, url } = withoutPage(route, answer?.body ?? null);
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
    answer: { state, decidedAt: decided_at },
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
