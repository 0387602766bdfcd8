import { expect, test } from 'vitest';
import { createHostTranslator } from '../../../src/host/hostTranslator.ts';
import { batchPath, batchLabel, countPending, pendingApprovals } from '../../../src/main/tray/pendingApprovals.ts';
import { endApproval, publishApproval } from '../../helpers/fakes/fakeApprovals.ts';
import { assistantBatch, mixedBatch } from '../../helpers/fakes/fakeBatch.ts';

const batch = assistantBatch(12);
const rows = batch.rows.flatMap(({ approval }) => approval ?? []);

test('outside of the window a batch counts once, and its approvals not at all', () => {
  const alone = [publishApproval(), endApproval()];
  const waiting = pendingApprovals([...alone, ...rows], [batch]);
  expect(waiting).toEqual({ approvals: alone, batches: [batch] });
  expect(countPending(waiting)).toBe(3);
});

test('a batch that is held or sent asks for nothing, and its rows are not asked one by one', () => {
  const waiting = pendingApprovals(rows, [{ ...batch, state: 'held' }]);
  expect(countPending(waiting)).toBe(0);
});

test('a batch is one line of the tray, with its acts', () => {
  const translator = createHostTranslator(['en']);
  expect(batchLabel(mixedBatch(), translator)).toMatch(/^Publish on the US site \(2\)/);
  expect(batchPath('bat 1')).toBe('/approvals?batch=bat%201');
});
