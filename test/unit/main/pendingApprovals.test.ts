import { expect, test } from 'vitest';
import { createHostTranslator } from '../../../src/host/hostTranslator.ts';
import { createBatchPath, formatBatchLabel, listPendingPrompts } from '../../../src/main/tray/pendingApprovals.ts';
import { listPendingApprovals } from '../../../src/renderer/src/screens/approvals/approvalText.ts';
import { endApproval, publishApproval } from '../../helpers/fakes/fakeApprovals.ts';
import { makeAssistantBatch, makeMixedBatch } from '../../helpers/fakes/fakeBatch.ts';

const batch = makeAssistantBatch(12);
const rows = batch.rows.flatMap(({ approval }) => approval ?? []);

test('a batch is listed as one pending approval outside the window', () => {
  const alone = [publishApproval(), endApproval()];
  const waiting = listPendingPrompts([...alone, ...rows], [batch]);
  expect(waiting.map(({ id }) => id).toSorted()).toEqual(
    [...alone.map(({ approvalId }) => approvalId), batch.batchId].toSorted(),
  );
});

test('approvals and batches outside the window are ordered by the time of their request', () => {
  const [older, newer] = [
    { ...publishApproval(), placeSeq: 2 },
    { ...endApproval(), placeSeq: 9 },
  ];
  const between = { ...batch, placeSeq: 5 };
  const order = [older.approvalId, between.batchId, newer.approvalId];
  expect(listPendingPrompts([older, newer], [between]).map(({ id }) => id)).toEqual(order);
  expect(listPendingApprovals([older, newer], [between]).map(({ id }) => id)).toEqual(order);
});

test('a batch in its undo window is not pending', () => {
  const waiting = listPendingPrompts(rows, [{ ...batch, state: 'held' }]);
  expect(waiting).toEqual([]);
});

test('a batch is one tray menu item that lists its acts', () => {
  const translator = createHostTranslator(['en']);
  expect(formatBatchLabel(makeMixedBatch(), translator)).toMatch(/^Publish on the US site \(2\)/);
  expect(createBatchPath('bat 1')).toBe('/approvals?batch=bat%201');
});
