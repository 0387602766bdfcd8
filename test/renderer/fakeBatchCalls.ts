import { makeBatch, stepBatch } from './fakeBatch.ts';
import { makeChanges } from './fakeChanges.ts';
import type { Answers, Fake } from './fakeCompanion.ts';
import { refuse } from './fakeRefusal.ts';

type Batch = Pick<Answers, Extract<keyof Answers, `batch.${string}`>>;

/** A batch that is asked for, sent row by row, stopped and closed. */
export const batchCalls = (fake: Fake): Batch => {
  const now = () => fake.batch ?? refuse('NOT_FOUND', 'This batch is over.');
  const go = (): void => {
    if (!fake.batch || fake.batch.state === 'over') return;
    fake.batch = stepBatch(fake.batch);
    fake.changed('approvals');
    setTimeout(go, fake.beatMs);
  };
  return {
    'batch.ask': ({ listingIds }) => {
      const items = listingIds.flatMap((id) => fake.items.find(({ listingId }) => listingId === id) ?? []);
      fake.batch = makeBatch(items);
      setTimeout(() => fake.changed('approvals'), 20);
      return fake.batch;
    },
    'batch.askFor': ({ requests }) => {
      fake.batch = makeChanges(fake.rows, requests);
      setTimeout(() => fake.changed('approvals'), 20);
      return fake.batch;
    },
    'batch.current': () => fake.batch,
    'batch.approve': ({ rows }) => {
      const yes = new Set(rows.map(({ approvalId }) => approvalId));
      const batch = now();
      fake.batch = {
        ...batch,
        state: 'sending',
        rows: batch.rows.map((row) =>
          row.approval && yes.has(row.approval.approvalId)
            ? { ...row, approval: { ...row.approval, state: 'approved' } }
            : row,
        ),
      };
      setTimeout(go, fake.beatMs);
      return fake.batch;
    },
    'batch.stop': () => (fake.batch = { ...now(), state: 'stopping' }),
    'batch.close': () => {
      fake.batch = null;
      return null;
    },
  };
};
