import { expect, onTestFinished, test } from 'vitest';
import { openMigratedDatabase, type Db } from '../../../../src/core/storage/database.ts';
import { createApprovalsTable } from '../../../../src/core/storage/tables/approvalsTable.ts';
import { createLedgerSearch, createLedgerTable } from '../../../../src/core/storage/tables/ledger/ledgerTable.ts';
import { createRandom } from '../../../helpers/createRandom.ts';
import { listQuerySteps, watchPreparedSql } from '../../../helpers/queryPlans.ts';

/** Opens a database. Returns the SQL that is prepared from then on. */
const openWatchedDatabase = (): { db: Db; prepared: string[] } => {
  const db = openMigratedDatabase(':memory:');
  onTestFinished(() => void db.close());
  return { db, prepared: watchPreparedSql(db) };
};

const listScans = (db: Db, sql: string): string[] => {
  const names = [...sql.matchAll(/@(\w+)/g)].map(([, name = '']) => [name, '[]'] as const);
  const values = names.length > 0 ? [Object.fromEntries(names)] : (sql.match(/\?/g)?.map(() => '[]') ?? []);
  return listQuerySteps(db, sql, values).filter((detail) => /^SCAN (?:ledger|approvals)/.test(detail));
};

const everything = { listingId: '', approvalId: '', askerId: '', states: [] };

test.each([{ listingId: 'lst_1' }, { approvalId: 'ap_1' }, { listingId: 'lst_1', approvalId: 'ap_1' }])(
  'the history of %j reads no other rows of the ledger',
  (filter) => {
    const { db, prepared } = openWatchedDatabase();
    const search = createLedgerSearch(db);
    search.findRows({ ...everything, ...filter, before: 9, q: '', limit: 5 });
    search.findPaidFees({ ...everything, ...filter }, 0, 9);
    const searches = prepared.filter((sql) => sql.includes('@listingId') || sql.includes('@approvalId'));
    expect(searches).toHaveLength(2);
    expect(searches.flatMap((sql) => listScans(db, sql))).toEqual([]);
  },
);

test('the fees of a day and the rows about an approval or a passkey are found by an index', () => {
  const { db, prepared } = openWatchedDatabase();
  createLedgerSearch(db).findPaidFees(everything, 0, 9);
  const table = createLedgerTable(db);
  table.ofApproval('ap_1');
  table.ofPasskey('key');
  const searches = prepared.filter((sql) => /@from|@id\b|proof\.added/.test(sql));
  expect(searches).toHaveLength(3);
  expect(searches.flatMap((sql) => listScans(db, sql))).toEqual([]);
});

test('the fees of a day with many requests are found in steps, each of them once', () => {
  const { db } = openWatchedDatabase();
  const count = 2_500;
  const addApproval = db.prepare(`insert into approvals (approval_id, account, asker, asker_id, route,
    request_digest, digest, state, prompt, asked_at, shown_at, expires_at) values (@id, 'a', '{}', 'person', 'publishListing',
    @id, '', 'done', '{"money":{"state":"fee","currency":"USD","totalMinor":1}}', 0, 0, 0)`);
  const addRow = db.prepare(`insert into ledger (at, kind, facts, previous, hash)
    values (?, 'approval.answer', ?, '', '')`);
  for (let at = 0; at < count; at += 1) {
    addApproval.run({ id: `ap_${at}` });
    // Two requests are done at the same time.
    addRow.run(Math.floor(at / 2), JSON.stringify({ approvalId: `ap_${at}` }));
  }
  const { findPaidFees } = createLedgerSearch(db);
  const steps: number[] = [];
  for (let until: number | null = count; until !== null;) {
    const { fees, next } = findPaidFees(everything, 1, until);
    steps.push(fees.length);
    until = next;
  }
  expect(steps).toEqual([2_002, count - 2 - 2_002]);
});

test('a row whose facts are unreadable is found by the approval that it names', () => {
  const { db } = openWatchedDatabase();
  const insert = db.prepare("insert into ledger (seq, at, kind, facts, previous, hash) values (?, 0, 'a', ?, '', '')");
  insert.run(1, '{"approvalId":"ap_1"}');
  insert.run(2, '{"before":"ap_1","approvalId":"ap_2"}');
  insert.run(3, '{"approvalId":"ap_3"}');
  const { ofApproval } = createLedgerTable(db);
  expect(ofApproval('ap_1').map(({ seq }) => seq)).toEqual([1, 2]);
  insert.run(4, '{"approvalId":"ap_1"');
  expect(ofApproval('ap_1').at(-1)).toMatchObject({ seq: 4, facts: { unreadable: '{"approvalId":"ap_1"' } });
  expect(ofApproval('ap_3').map(({ seq }) => seq)).toEqual([3]);
});

const searchFor = (q: string, before: number) => ({ ...everything, q, before, limit: 5 });

/** Adds rows without approvals. */
const addRows = (db: Db, allFacts: readonly string[]): void => {
  const insert = db.prepare("insert into ledger (at, kind, facts, previous, hash) values (0, 'a', ?, '', '')");
  db.transaction(() => allFacts.forEach((facts) => insert.run(facts)))();
};

test('a rare text is found in one step, however many rows the ledger has', () => {
  const { db, prepared } = openWatchedDatabase();
  addRows(db, [
    '{"name":"Quetzalcoatlus"}',
    ...Array.from({ length: 9_000 }, (_, at) => JSON.stringify({ name: `common no. ${at}` })),
  ]);
  const { findRows, listAskers } = createLedgerSearch(db);
  expect(findRows(searchFor('ZALCOATL', 99_999))).toMatchObject({ rows: [{ seq: 1 }], next: null });
  expect(findRows(searchFor('zalcoatlux', 99_999))).toEqual({ rows: [], next: null });
  listAskers();
  const searches = prepared.filter((sql) => sql.includes('@seqs') || sql.includes('group by asker_id'));
  expect(searches).toHaveLength(2);
  expect(searches.flatMap((sql) => listScans(db, sql))).toEqual([
    'SCAN approvals USING COVERING INDEX approvals_by_asker',
  ]);
});

test('a text of one or two letters is found in one step if few rows contain it', () => {
  const { db } = openWatchedDatabase();
  addRows(db, [
    '{"name":"QX~"}',
    ...Array.from({ length: 9_000 }, (_, at) => JSON.stringify({ name: `common no. ${at}` })),
  ]);
  const { findRows } = createLedgerSearch(db);
  for (const q of ['qx', 'Q', '~'])
    expect(findRows(searchFor(q, 99_999))).toMatchObject({ rows: [{ seq: 1 }], next: null });
  expect(findRows(searchFor('xq', 99_999))).toEqual({ rows: [], next: null });
  expect(findRows(searchFor('co', 99_999))).toMatchObject({ rows: { length: 5 }, next: null });
});

test.each([{ askerId: 'as_1' }, { states: ['pending'] as const }, { askerId: 'as_1', states: ['pending'] as const }])(
  'the history of %j with few approvals is one step, however many rows the ledger has',
  (filter) => {
    const { db, prepared } = openWatchedDatabase();
    addRows(db, ['{"assistantId":"as_1"}', ...Array.from({ length: 9_000 }, () => '{"assistantId":"as_2"}')]);
    const { findRows } = createLedgerSearch(db);
    const rows = 'states' in filter ? [] : [{ seq: 1 }];
    expect(findRows({ ...searchFor('', 99_999), ...filter })).toMatchObject({ rows, next: null });
    const searches = prepared.filter((sql) => /@states|@askerId/.test(sql));
    expect(searches.flatMap((sql) => listScans(db, sql))).toEqual([]);
  },
);

test('a letter that no index finds is searched in steps, which end when enough rows are found', () => {
  const { db } = openWatchedDatabase();
  addRows(db, [
    '{"name":"é"}',
    ...Array.from({ length: 9_000 }, (_, at) => JSON.stringify({ name: `common no. ${at}` })),
  ]);
  const { findRows } = createLedgerSearch(db);
  const ends: number[] = [];
  for (let before: number | null = 99_999; before !== null;) {
    const { rows, next } = findRows(searchFor('é', before));
    ends.push(rows.length);
    before = next;
  }
  expect(ends).toEqual([0, 0, 0, 0, 1]);
  expect(findRows(searchFor('co', 99_999))).toMatchObject({ rows: { length: 5 }, next: null });
});

test('the index finds the same rows as reading all of them, also among unreadable facts', () => {
  const { db } = openWatchedDatabase();
  const random = createRandom(48);
  const letters = ['a', 'b', 'A', 'Ä', 'ä', '"', '%', '_', '\\', ' ', 'ß', '🦖', '{', '\ud800', '*'];
  const createText = (length: number): string =>
    Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('');
  addRows(db, [
    ...Array.from({ length: 300 }, () => JSON.stringify({ name: createText(30) })),
    ...Array.from({ length: 100 }, () => createText(30)),
  ]);
  const matches = (column: string): string => `${column} like @like escape '\\'`;
  const read = db
    .prepare(`select seq from ledger where ${matches('facts')} or ${matches('kind')} order by seq desc`)
    .pluck();
  const { findRows } = createLedgerSearch(db);
  for (let round = 0; round < 300; round += 1) {
    const q = createText(1 + Math.floor(random() * 5));
    const wanted = read.all({ like: `%${q.replace(/[\\%_]/g, '\\$&')}%` });
    expect(findRows({ ...everything, q, before: 999, limit: 999 }).rows.map(({ seq }) => seq)).toEqual(wanted);
  }
});

test('a request reads only the recent approvals of its asker', () => {
  const { db, prepared } = openWatchedDatabase();
  const table = createApprovalsTable(db);
  table.readUsageSince('a', 'as_1', 0);
  table.ofRoutesSince('a', 'as_1', { routes: ['publishListing'], listingId: null, since: 0 });
  table.ofBatchesSince('a', 'as_1', 0);
  table.unchecked('a', 0, ['publishListing']);
  table.newest('a', 5);
  const steps = prepared
    .filter((sql) => /^select (?:\*|approval_id, route).* from approvals/s.test(sql))
    .flatMap((sql) => listQuerySteps(db, sql, sql.match(/\?/g)?.map(() => 0) ?? []));
  expect(steps.filter((step) => /^(?:SCAN|SEARCH) approvals USING (?:COVERING )?INDEX/.test(step))).toEqual([
    'SEARCH approvals USING COVERING INDEX approvals_of_asker_decided (asker_id=? AND <expr>>?)',
    'SEARCH approvals USING COVERING INDEX approvals_of_asker_in_state (asker_id=? AND state=?)',
    'SEARCH approvals USING INDEX approvals_of_asker_settled (asker_id=? AND <expr>>?)',
    'SEARCH approvals USING INDEX approvals_of_batch (batch_id=?)',
    'SEARCH approvals USING INDEX approvals_of_asker_in_batch (asker_id=? AND settled_at>?)',
    'SEARCH approvals USING INDEX approvals_unchecked (account=? AND settled_at>?)',
    'SEARCH approvals USING INDEX approvals_decided (account=?)',
  ]);
});
