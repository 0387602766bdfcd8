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

/** The ledger for people: searched, paged by row, and taken out as a file. */
export const createHistory = ({ db, ledger, clock, signedLedger }: Parts) => {
  const find = ledgerSearch(db);
  return {
    /**
     * The newest rows before `before` that hold the text anywhere, of one listing or question or of all; `brokenAt` is the
     * first row that was changed outside, `signing` the key that signs the rows.
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
    /** The whole ledger with its hashes and signatures, so that it can be checked elsewhere. */
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

/** The signed last line: how many rows there are, and where they begin and end. */
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

/** One row of the history. `facts` is what was recorded with it. */
export type HistoryRow = {
  seq: number;
  at: number;
  kind: string;
  facts: Record<string, unknown>;
  title: string | null;
  /** The main photo of the listing that its question is about, as a path below the window's own origin. */
  photoUrl?: string | null;
  /** What its question asks for. */
  act: string | null;
  /** What other languages say the act of its question from. */
  says?: Message | null;
  /** The batch that its question was asked in. */
  batchId?: string | null;
};
