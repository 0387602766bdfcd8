import * as z from 'zod';
import { askerShape, type Asker } from '../../../base/request.ts';
import { messageShape } from '../../../base/messages.ts';
import { createJsonColumn, prepareStatement, textValues, type Db } from '../../database.ts';
import type { ApprovalState } from '../approvalRecord.ts';
import { approvalParts } from '../approvalsTable.ts';
import { ledgerRow, readStoredFacts, type LedgerRow } from './ledgerRow.ts';

const approvalSummary = z.object({
  ...approvalParts,
  by: askerShape,
  outcome: approvalParts.outcome.nullable(),
  money: approvalParts.money.nullable(),
});

const maxTimeMs = 8.64e15;

/** Another program can store any number and any text in these columns. Its row is read, so that the check finds it. */
const storedColumns = {
  seq: z.number(),
  at: z.int().min(-maxTimeMs).max(maxTimeMs).catch(0),
  facts: z.string().transform(readStoredFacts),
};

const foundRow = z.object({
  ...{ kind: z.string(), ...storedColumns },
  title: z.string().nullable(),
  photoUrl: z.string().nullable(),
  act: z.string().nullable(),
  says: createJsonColumn(messageShape).nullable(),
  batchId: z.string().nullable(),
  approval: createJsonColumn(approvalSummary).nullable(),
});
type FoundRow = z.infer<typeof foundRow>;
const foundRows = z.array(foundRow);
const seqList = z.array(z.int());
const paidFees = z.array(z.object({ currency: z.string(), totalMinor: z.int() }));
type PaidFee = z.infer<typeof paidFees>[number];
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
const assistantIdSql = `case when json_valid(ledger.facts) then json_extract(ledger.facts, '$.assistantId') end`;
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
  askerId: ['', `(approvals.asker_id = @askerId or ${assistantIdSql} = @askerId)`],
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

const quoteGroups = (groups: readonly string[]): string[] => groups.map((group) => `"${group.replaceAll('"', '""')}"`);

/** Most texts of more groups than this are in many rows, which a search finds without the index. */
const maxGroups = 100;

/**
 * Creates the function that returns the query of the word index for a text: all groups of three characters of the text, or
 * any group that begins with a shorter text. Returns null if the index cannot find the text. The index ignores the case of
 * all letters and the order of the groups, so it also finds rows without the text.
 */
const createWordsQueryBuilder = (db: Db) => {
  const findGroup = db.prepare('select term from ledger_word_groups where term >= ? limit 1').pluck();
  const findGroupFrom = (from: string): string | undefined => z.string().optional().parse(findGroup.get(from));
  /** Returns a group that no text contains if no group begins with this text. */
  const listGroupsOf = (start: string): string[] | null => {
    const groups: string[] = [];
    for (let group = findGroupFrom(start); group?.startsWith(start); group = findGroupFrom(`${group}\u0001`)) {
      if (groups.length === maxGroups) return null;
      groups.push(group);
    }
    return groups;
  };
  return (text: string): string | null => {
    const letters = [...text];
    if (text === '' || text.includes('\0')) return null;
    if (letters.length > 2) {
      const groups = letters.slice(2).map((last, at) => `${letters[at]}${letters[at + 1]}${last}`);
      return quoteGroups([...new Set(groups)]).join(' ');
    }
    if (!/^[\x20-\x7e]+$/.test(text)) return null;
    const groups = listGroupsOf(text.toLowerCase());
    return groups && quoteGroups(groups).join(' OR ');
  };
};

/** A search reads the rows in steps of this size, so that a rare text does not block the event loop. */
const rowsPerStep = 2_000;

const paidFeesSql = `select json_extract(approvals.prompt, '$.money.currency') as currency,
    json_extract(approvals.prompt, '$.money.totalMinor') as totalMinor
    from ledger join ${joinedApprovalSql}
    where ledger.kind in ('approval.answer', 'approval.confirm') and ledger.at >= @from and ledger.at < @until
      and approvals.state = 'done' and json_extract(approvals.prompt, '$.money.state') = 'fee' and totalMinor is not null
      and currency is not null`;

type Step = { first: number; seqs: string | null };

/** A search for so few approvals reads their rows only. */
const maxFewApprovals = 200;

/**
 * Creates the function that returns all rows that a search for the answers or the requests of an asker can find; null if
 * they are many.
 */
const createFewRowsFinder = (db: Db) => {
  const find = (wanted: string) =>
    db.prepare(`select approval_id from approvals where ${wanted} limit ${maxFewApprovals + 1}`).pluck();
  const inStates = 'state in (select value from json_each(@states))';
  const approvals = {
    ofBoth: find(`asker_id = @askerId and ${inStates}`),
    ofAsker: find('asker_id = @askerId'),
    inStates: find(inStates),
  };
  const rowsOf = db
    .prepare(
      `select ledger.seq from json_each(@ids) cross join ledger on ${approvalIdSql} = json_each.value
       union select seq from ledger where ${assistantIdSql} = @askerId`,
    )
    .pluck();
  return ({ askerId, states }: LedgerFilter): number[] | null => {
    if (askerId === '' && states.length === 0) return null;
    const which = askerId === '' ? 'inStates' : states.length === 0 ? 'ofAsker' : 'ofBoth';
    const ids = textValues.parse(approvals[which].all({ askerId, states: JSON.stringify(states) }));
    return ids.length > maxFewApprovals ? null : seqList.parse(rowsOf.all({ ids: JSON.stringify(ids), askerId }));
  };
};

/**
 * Creates the function that returns the rows which one step of a search reads: those from `first` on, of which only
 * `seqs` can match. Few rows are about one listing or approval, so one step reads all of them.
 */
const createStepChooser = (db: Db) => {
  const findEnd = db.prepare('select coalesce(max(seq), 0) from ledger').pluck();
  const findWords = db
    .prepare(`select rowid from ledger_words where ledger_words match ? and rowid < ? order by rowid desc limit ?`)
    .pluck();
  const findFewRows = createFewRowsFinder(db);
  const buildWordsQuery = createWordsQueryBuilder(db);
  return (filter: LedgerFilter & { q: string }, before: number): Step => {
    if (filter.listingId !== '' || filter.approvalId !== '') return { first: 0, seqs: null };
    const few = findFewRows(filter);
    if (few !== null) return { first: 0, seqs: JSON.stringify(few) };
    const words = buildWordsQuery(filter.q);
    if (words === null)
      return { first: Math.max(0, Math.min(before, z.int().parse(findEnd.get()) + 1) - rowsPerStep), seqs: null };
    const seqs = words === '' ? [] : seqList.parse(findWords.all(words, before, rowsPerStep));
    return { first: seqs[rowsPerStep - 1] ?? 0, seqs: JSON.stringify(seqs) };
  };
};

/** Creates the search for ledger rows. An empty `q`, id or list of states matches all rows. */
export const createLedgerSearch = (db: Db) => {
  const findAskers = db.prepare(`select asker from approvals
    where rowid in (select max(rowid) from approvals group by asker_id) order by asker_id = 'person' desc, rowid desc`);
  const chooseStep = createStepChooser(db);
  const findStepOfDay = db
    .prepare(`select at from ledger where at >= ? and at < ? order by at desc limit 1 offset ${rowsPerStep}`)
    .pluck();
  const findNamed = db.prepare(`select approval_id as id, json_extract(prompt, '$.act') as act,
    json_extract(prompt, '$.says.act') as says, json_extract(prompt, '$.target.title') as title
    from approvals where approval_id in (select value from json_each(?))`);
  return {
    /**
     * Returns matching rows, newest first. If it has not read enough rows to find `limit` of them, `next` is the value of
     * `before` with which the search continues; otherwise null.
     */
    findRows: ({ before, limit, ...filter }: LedgerQuery): { rows: FoundRow[]; next: number | null } => {
      const { values, sql } = createFilter(filter);
      const { first, seqs } = chooseStep(filter, before);
      const within = seqs === null ? 'ledger.seq >= @first' : 'ledger.seq in (select value from json_each(@seqs))';
      const find = prepareStatement(
        db,
        `${titledRowsSql} where ledger.seq < @before and ${within}${sql} order by ledger.seq desc limit @limit`,
      );
      const rows = foundRows.parse(find.all({ ...values, before, limit, first, seqs }));
      return { rows, next: rows.length < limit && first > 0 ? first : null };
    },
    /**
     * Returns the fees of the requests that were done in this time, newest first. If it has not read all rows of this
     * time, `next` is the value of `until` with which the search continues; otherwise null.
     */
    findPaidFees: (filter: LedgerFilter, from: number, until: number): { fees: PaidFee[]; next: number | null } => {
      const { values, sql } = createFilter(filter);
      // Few rows are about one listing or approval, so one step reads all of them.
      const isShort = filter.listingId !== '' || filter.approvalId !== '';
      const next = isShort ? null : (z.int().optional().parse(findStepOfDay.get(from, until)) ?? null);
      const find = prepareStatement(db, `${paidFeesSql}${sql} order by ledger.at desc, ledger.seq desc`);
      return { fees: paidFees.parse(find.all({ ...values, from: next ?? from, until })), next };
    },
    /** Returns what these approvals are about. Omits unknown ids. */
    findApprovals: (ids: readonly string[]): NamedApproval[] =>
      namedApprovals.parse(findNamed.all(JSON.stringify(ids))),
    /** Returns everyone who has ever asked, each with the latest name; the person first. */
    listAskers: (): Asker[] => askers.parse(findAskers.all()).map(({ asker }) => asker),
  };
};

const row = z.object({ ...ledgerRow.shape, ...storedColumns });
const rows = z.array(row);
const place = z.object({ seq: z.number(), hash: z.string() });

export type LedgerPosition = z.infer<typeof place>;

const iterateRows = function* (found: Iterable<unknown>): Generator<LedgerRow> {
  for (const raw of found) yield row.parse(raw);
};

export type LedgerTable = ReturnType<typeof createLedgerTable>;

/** Creates the ledger table. Rows are only added, never changed or removed. */
export const createLedgerTable = (db: Db) => {
  const last = db.prepare('select seq, hash from ledger order by seq desc limit 1');
  const hashAt = db.prepare('select hash from ledger where seq = ?').pluck();
  const insert = db.prepare(
    'insert into ledger (seq, at, kind, facts, previous, hash, signature) values (?, ?, ?, ?, ?, ?, ?)',
  );
  const all = db.prepare('select * from ledger order by seq');
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
    /** Throws if a trigger of another program kept the row out, so that nothing is done without its row. */
    insert: ({ seq, at, kind, facts, previous, hash, signature }: LedgerRow): void => {
      const { changes } = insert.run(seq, at, kind, JSON.stringify(facts), previous, hash, signature);
      if (changes !== 1) throw new Error('The ledger did not store the row.');
    },
    /** Returns a number that changes when another connection writes to the database. */
    version: (): unknown => db.pragma('data_version', { simple: true }),
    /** Yields the rows after the row number `seq`, in order; all rows for 0, also those that must not exist. */
    after: (seq: number): Generator<LedgerRow> => iterateRows(seq === 0 ? all.iterate() : after.iterate(seq)),
    /** Returns the newest row of this kind, or null. */
    newestOf: (kind: string): LedgerRow | null => row.optional().parse(ofKind.get(kind)) ?? null,
    /** Returns the rows of this kind, newest first. */
    ofKind: (kind: string): LedgerRow[] => rows.parse(ofKind.all(kind)),
    /** Returns the rows about an approval and about its replacement, oldest first. */
    ofApproval: (approvalId: string): LedgerRow[] => rows.parse(ofApproval.all({ id: approvalId })),
    /** Returns the rows that added and removed a passkey, oldest first. */
    ofPasskey: (credentialId: string): LedgerRow[] => rows.parse(ofPasskey.all(credentialId)),
  };
};
