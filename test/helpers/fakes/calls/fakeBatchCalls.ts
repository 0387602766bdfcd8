import type { BatchRow, BatchView } from '../../../../src/core/approvals/batches.ts';
import { makeBatch, markWeakRows, type Listed } from '../fakeBatch.ts';
import { approveRows, stepBatch, takeBackRows } from '../fakeBatchSteps.ts';
import type { Answers, Fake } from '../fakeCompanion.ts';
import { refuseCall } from '../fakeRefusal.ts';
import { parseInput, requestApproval } from '../fakeService.ts';

type Batch = Pick<Answers, Extract<keyof Answers, `batch.${string}`>>;

let asked = 0;

/** Calls that request, delay, send, stop and close batches. */
export const createBatchCalls = (fake: Fake): Batch => {
  const now = (batchId: string): BatchView =>
    fake.batches.find((one) => one.batchId === batchId) ?? refuseCall('NOT_FOUND', 'This batch is over.');
  const keep = (next: BatchView): BatchView => {
    fake.batches = fake.batches.map((one) => (one.batchId === next.batchId ? next : one));
    return next;
  };
  const add = (batch: BatchView): BatchView => {
    const named = { ...batch, batchId: `bat_${(asked += 1)}` };
    fake.batches = [...fake.batches, named];
    setTimeout(() => fake.changed('approvals'), 20);
    return named;
  };
  /** Returns whether an assistant's batch ended without an answer of the person. */
  const isLeft = ({ by, state, rows }: BatchView): boolean =>
    by.kind === 'assistant' && state === 'over' && rows.every(({ approval }) => (approval?.decidedAt ?? null) === null);
  /** Returns a listing by its item, or by its table row if it has no item. */
  const listed = (id: string): Listed | [] => {
    const item = fake.items.find(({ listingId }) => listingId === id);
    const row = fake.rows.find(({ listingId }) => listingId === id);
    return item ?? (row ? { listingId: id, title: row.title, name: id } : []);
  };
  const go = (batchId: string): void => {
    const batch = fake.batches.find((one) => one.batchId === batchId);
    if (!batch || batch.state === 'over') return;
    keep(stepBatch(batch.state === 'held' ? { ...batch, state: 'sending' } : batch));
    fake.changed('approvals');
    setTimeout(() => go(batchId), fake.beatMs);
  };
  return {
    'batch.ask': ({ listingIds }) => {
      const batch = makeBatch(listingIds.flatMap(listed));
      return add(fake.weak ? markWeakRows(batch) : batch);
    },
    'batch.askFor': async ({ requests }) => {
      const rows = requests.map(async ({ route, input }): Promise<BatchRow> => {
        const approval = await requestApproval(fake, route, parseInput(route, input));
        const { target } = approval.prompt;
        const row = { listingId: target?.listingId ?? '', route, title: target?.title ?? '' };
        return { ...row, problem: null, approval, warnings: [] };
      });
      return add({ ...makeBatch([]), rows: await Promise.all(rows) });
    },
    'batch.list': () => fake.batches.filter((batch) => !isLeft(batch)),
    'batch.approve': ({ batchId, rows }) => {
      const yes = new Set(rows.map(({ approvalId }) => approvalId));
      const confirmedBy = fake.proofs.read().kinds[0] ?? 'press';
      const next = keep(approveRows(now(batchId), yes, { holdMs: fake.holdMs, confirmedBy }));
      setTimeout(() => go(batchId), next.state === 'held' ? fake.holdMs : fake.beatMs);
      return next;
    },
    'batch.takeBack': ({ batchId }) => keep(takeBackRows(now(batchId))),
    'batch.read': ({ batchId }) => now(batchId),
    'batch.stop': ({ batchId }) => keep({ ...now(batchId), state: 'stopping' }),
    'batch.close': ({ batchId }) => {
      fake.batches = fake.batches.filter((one) => one.batchId !== batchId);
      setTimeout(() => fake.changed('approvals'), 20);
      return null;
    },
  };
};
