import * as z from 'zod';
import { json, type Db } from '../store/database.ts';
import type { HistoryRow } from './batch.ts';
import { sayingShape } from '../words/sayingShape.ts';
import { csv } from '../../words/csv.ts';
import type { Clock } from '../ports.ts';
import { canonical } from './canonical.ts';
import type { Ledger, LedgerRow } from './ledger.ts';
import { createChainCheck } from './signed/chainCheck.ts';
import type { OpenedLedger } from './signed/openLedger.ts';
import { signStatement, type StatementLine } from './signed/statement.ts';

const row = z.object({
  seq: z.int(),
  at: z.int(),
  kind: z.string(),
  facts: json(z.record(z.string(), z.unknown())),
  title: z.string().nullable(),
  act: z.string().nullable(),
  says: json(sayingShape).nullable(),
});

const titled = `select ledger.seq, ledger.at, ledger.kind, ledger.facts, json_extract(approvals.prompt, '$.target.title') as title,
  json_extract(approvals.prompt, '$.act') as act, json_extract(approvals.prompt, '$.says.act') as says
  from ledger left join approvals on approvals.approval_id = json_extract(ledger.facts, '$.approvalId')`;

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
  const find = db.prepare(`${titled}
    where ledger.seq < ? and (? = '' or ledger.kind like ? escape '\\' or ledger.facts like ? escape '\\' or title like ? escape '\\')
      and (? = '' or json_extract(approvals.prompt, '$.target.listingId') = ?)
      and (? = '' or approvals.approval_id = ?)
    order by ledger.seq desc limit ?`);
  return {
    /**
     * The newest rows before `before` that hold the text anywhere, of one listing or question or of all; `brokenAt` is the
     * first row that was changed outside, `signing` the key that signs the rows.
     */
    search: ({ q, before, limit, listingId = '', approvalId = '' }: Asked) => {
      const like = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
      const about = [listingId, listingId, approvalId, approvalId];
      const found = find.all(before ?? Number.MAX_SAFE_INTEGER, q, like, like, like, ...about, limit);
      return {
        rows: z.array(row).parse(found) satisfies HistoryRow[],
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
