import * as z from 'zod';
import { askerShape, type Asker } from '../../../base/request.ts';
import { messageShape } from '../../../base/messages.ts';
import { createJsonColumn, prepareStatement, type Db } from '../../database.ts';
import type { ApprovalState } from '../approvalRecord.ts';
import { approvalParts } from '../approvalsTable.ts';
import { ledgerRow, type LedgerRow } from './ledgerRow.ts';

const approvalSummary = z.object({
  ...approvalParts,
  by: askerShape,
  outcome: approvalParts.outcome.nullable(),
  money: approvalParts.money.nullable(),
});

const foundRow = z.object({
  seq: z.int(),
  at: z.int(),
  kind: z.string(),
  facts: createJsonColumn(z.record(z.string(), z.unknown())),
  title: z.string().nullable(),
  photoUrl: z.string().nullable(),
  act: z.string().nullable(),
  says: createJsonColumn(messageShape).nullable(),
  batchId: z.string().nullable(),
  approval: createJsonColumn(approvalSummary).nullable(),
});
const foundRows = z.array(foundRow);
const paidFee = z.object({ at: z.int(), currency: z.string(), totalMinor: z.int() });
const paidFees = z.array(paidFee);
const namedApprovals = z.array(
  z.object({
    id: z.string(),
    act: z.string(),
    says: createJsonColumn(messageShape).nullable(),
    title: z.string().nullable(),
  }),
);
export type NamedApproval = z.infer<typeof namedApprovals>[number];
const askers = z.array(z.object({ asker: createJsonColumn(askerShape) }));

// SQLite uses an index only for an expression that is written as in the index.
const approvalIdSql = `case when json_valid(ledger.facts) then json_extract(ledger.facts, '$.approvalId') else '' end`;
const replacedIdSql = `case when json_valid(ledger.facts) then json_extract(ledger.facts, '$.before') end`;
const targetIdSql = `case when json_valid(approvals.prompt) then json_extract(approvals.prompt, '$.target.listingId') end`;

const joinedApprovalSql = `approvals on approvals.approval_id = ${approvalIdSql}`;

const titledRowsSql = `select ledger.seq, ledger.at, ledger.kind, ledger.facts, json_extract(approvals.prompt, '$.target.title') as title,
  json_extract(approvals.prompt, '$.target.photoUrl') as photoUrl,
  json_extract(approvals.prompt, '$.act') as act, json_extract(approvals.prompt, '$.says.act') as says,
  approvals.batch_id as batchId,
  case when approvals.approval_id is not null then json_object('state', approvals.state, 'route', approvals.route,
    'by', json(approvals.asker), 'outcome', json(approvals.outcome), 'money', json_extract(approvals.prompt, '$.money')) end as approval
  from ledger left join ${joinedApprovalSql}`;

/**
 * Each condition, and the value with which it matches all rows and is left out. The plus signs and the cross join let
 * SQLite use the indexes.
 */
const conditions = {
  listingId: [
    '',
    `ledger.seq in (select ledger.seq from approvals cross join ledger on ${approvalIdSql} = +approvals.approval_id
      where ${targetIdSql} = @listingId)`,
  ],
  approvalId: ['', `ledger.seq in (select seq from ledger where ${approvalIdSql} = @approvalId)`],
  askerId: ['', `(approvals.asker_id = @askerId or json_extract(ledger.facts, '$.assistantId') = @askerId)`],
  states: ['[]', 'approvals.state in (select value from json_each(@states))'],
  q: [
    '',
    `(ledger.kind like @like escape '\\' or ledger.facts like @like escape '\\' or title like @like escape '\\')`,
  ],
} as const;

export type LedgerFilter = { listingId: string; approvalId: string; askerId: string; states: readonly ApprovalState[] };
type LedgerQuery = LedgerFilter & { before: number; q: string; limit: number };

const createFilter = ({ states, q = '', ...ids }: LedgerFilter & { q?: string }) => {
  const values = { ...ids, q, states: JSON.stringify(states), like: `%${q.replace(/[\\%_]/g, '\\$&')}%` };
  const names = ['listingId', 'approvalId', 'askerId', 'states', 'q'] as const;
  const used = names.filter((name) => values[name] !== conditions[name][0]);
  return { values, sql: used.map((name) => ` and ${conditions[name][1]}`).join('') };
};

const paidFeesSql = `select ledger.at, json_extract(approvals.prompt, '$.money.currency') as currency,
    json_extract(approvals.prompt, '$.money.totalMinor') as totalMinor
    from ledger join ${joinedApprovalSql}
    where ledger.kind in ('approval.answer', 'approval.confirm') and ledger.at >= @from and ledger.at < @until
      and approvals.state = 'done' and json_extract(approvals.prompt, '$.money.state') = 'fee' and totalMinor is not null
      and currency is not null`;

/** Creates the search for ledger rows. An empty `q`, id or list of states matches all rows. */
export const createLedgerSearch = (db: Db) => {
  const findAskers = db.prepare(`select asker, max(rowid) from approvals group by asker_id
    order by asker_id = 'person' desc, max(rowid) desc`);
  const findNamed = db.prepare(`select approval_id as id, json_extract(prompt, '$.act') as act,
    json_extract(prompt, '$.says.act') as says, json_extract(prompt, '$.target.title') as title
    from approvals where approval_id in (select value from json_each(?))`);
  return {
    findRows: ({ before, limit, ...filter }: LedgerQuery): z.infer<typeof foundRow>[] => {
      const { values, sql } = createFilter(filter);
      const find = prepareStatement(
        db,
        `${titledRowsSql} where ledger.seq < @before${sql} order by ledger.seq desc limit @limit`,
      );
      return foundRows.parse(find.all({ ...values, before, limit }));
    },
    /** Returns the fees of the requests that were done in this time. */
    findPaidFees: (filter: LedgerFilter, from: number, until: number): z.infer<typeof paidFee>[] => {
      const { values, sql } = createFilter(filter);
      return paidFees.parse(
        prepareStatement(db, `${paidFeesSql}${sql} order by ledger.seq desc`).all({ ...values, from, until }),
      );
    },
    /** Returns what these approvals are about. Omits unknown ids. */
    findApprovals: (ids: readonly string[]): NamedApproval[] =>
      namedApprovals.parse(findNamed.all(JSON.stringify(ids))),
    /** Returns everyone who has ever asked, each with the latest name; the person first. */
    listAskers: (): Asker[] => askers.parse(findAskers.all()).map(({ asker }) => asker),
  };
};

const row = z.object({ ...ledgerRow.shape, facts: createJsonColumn(ledgerRow.shape.facts) });
const rows = z.array(row);
const place = z.object({ seq: z.int(), hash: z.string() });

export type LedgerPosition = z.infer<typeof place>;

export type LedgerTable = ReturnType<typeof createLedgerTable>;

/** Creates the ledger table. Rows are only added, never changed or removed. */
export const createLedgerTable = (db: Db) => {
  const last = db.prepare('select seq, hash from ledger order by seq desc limit 1');
  const hashAt = db.prepare('select hash from ledger where seq = ?').pluck();
  const insert = db.prepare(
    'insert into ledger (seq, at, kind, facts, previous, hash, signature) values (?, ?, ?, ?, ?, ?, ?)',
  );
  const after = db.prepare('select * from ledger where seq > ? order by seq');
  const ofKind = db.prepare('select * from ledger where kind = ? order by seq desc');
  const ofApproval = db.prepare(`select * from ledger where ${approvalIdSql} = @id or ${replacedIdSql} = @id
    or (${approvalIdSql} = '' and instr(facts, @id) > 0) order by seq`);
  const ofPasskey =
    db.prepare(`select * from ledger where kind in ('proof.added', 'proof.removed') and instr(facts, ?) > 0
    order by seq`);
  return {
    end: (): LedgerPosition | null => place.optional().parse(last.get()) ?? null,
    hashAt: (seq: number): string | null => z.string().optional().parse(hashAt.get(seq)) ?? null,
    insert: ({ seq, at, kind, facts, previous, hash, signature }: LedgerRow): void =>
      void insert.run(seq, at, kind, JSON.stringify(facts), previous, hash, signature),
    /** Returns a number that changes when another connection writes to the database. */
    version: (): unknown => db.pragma('data_version', { simple: true }),
    rows: (): LedgerRow[] => rows.parse(after.all(0)),
    /** Yields null for an unreadable row. */
    *after(seq: number): Generator<LedgerRow | null> {
      for (const raw of after.iterate(seq)) yield row.safeParse(raw).data ?? null;
    },
    /** Returns the newest row of this kind, or null. Throws if the row is unreadable. */
    newestOf: (kind: string): LedgerRow | null => row.optional().parse(ofKind.get(kind)) ?? null,
    /** Returns the rows of this kind, newest first. Omits unreadable rows. */
    ofKind: (kind: string): LedgerRow[] =>
      ofKind.all(kind).flatMap((raw) => {
        const parsed = row.safeParse(raw);
        return parsed.success ? [parsed.data] : [];
      }),
    /** Returns the rows about an approval and about its replacement, oldest first. Throws if one is unreadable. */
    ofApproval: (approvalId: string): LedgerRow[] => rows.parse(ofApproval.all({ id: approvalId })),
    /** Returns the rows that added and removed a passkey, oldest first. Throws if one is unreadable. */
    ofPasskey: (credentialId: string): LedgerRow[] => rows.parse(ofPasskey.all(credentialId)),
  };
};
