import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { CallError } from '../../../api/callError.ts';
import type { BatchView } from '../../../api/types.ts';
import type { DeclineReason } from '../useDecision.ts';
import { keepBatch } from './useBatches.ts';

type Row = { approvalId: string; digest: string };

/** The running answers to a batch, and what went wrong with the last of them. */
export type BatchActs = {
  approve: UseMutationResult<BatchView, Error, Row[]>;
  stop: UseMutationResult<BatchView, Error, void>;
  takeBack: UseMutationResult<BatchView, Error, void>;
  close: UseMutationResult<unknown, Error, DeclineReason>;
  problem: Error | null;
};

/** One that is no longer asked, as its assistant was paused by the one before it, needs no answer any more. */
const declineAll = async ({ rows }: BatchView, why: DeclineReason): Promise<void> => {
  const waiting = rows.flatMap(({ approval }) => (approval?.state === 'pending' ? [approval] : []));
  for (const [at, { approvalId, digest }] of waiting.entries())
    await call('approvals.decline', { approvalId, digest, why }).catch((error: unknown) => {
      if (at === 0 || !(error instanceof CallError)) throw error;
    });
};

/** The answers to a batch: the yes to exactly these rows, the no with its reason, to take back, to stop, and to close it. */
export const useBatchActs = (batch: BatchView, onClosed: () => void): BatchActs => {
  const { batchId } = batch;
  const client = useQueryClient();
  const onSettled = () =>
    Promise.all(['approvals', 'listings'].map((topic) => client.invalidateQueries({ queryKey: [topic] })));
  const keep = (next: BatchView): void => keepBatch(client, batchId, next);
  const approve = useMutation({
    mutationFn: (rows: Row[]) => call('batch.approve', { batchId, rows }),
    onSuccess: keep,
    onSettled,
  });
  const stop = useMutation({ mutationFn: () => call('batch.stop', { batchId }), onSuccess: keep, onSettled });
  const takeBack = useMutation({ mutationFn: () => call('batch.takeBack', { batchId }), onSuccess: keep, onSettled });
  const close = useMutation({
    mutationFn: async (why: DeclineReason) => {
      if (why === 'no') return call('batch.close', { batchId });
      await declineAll(batch, why);
      // A batch of an assistant that was paused by it may be over already.
      return call('batch.close', { batchId }).catch((error: unknown) => {
        if (!(error instanceof CallError)) throw error;
      });
    },
    onSuccess: () => {
      keepBatch(client, batchId, null);
      onClosed();
    },
    onSettled,
  });
  return { approve, stop, takeBack, close, problem: approve.error ?? stop.error ?? takeBack.error ?? close.error };
};
