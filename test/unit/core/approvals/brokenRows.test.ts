import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkWholeLedger } from '../../../../src/core/approvals/ledger/chainCheck.ts';
import { createLedger, maxRowsInSteps } from '../../../../src/core/approvals/ledger/ledger.ts';
import { createLedgerTable } from '../../../../src/core/storage/tables/ledger/ledgerTable.ts';
import { openMigratedDatabase, type Db } from '../../../../src/core/storage/database.ts';

let db: Db;
beforeEach(() => {
  db = openMigratedDatabase(':memory:');
});
afterEach(() => void db.close());

const appendRows = (count: number): void => {
  const rows = createLedger(db);
  db.transaction(() => {
    for (let at = 1; at <= count; at += 1) rows.append(at, 'history.exported', { at });
  })();
};

test('a long ledger is checked in steps, and a changed row far behind the start is reported later', async () => {
  appendRows(450);
  db.exec(`drop trigger ledger_keeps; update ledger set kind = 'approval.declined' where seq = 300`);
  const found = Promise.withResolvers<number>();
  const ledger = createLedger(db, null, () => undefined, {
    onBroken: found.resolve,
    checkLongLedger: () => Promise.reject(new Error('This ledger is short.')),
  });
  expect(ledger.findFirstBroken()).toBeNull();
  expect(await found.promise).toBe(300);
  expect(ledger.findFirstBroken()).toBe(300);
});

test('the thread checks a long ledger once, and later rows are checked here', async () => {
  appendRows(maxRowsInSteps + 300);
  let checks = 0;
  const found = Promise.withResolvers<number>();
  const checked = Promise.withResolvers<void>();
  const ledger = createLedger(db, null, () => undefined, {
    onBroken: found.resolve,
    checkLongLedger: async () => {
      checks += 1;
      setImmediate(() => setImmediate(checked.resolve));
      return checkWholeLedger(createLedgerTable(db));
    },
  });
  expect(ledger.findFirstBroken()).toBeNull();
  await checked.promise;
  expect(ledger.findFirstBroken()).toBeNull();
  ledger.append(1, 'history.exported', {});
  const last = maxRowsInSteps + 301;
  db.exec(`drop trigger ledger_keeps; update ledger set kind = 'approval.declined' where seq = ${last}`);
  expect(ledger.findFirstBroken()).toBe(last);
  expect([await found.promise, checks]).toEqual([last, 1]);
});
