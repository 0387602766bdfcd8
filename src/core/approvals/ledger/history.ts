import type { Db } from '../../storage/database.ts';
import { ledgerSearch } from '../../storage/tables/ledgerTable.ts';
import type { Clock } from '../../base/ports.ts';
import { canonical } from '../../base/json.ts';
import { csv } from '../../../text/csv.ts';
import type { Ledger, LedgerRow } from './ledger.ts';
import { createChainCheck } from './chainCheck.ts';
import type { OpenedLedger } from './openLedger.ts';
import { signStatement, type StatementLine } from './signedExports.ts';
import type { Message } from '../../../i18n/message.ts';

type Asked = {
  q: string;
  before?: number | undefined;
  limit: number;
  listingId?: string | undefined;
  approvalId?: string | undefined;
};
type Parts = { db: Db; ledger: Ledger; clock: Clock; signedLedger: OpenedLedger };

/** Creates the history: the ledger as people search, page and export it. */
export const createHistory = ({ db, ledger, clock, signedLedger }: Parts) => {
  const find = ledgerSearch(db);
  return {
    /**
     * Returns the newest matching rows before `before`, of one listing, one approval, or all. `brokenAt` is the first row
     * that was changed outside the companion; `signing` is the key that signs the rows.
     */
    search: ({ q, before, limit, listingId = '', approvalId = '' }: Asked) => {
      const found = find({ before: before ?? Number.MAX_SAFE_INTEGER, q, listingId, approvalId, limit });
      return {
        rows: found satisfies HistoryRow[],
        brokenAt: ledger.firstBroken(),
        alarm: signedLedger.alarm(),
        signing: signedLedger.signing,
      };
    },
    /** Exports the whole ledger with hashes and signatures, so that it can be verified elsewhere. */
    export: (format: 'jsonl' | 'csv') => {
      ledger.announce(clock.now());
      const rows = ledger.rows();
      return format === 'jsonl'
        ? {
            name: 'history.jsonl',
            type: 'application/jsonl',
            text: [...rows, ...closing(rows, ledger, clock.now())].map((one) => `${canonical(one)}\n`).join(''),
          }
        : { name: 'history.csv', type: 'text/csv', text: tableOf(rows) };
    },
  };
};

/** Returns the signed last line: the number of rows, and the first and last hash. */
const closing = (rows: LedgerRow[], { signer }: Ledger, at: number): StatementLine[] => {
  if (!signer) return [];
  const check = createChainCheck();
  rows.forEach(check.next);
  const { keys, unsigned } = check.seen();
  const stated = {
    of: 'ledger',
    rows: rows.length,
    unsigned,
    first: rows[0]?.hash ?? null,
    last: rows.at(-1)?.hash ?? null,
    keys: keys.map(({ fingerprint, publicKey, from }) => ({ fingerprint, publicKey, from })),
  } as const;
  return [signStatement(stated, signer, at)];
};

const columns = ['seq', 'at', 'kind', 'facts', 'previous', 'hash', 'signature'] as const;

const tableOf = (rows: LedgerRow[]): string =>
  csv([
    [...columns],
    ...rows.map((one) =>
      columns.map((name) => {
        if (name === 'at') return new Date(one.at).toISOString();
        return name === 'facts' ? JSON.stringify(one.facts) : one[name];
      }),
    ),
  ]);

/** One row of the history. `facts` is the data recorded with it. */
export type HistoryRow = {
  seq: number;
  at: number;
  kind: string;
  facts: Record<string, unknown>;
  title: string | null;
  /** The main photo of the listing of its approval, as a path on the window's own origin. */
  photoUrl?: string | null;
  act: string | null;
  /** The translatable text of the act. */
  says?: Message | null;
  batchId?: string | null;
};
