import { afterEach, expect, test } from 'vitest';
import { createLedger } from '../../../../src/core/approvals/ledger/ledger.ts';
import { openMigratedDatabase } from '../../../../src/core/storage/database.ts';

const db = openMigratedDatabase(':memory:');
afterEach(() => void db.close());

test('a long ledger is checked in steps, and a changed row far behind the start is reported later', async () => {
  const rows = createLedger(db);
  for (let at = 1; at <= 450; at += 1) rows.append(at, 'history.exported', { at });
  db.exec(`drop trigger ledger_keeps; update ledger set kind = 'approval.declined' where seq = 300`);
  const found = Promise.withResolvers<number>();
  const ledger = createLedger(db, null, () => undefined, found.resolve);
  expect(ledger.findFirstBroken()).toBeNull();
  expect(await found.promise).toBe(300);
  expect(ledger.findFirstBroken()).toBe(300);
});
