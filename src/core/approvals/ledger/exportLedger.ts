import { formatCsvTable } from '../../../text/csv.ts';
import type { ExportPart } from '../../base/ports.ts';
import { toCanonicalJson } from '../../base/json.ts';
import { createChainCheck } from './chainCheck.ts';
import type { Ledger, LedgerRow } from './ledger.ts';
import { signExportStatement } from './signedExports.ts';

export type LedgerFormat = 'jsonl' | 'csv';

const rowsInPart = 200;

const columns = ['seq', 'at', 'kind', 'facts', 'previous', 'hash', 'signature'] as const;

const formatCsvRow = (row: LedgerRow) =>
  columns.map((name) => {
    if (name === 'at') return new Date(row.at).toISOString();
    return name === 'facts' ? JSON.stringify(row.facts) : row[name];
  });

/** Notes what the last line of an export states about the rows before it. */
const createStatementNotes = () => {
  const check = createChainCheck();
  const stated: { rows: number; first: string | null; last: string | null } = { rows: 0, first: null, last: null };
  return {
    note: (row: LedgerRow): void => {
      stated.rows += 1;
      stated.first ??= row.hash;
      stated.last = row.hash;
      // The statement names keys and counts unsigned rows. The signatures of other rows are checked by the reader.
      if (row.kind === 'ledger.key' || row.signature === null) check.checkRow(row);
    },
    read: () => {
      const { keys, unsigned } = check.readSummary();
      return {
        ...stated,
        of: 'ledger',
        unsigned,
        keys: keys.map(({ fingerprint, publicKey, from }) => ({ fingerprint, publicKey, from })),
      } as const;
    },
  };
};

const formatPart = (rows: readonly LedgerRow[], format: LedgerFormat): ExportPart => ({
  text:
    format === 'csv' ? formatCsvTable(rows.map(formatCsvRow)) : rows.map((row) => `${toCanonicalJson(row)}\n`).join(''),
  rows: rows.length,
});

/**
 * Exports the whole ledger with hashes and signatures, so that it can be verified elsewhere. An unreadable row is exported
 * with its text, and the verification finds it.
 */
export const exportLedger = function* (ledger: Ledger, format: LedgerFormat, at: number): Generator<ExportPart> {
  const notes = createStatementNotes();
  if (format === 'csv') yield { text: formatCsvTable([[...columns]]), rows: 0 };
  let waiting: LedgerRow[] = [];
  for (const row of ledger.after(0)) {
    notes.note(row);
    waiting.push(row);
    if (waiting.length < rowsInPart) continue;
    yield formatPart(waiting, format);
    waiting = [];
  }
  if (waiting.length > 0) yield formatPart(waiting, format);
  if (format === 'jsonl' && ledger.signer)
    yield { text: `${toCanonicalJson(signExportStatement(notes.read(), ledger.signer, at))}\n`, rows: 0 };
};
