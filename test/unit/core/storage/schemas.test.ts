import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { type Db, openMigratedDatabase, createMemoisedJsonColumn } from '../../../../src/core/storage/database.ts';
import { createApprovalsTable } from '../../../../src/core/storage/tables/approvalsTable.ts';

let dir: string;
let db: Db;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'schemas-'));
  db = openMigratedDatabase(join(dir, 'companion.db'));
});
afterEach(() => {
  vi.restoreAllMocks();
  db.close();
  rmSync(dir, { recursive: true, force: true });
});

test('approvals are read without inspecting their schema each time', () => {
  const approvals = createApprovalsTable(db);
  const read = (): unknown => approvals.inState('account', 'pending');
  // A schema checks itself for cycles in its first and second parse.
  read();
  read();
  const looked = vi.spyOn(Reflect, 'ownKeys');
  expect(read()).toEqual([]);
  expect(looked.mock.calls).toEqual([]);
});

test('a memoised JSON column parses each text once and returns a frozen value', () => {
  const schema = z.object({ kept: createMemoisedJsonColumn(z.object({ names: z.array(z.string()) })).nullable() });
  const parsed = vi.spyOn(JSON, 'parse');
  const first = schema.parse({ kept: '{"names":["a"]}' });
  expect(schema.parse({ kept: '{"names":["a"]}' })).toEqual({ kept: { names: ['a'] } });
  expect(parsed).toHaveBeenCalledTimes(1);
  expect(schema.parse({ kept: '{"names":["b"]}' })).toEqual({ kept: { names: ['b'] } });
  expect(schema.parse({ kept: null })).toEqual({ kept: null });
  expect(() => first.kept?.names.push('c')).toThrow(TypeError);
  expect(() => schema.parse({ kept: '{"names":"a"}' })).toThrow(z.ZodError);
  expect(() => schema.parse({ kept: '{"names"' })).toThrow(z.ZodError);
});
