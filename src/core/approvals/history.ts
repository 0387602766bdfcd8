import * as z from 'zod';
import { json, type Db } from '../store/database.ts';
import type { HistoryRow } from './batch.ts';
import { sayingShape } from '../words/sayingShape.ts';
import { csvCell } from '../words/csvCell.ts';
import type { Ledger } from './ledger.ts';

const row = z.object({
  seq: z.int(),
  at: z.int(),
  kind: z.string(),
  facts: json(z.record(z.string(), z.unknown())),
  title: z.string().nullable(),
  says: json(sayingShape).nullable(),
});

const titled = `select ledger.seq, ledger.at, ledger.kind, ledger.facts, json_extract(approvals.prompt, '$.target.title') as title,
  json_extract(approvals.prompt, '$.says.act') as says
  from ledger left join approvals on approvals.approval_id = json_extract(ledger.facts, '$.approvalId')`;

type Asked = { q: string; before?: number | undefined; limit: number; listingId?: string | undefined };

/** The ledger for people: searched, paged by row, and taken out as a file. */
export const createHistory = (db: Db, ledger: Ledger) => {
  const find = db.prepare(`${titled}
    where ledger.seq < ? and (? = '' or ledger.kind like ? escape '\\' or ledger.facts like ? escape '\\' or title like ? escape '\\')
      and (? = '' or json_extract(approvals.prompt, '$.target.listingId') = ?)
    order by ledger.seq desc limit ?`);
  return {
    /** The newest rows before `before` that hold the text anywhere, of one listing or of all; `brokenAt` is the first row that was changed outside. */
    search: ({ q, before, limit, listingId = '' }: Asked) => {
      const like = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
      const found = find.all(before ?? Number.MAX_SAFE_INTEGER, q, like, like, like, listingId, listingId, limit);
      return { rows: z.array(row).parse(found) satisfies HistoryRow[], brokenAt: ledger.firstBroken() };
    },
    /** The whole ledger with its hashes, so that it can be checked elsewhere. */
    export: (format: 'jsonl' | 'csv') => {
      const rows = ledger.rows();
      return format === 'jsonl'
        ? {
            name: 'history.jsonl',
            type: 'application/jsonl',
            text: rows.map((one) => `${JSON.stringify(one)}\n`).join(''),
          }
        : { name: 'history.csv', type: 'text/csv', text: csv(rows) };
    },
  };
};

const columns = ['seq', 'at', 'kind', 'facts', 'previous', 'hash'] as const;

const csv = (rows: ReturnType<Ledger['rows']>): string =>
  [
    columns.join(','),
    ...rows.map((one) =>
      columns.map((name) => csvCell(name === 'at' ? new Date(one.at).toISOString() : one[name])).join(','),
    ),
  ]
    .map((text) => `${text}\r\n`)
    .join('');
