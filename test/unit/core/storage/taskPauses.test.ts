import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLedger } from '../../../../src/core/approvals/ledger/ledger.ts';
import { runDataTask, type DataTaskStart } from '../../../../src/core/companion/dataTasks/dataTask.ts';
import { openMigratedDatabase } from '../../../../src/core/storage/database.ts';
import { createItemsTable } from '../../../../src/core/storage/tables/itemsTable.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'pauses-'));
  const db = openMigratedDatabase(join(dir, 'companion.db'));
  const rows = createLedger(db);
  db.transaction(() => {
    for (let at = 1; at <= 2_500; at += 1) rows.append(at, 'history.exported', { at });
  })();
  const items = createItemsTable(db);
  for (const name of ['lamp', 'vase', 'clock']) {
    const photo = { photoId: name, name: `${name}.jpg`, source: `/${name}.jpg`, root: '/', owned: false };
    items.add(
      {
        ...{ item_id: name, account: 'seller', name, by: { kind: 'person' }, idempotency_key: name, created_at: 1 },
        ...{ step: 'arranging', review_reason: 'grouped' },
      },
      [photo],
    );
    items.notePhoto(photo.photoId, { state: 'ready', taken_at: 1 });
  }
  // The copy of a smaller database is one step.
  db.exec(`insert into settings (name, value) values ('padding', hex(zeroblob(${2 ** 22})))`);
  db.close();
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Runs a task and returns its pauses and the parts of the work that it reported, in order. */
const listSteps = async (start: DataTaskStart): Promise<('pause' | number)[]> => {
  const steps: ('pause' | number)[] = [];
  const ignore = (): void => undefined;
  await runDataTask(start, {
    ...{ onReport: ignore, onBorders: ignore, onStage: ignore, signAll: () => [''] },
    onProgress: ({ done, total }) => void steps.push(done / total),
    pause: () => void steps.push('pause'),
  });
  return steps;
};

test('an estimate of borders pauses after each item and each step of the comparison', async () => {
  const borders = { kind: 'borders', query: { account: 'seller' } } as const;
  const steps = await listSteps({ databaseFile: join(dir, 'companion.db'), task: borders, file: null });
  const comparison = ['compared photos', 'gaps', 'item lengths', 'first photos', 'chances'];
  expect(steps).toEqual(Array(3 + comparison.length).fill('pause'));
});

const signer = { publicKey: '', fingerprint: '', keychain: 'memory' } as const;

test('an export and the check of the ledger pause between their steps', async () => {
  const databaseFile = join(dir, 'companion.db');
  const check = await listSteps({ databaseFile, task: { kind: 'ledgerCheck' }, file: null });
  expect(check).toEqual(Array(26).fill('pause'));
  const history = { kind: 'history', format: 'jsonl', signer, at: 1 } as const;
  const steps = await listSteps({ databaseFile, task: history, file: join(dir, 'history') });
  expect(steps.slice(0, 2)).toEqual([expect.any(Number), 'pause']);
});

test('a backup pauses between the steps of its copy and of the check', async () => {
  const file = join(dir, 'backup');
  const steps = await listSteps({ databaseFile: join(dir, 'companion.db'), task: { kind: 'backup' }, file });
  const parts = steps.filter((step) => step !== 'pause');
  expect(steps).toEqual(parts.flatMap((part) => [part, 'pause']));
  expect(parts).toEqual(parts.toSorted((one, other) => one - other));
  // The first half is the copy, the second half the check.
  expect([parts.filter((part) => part < 0.5).length > 1, parts.filter((part) => part > 0.5).length > 10]).toEqual([
    true,
    true,
  ]);
  expect([(parts[0] ?? 1) < 0.5, (parts.at(-1) ?? 0) > 0.9, Math.max(...parts) <= 1]).toEqual([true, true, true]);
});
