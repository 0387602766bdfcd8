import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Db, openDatabase } from '../../../../src/core/storage/database.ts';
import { approvalsTable } from '../../../../src/core/storage/tables/approvalsTable.ts';

let dir: string;
let db: Db;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'schemas-'));
  db = openDatabase(join(dir, 'companion.db'));
});
afterEach(() => {
  vi.restoreAllMocks();
  db.close();
  rmSync(dir, { recursive: true, force: true });
});

test('approvals are read without looking through all that one may hold each time', () => {
  const approvals = approvalsTable(db);
  const read = (): unknown => approvals.inState('account', 'pending');
  // A schema looks through itself for circles as it parses for the first and the second time.
  read();
  read();
  const looked = vi.spyOn(Reflect, 'ownKeys');
  expect(read()).toEqual([]);
  expect(looked.mock.calls).toEqual([]);
});
