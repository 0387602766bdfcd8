import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { migrations } from '../../../../src/core/storage/migrations/index.ts';
import { applyMigrations } from '../../../helpers/applyMigrations.ts';

const order = migrations.findIndex((sql) => sql.includes('column place_seq'));
const columns = z.array(z.object({ name: z.string(), type: z.string(), notnull: z.int(), dflt_value: z.unknown() }));

/** Creates a database from before approvals had an order, with approvals that were completed one after another. */
const createFormerDatabase = (count: number): Database.Database => {
  const db = new Database(':memory:');
  applyMigrations(db, order);
  const needed = columns
    .parse(db.pragma('table_info(approvals)'))
    .filter(({ name, notnull, dflt_value }) => name === 'approval_id' || (notnull === 1 && dflt_value === null));
  const names = needed.map(({ name }) => name);
  const add = db.prepare(`insert into approvals (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`);
  const append = db.prepare("insert into ledger (at, kind, facts, previous, hash) values (0, ?, ?, '', '')");
  const valueOf = ({ name, type }: { name: string; type: string }, at: number): string | number => {
    if (name === 'approval_id') return `ap_${at}`;
    if (name === 'state') return 'done';
    return type.toLowerCase() === 'integer' ? 0 : '{}';
  };
  db.transaction(() => {
    for (let at = 1; at <= count; at += 1) {
      add.run(...needed.map((column) => valueOf(column, at)));
      for (const kind of ['asked', 'approve', 'send', 'checked', 'answer'])
        append.run(`approval.${kind}`, JSON.stringify({ approvalId: `ap_${at}` }));
    }
  })();
  return db;
};
const readSequences = (db: Database.Database, approvalId: string): unknown =>
  db
    .prepare('select place_seq, asked_seq, answered_seq, settled_seq from approvals where approval_id = ?')
    .raw()
    .get(approvalId);

test('a migration orders recent approvals by the ledger, and older approvals before these', () => {
  const db = createFormerDatabase(1_200);
  db.exec(migrations[order] ?? '');
  expect(readSequences(db, 'ap_1200')).toEqual([5_996, 5_996, 5_997, 6_000]);
  expect(readSequences(db, 'ap_201')).toEqual([1_001, 1_001, 1_002, 1_005]);
  expect(readSequences(db, 'ap_200')).toEqual([0, 0, null, null]);
  const ids = db.prepare('select approval_id from approvals order by place_seq, rowid').pluck().all();
  expect(ids).toEqual(Array.from({ length: 1_200 }, (_, at) => `ap_${at + 1}`));
});
