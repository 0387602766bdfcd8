import { useMutation, useQueryClient, type QueryClient, type UseMutationResult } from '@tanstack/react-query';
import { call, CallError, type BatchView } from '../../../api/call.ts';
import { questionsKey, withoutGone, type Questions } from '../../../api/queries.ts';
import type { CallInput } from '../../../../../ipc/calls.ts';
import { useAskPublish } from '../../items/review/useAsk.ts';
import { usePrompts, type DeclineReason } from '../useQuestions.ts';
import { useCallback, useMemo, useRef, useState } from 'react';

/** The maximum number of listings in one batch. */
export const mostAtOnce = 200;

export const askingBatch = ['batch.ask'] as const;

/** Writes a batch into the query cache, or removes it if null. */
const keepBatch = (client: QueryClient, batchId: string, batch: BatchView | null): void =>
  void client.setQueryData<Questions>(questionsKey, (before) => {
    const { approvals, batches } = before ?? { approvals: [], batches: [] };
    const at = batches.findIndex((one) => one.batchId === batchId);
    if (batch === null)
      return withoutGone(batches, { approvals, batches: batches.filter((one) => one.batchId !== batchId) });
    return { approvals, batches: at === -1 ? [...batches, batch] : batches.with(at, batch) };
  });

type Asked = { publish: string[] } | { requests: CallInput<'batch.askFor'>['requests'] };

/** Requests several listings as one batch and opens its prompt. */
export const useAskBatch = () => {
  const client = useQueryClient();
  const { showBatch } = usePrompts();
  return useMutation({
    mutationKey: askingBatch,
    mutationFn: (asked: Asked) =>
      'publish' in asked ? call('batch.ask', { listingIds: asked.publish }) : call('batch.askFor', asked),
    onSuccess: async (batch) => {
      // A read that started earlier would overwrite the new batch.
      await client.cancelQueries({ queryKey: questionsKey, exact: true });
      keepBatch(client, batch.batchId, batch);
      showBatch(batch.batchId);
      await client.invalidateQueries({ queryKey: questionsKey, exact: true });
    },
  });
};

/**
 * Requests to publish listings: one approval for one listing, a batch for several. `onAsked` is called afterwards. A
 * caller that does not show `error` awaits `asking`, which rejects with it.
 */
export const usePublishTogether = (onAsked?: () => void) => {
  const many = useAskBatch();
  const one = useAskPublish();
  // A ref, because `isPending` changes only with the next render and a second key press may come first.
  const isAsking = useRef(false);
  const asking = async (listingIds: readonly string[]): Promise<void> => {
    const [only, ...more] = listingIds;
    if (only === undefined || listingIds.length > mostAtOnce || isAsking.current) return;
    isAsking.current = true;
    try {
      await (more.length > 0 ? many.mutateAsync({ publish: [...listingIds] }) : one.mutateAsync(only));
    } finally {
      isAsking.current = false;
    }
    onAsked?.();
  };
  const ask = (listingIds: readonly string[]): void => void asking(listingIds).catch(() => undefined);
  return { ask, asking, busy: many.isPending || one.isPending, error: many.error ?? one.error };
};

type Row = { approvalId: string; digest: string };

/** The mutations of a batch prompt and the last error. */
export type BatchActs = {
  approve: UseMutationResult<BatchView, Error, Row[]>;
  stop: UseMutationResult<BatchView, Error, void>;
  takeBack: UseMutationResult<BatchView, Error, void>;
  close: UseMutationResult<unknown, Error, DeclineReason>;
  problem: Error | null;
};

/** Returns the pending rows with the digests shown to the person. */
const shownRows = ({ rows }: BatchView): Row[] =>
  rows.flatMap(({ approval }) =>
    approval?.state === 'pending' ? [{ approvalId: approval.approvalId, digest: approval.digest }] : [],
  );

const untickedRows = (batch: BatchView, ticked: readonly Row[]): Row[] =>
  shownRows(batch).filter((row) => ticked.every(({ approvalId }) => approvalId !== row.approvalId));

/**
 * Declines all pending rows. Declining the first row may pause the assistant, which withdraws the others; their errors
 * are ignored.
 */
const declineAll = async (batch: BatchView, why: DeclineReason): Promise<void> => {
  for (const [at, { approvalId, digest }] of shownRows(batch).entries())
    await call('approvals.decline', { approvalId, digest, why }).catch((error: unknown) => {
      if (at === 0 || !(error instanceof CallError)) throw error;
    });
};

/** The answers to a batch: approve exactly these rows, decline with a reason, take back, stop, close. */
export const useBatchActs = (batch: BatchView, onClosed: () => void): BatchActs => {
  const { batchId } = batch;
  const client = useQueryClient();
  const onSettled = () =>
    Promise.all(['approvals', 'listings'].map((topic) => client.invalidateQueries({ queryKey: [topic] })));
  const keep = (next: BatchView): void => keepBatch(client, batchId, next);
  const approve = useMutation({
    mutationFn: (rows: Row[]) => call('batch.approve', { batchId, rows, unticked: untickedRows(batch, rows) }),
    onSuccess: keep,
    onSettled,
  });
  const stop = useMutation({ mutationFn: () => call('batch.stop', { batchId }), onSuccess: keep, onSettled });
  const takeBack = useMutation({ mutationFn: () => call('batch.takeBack', { batchId }), onSuccess: keep, onSettled });
  const close = useMutation({
    mutationFn: async (why: DeclineReason) => {
      if (why === 'no') return call('batch.close', { batchId, rows: shownRows(batch) });
      await declineAll(batch, why);
      // If declining paused the assistant, the batch may already be over.
      return call('batch.close', { batchId, rows: shownRows(batch) }).catch((error: unknown) => {
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

export type OnTick = (listingIds: readonly string[], on: boolean) => void;
export type Ticks = { off: ReadonlySet<string>; onTick: OnTick };

const nothing: ReadonlySet<string> = new Set();

/** The rows that the person unticked in each batch; kept while the prompt is closed. */
export const useTicks = () => {
  const [all, setAll] = useState<ReadonlyMap<string, ReadonlySet<string>>>(new Map());
  const of = useCallback(
    (batchId: string): Ticks => ({
      off: all.get(batchId) ?? nothing,
      onTick: (listingIds, on) =>
        setAll((before) => {
          const off = new Set(before.get(batchId));
          for (const listingId of listingIds)
            if (on) off.delete(listingId);
            else off.add(listingId);
          return new Map(before).set(batchId, off);
        }),
    }),
    [all],
  );
  return useMemo(() => ({ of }), [of]);
};
