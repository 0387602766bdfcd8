import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { startTestPractice } from '../../helpers/practice.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'practice-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const email = 'shopkeeper@practice.example';
const shop = { email, plan: 'Starter', connected: true, site: 'MKT_US', shop: 'stocked' } as const;
const listPhotos = () => readdir(join(dataDir, 'photos'));

const names = z.array(z.object({ name: z.string() }));
const rows = z.object({ n: z.int() });
/** Counts the rows of a person in each table. */
const countRows = (userId: string): Record<string, number> => {
  const db = new Database(join(dataDir, 'practice.sqlite'));
  try {
    const tables = names.parse(
      db
        .prepare(
          "SELECT t.name FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table' AND c.name = 'userId'",
        )
        .all(),
    );
    const count = (name: string) =>
      rows.parse(db.prepare(`SELECT COUNT(*) AS n FROM ${name} WHERE userId = ?`).get(userId)).n;
    return Object.fromEntries(tables.map(({ name }) => [name, count(name)]));
  } finally {
    db.close();
  }
};
const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((all, one) => all + one, 0);

test('removing a person deletes only the rows and photos of that person', async () => {
  const practice = await startTestPractice({ dataDir });
  const { userId } = await practice.person(shop);
  const other = await practice.person({ email: 'other@practice.example', plan: 'Starter' });
  await practice.draft(other.agentKey, 2);
  expect(await practice.remove(email)).toBe(true);
  expect(await practice.remove(email)).toBe(true);
  expect(await listPhotos()).toHaveLength(2);
  expect(practice.addresses()).toEqual(['other@practice.example']);
  await practice.close();
  expect(sum(countRows(userId))).toBe(0);
  expect(sum(countRows(other.userId))).toBeGreaterThan(3);
});

/** A script that starts the service, creates a shop, and kills itself when the first photo is removed. */
const killedBetween = `
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
fs.unlink = () => process.kill(process.pid, 'SIGKILL');
syncBuiltinESMExports();
const [dataDir, shop] = process.argv.slice(1);
const { startPracticeService } = await import('${new URL('../../../src/practice/startPractice.ts', import.meta.url).href}');
const practice = await startPracticeService({ dataDir, writer: {} });
await practice.person(JSON.parse(shop));
await practice.remove(JSON.parse(shop).email);
`;

test('a removal that is killed midway is finished at the next start', async () => {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', killedBetween, '--', dataDir, JSON.stringify(shop)],
    {
      stdio: 'inherit',
    },
  );
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
  expect((await listPhotos()).length).toBeGreaterThan(0);
  const practice = await startTestPractice({ dataDir });
  expect(practice.addresses()).toEqual([]);
  expect(await listPhotos()).toEqual([]);
  await practice.close();
});
