import type { Db } from '../../storage/database.ts';
import { createLedgerSearch } from '../../storage/tables/ledger/ledgerTable.ts';
import type { Clock } from '../../base/ports.ts';
import { toCanonicalJson } from '../../base/json.ts';
import { formatCsvTable } from '../../../text/csv.ts';
import type { Ledger, LedgerRow } from './ledger.ts';
import { createChainCheck } from './chainCheck.ts';
import type { OpenedLedger } from './openLedger.ts';
import { signExportStatement, type StatementLine } from './signedExports.ts';
import type { Message } from '../../../i18n/message.ts';

type HistoryQuery = {
  q: string;
  before?: number | undefined;
  limit: number;
  listingId?: string | undefined;
  approvalId?: string | undefined;
};
type HistoryContext = { db: Db; ledger: Ledger; clock: Clock; signedLedger: OpenedLedger };

/** Lets the person search and export the ledger. */
export const createHistoryService = ({ db, ledger, clock, signedLedger }: HistoryContext) => {
  const searchLedgerRows = createLedgerSearch(db);
  return {
    /** Returns the newest matching rows before row `before`, and the first row that breaks the hash chain. */
    search: ({ q, before, limit, listingId = '', approvalId = '' }: HistoryQuery) => {
      const found = searchLedgerRows({ before: before ?? Number.MAX_SAFE_INTEGER, q, listingId, approvalId, limit });
      return {
        rows: found satisfies HistoryRow[],
        brokenAt: ledger.findFirstBroken(),
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
            text: [...rows, ...createClosingLines(rows, ledger, clock.now())]
              .map((row) => `${toCanonicalJson(row)}\n`)
              .join(''),
          }
        : { name: 'history.csv', type: 'text/csv', text: formatLedgerCsv(rows) };
    },
  };
};

const createClosingLines = (rows: LedgerRow[], { signer }: Ledger, at: number): StatementLine[] => {
  if (!signer) return [];
  const check = createChainCheck();
  rows.forEach(check.checkRow);
  const { keys, unsigned } = check.readSummary();
  const stated = {
    of: 'ledger',
    rows: rows.length,
    unsigned,
    first: rows[0]?.hash ?? null,
    last: rows.at(-1)?.hash ?? null,
    keys: keys.map(({ fingerprint, publicKey, from }) => ({ fingerprint, publicKey, from })),
  } as const;
  return [signExportStatement(stated, signer, at)];
};

const columns = ['seq', 'at', 'kind', 'facts', 'previous', 'hash', 'signature'] as const;

const formatLedgerCsv = (rows: LedgerRow[]): string =>
  formatCsvTable([
    [...columns],
    ...rows.map((row) =>
      columns.map((name) => {
        if (name === 'at') return new Date(row.at).toISOString();
        return name === 'facts' ? JSON.stringify(row.facts) : row[name];
      }),
    ),
  ]);

export type HistoryRow = {
  seq: number;
  at: number;
  kind: string;
  facts: Record<string, unknown>;
  title: string | null;
  /** The path of the listing's main photo on the window's own origin. */
  photoUrl?: string | null;
  act: string | null;
  says?: Message | null;
  batchId?: string | null;
};
