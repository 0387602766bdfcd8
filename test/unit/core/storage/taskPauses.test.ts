import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLedger } from '../../../../src/core/approvals/ledger/ledger.ts';
import { runDataTask, type DataTaskStart } from '../../../../src/core/companion/dataTasks/dataTask.ts';
import { openMigratedDatabase } from '../../../../src/core/storage/database.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'pauses-'));
  const db = openMigratedDatabase(join(dir, 'companion.db'));
  const rows = createLedger(db);
  db.transaction(() => {
    for (let at = 1; at <= 2_500; at += 1) rows.append(at, 'history.exported', { at });
  })();
  // The copy of a smaller database is one step.
  db.exec(`insert into settings (name, value) values ('padding', hex(zeroblob(${2 ** 22})))`);
  db.close();
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Runs a task and returns its reports of progress and its pauses, in order. */
const listSteps = async (start: DataTaskStart): Promise<string[]> => {
  const steps: string[] = [];
  const ignore = (): void => undefined;
  await runDataTask(start, {
    ...{ onReport: ignore, onBorders: ignore, onStage: ignore, sign: () => '' },
    onProgress: () => void steps.push('progress'),
    pause: () => void steps.push('pause'),
  });
  return steps;
};

const signer = { publicKey: '', fingerprint: '', keychain: 'memory' } as const;

test('an export and the check of the ledger pause between their steps', async () => {
  const databaseFile = join(dir, 'companion.db');
  const check = await listSteps({ databaseFile, task: { kind: 'ledgerCheck' }, file: null });
  expect(check).toEqual(Array(26).fill('pause'));
  const history = { kind: 'history', format: 'jsonl', signer, at: 1 } as const;
  const steps = await listSteps({ databaseFile, task: history, file: join(dir, 'history') });
  expect(steps.slice(0, 2)).toEqual(['progress', 'pause']);
});

test('a backup pauses between the steps of its copy and of the check', async () => {
  const file = join(dir, 'backup');
  const steps = await listSteps({ databaseFile: join(dir, 'companion.db'), task: { kind: 'backup' }, file });
  expect(steps.slice(0, 4)).toEqual(['progress', 'pause', 'progress', 'pause']);
  expect(steps.slice(steps.lastIndexOf('progress')).length).toBeGreaterThan(10);
});
