import { expect, onTestFinished, test } from 'vitest';
import { openMigratedDatabase, type Db } from '../../../../src/core/storage/database.ts';
import { createLedgerSearch, createLedgerTable } from '../../../../src/core/storage/tables/ledger/ledgerTable.ts';
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
  const searches = prepared.filter((sql) => /@from|@id|proof\.added/.test(sql));
  expect(searches).toHaveLength(3);
  expect(searches.flatMap((sql) => listScans(db, sql))).toEqual([]);
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
  expect(() => ofApproval('ap_1')).toThrow();
  expect(ofApproval('ap_3').map(({ seq }) => seq)).toEqual([3]);
});
