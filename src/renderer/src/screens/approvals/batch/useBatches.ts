import { useMutation, useQueryClient, type QueryClient, type UseMutationResult } from '@tanstack/react-query';
import { callCore, CallError, type BatchView } from '../../../api/call.ts';
import { approvalListsKey, withoutClosedBatches, type ApprovalLists } from '../../../api/queries.ts';
import type { CallInput } from '../../../../../ipc/calls.ts';
import { useRequestPublish } from '../../items/review/useListingRequest.ts';
import { usePromptControls, type DeclineReason } from '../usePrompts.ts';
import { useCallback, useMemo, useRef, useState } from 'react';

/** The maximum number of listings in one batch. */
export const maxAtOnce = 200;

export const askingBatch = ['batch.ask'] as const;

/** Writes a batch into the query cache, or removes it if null. */
const cacheBatchAnswer = (client: QueryClient, batchId: string, batch: BatchView | null): void =>
  void client.setQueryData<ApprovalLists>(approvalListsKey, (before) => {
    const { approvals, batches } = before ?? { approvals: [], batches: [] };
    const at = batches.findIndex((cached) => cached.batchId === batchId);
    if (batch === null)
      return withoutClosedBatches(batches, {
        approvals,
        batches: batches.filter((cached) => cached.batchId !== batchId),
      });
    return { approvals, batches: at === -1 ? [...batches, batch] : batches.with(at, batch) };
  });

type BatchContents = { publish: string[] } | { requests: CallInput<'batch.askFor'>['requests'] };

/** Requests several listings as one batch and opens its prompt. */
export const useRequestBatch = () => {
  const client = useQueryClient();
  const { showBatch } = usePromptControls();
  return useMutation({
    mutationKey: askingBatch,
    mutationFn: (asked: BatchContents) =>
      'publish' in asked ? callCore('batch.ask', { listingIds: asked.publish }) : callCore('batch.askFor', asked),
    onSuccess: async (batch) => {
      // A read that started earlier would overwrite the new batch.
      await client.cancelQueries({ queryKey: approvalListsKey, exact: true });
      cacheBatchAnswer(client, batch.batchId, batch);
      showBatch(batch.batchId);
      await client.invalidateQueries({ queryKey: approvalListsKey, exact: true });
    },
  });
};

/**
 * Requests to publish listings: one approval for one listing, a batch for several. `onAsked` is called afterwards. A
 * caller that does not show `error` awaits `asking`, which rejects with it.
 */
export const useRequestPublishTogether = (onAsked?: () => void) => {
  const many = useRequestBatch();
  const one = useRequestPublish();
  // A ref, because `isPending` changes only with the next render and a second key press may come first.
  const isRequesting = useRef(false);
  const requestPublish = async (listingIds: readonly string[]): Promise<void> => {
    const [only, ...more] = listingIds;
    if (only === undefined || listingIds.length > maxAtOnce || isRequesting.current) return;
    isRequesting.current = true;
    try {
      await (more.length > 0 ? many.mutateAsync({ publish: [...listingIds] }) : one.mutateAsync(only));
    } finally {
      isRequesting.current = false;
    }
    onAsked?.();
  };
  const startRequest = (listingIds: readonly string[]): void => void requestPublish(listingIds).catch(() => undefined);
  return {
    ask: startRequest,
    asking: requestPublish,
    busy: many.isPending || one.isPending,
    error: many.error ?? one.error,
  };
};

type ShownRow = { approvalId: string; digest: string };

/** The mutations of a batch prompt and the last error. */
export type BatchActs = {
  approve: UseMutationResult<BatchView, Error, ShownRow[]>;
  stop: UseMutationResult<BatchView, Error, void>;
  takeBack: UseMutationResult<BatchView, Error, void>;
  close: UseMutationResult<unknown, Error, DeclineReason>;
  problem: Error | null;
};

/** Returns the pending rows with the digests shown to the person. */
const listShownRows = ({ rows }: BatchView): ShownRow[] =>
  rows.flatMap(({ approval }) =>
    approval?.state === 'pending' ? [{ approvalId: approval.approvalId, digest: approval.digest }] : [],
  );

const listUntickedRows = (batch: BatchView, ticked: readonly ShownRow[]): ShownRow[] =>
  listShownRows(batch).filter((row) => ticked.every(({ approvalId }) => approvalId !== row.approvalId));

/**
 * Declines all pending rows. Declining the first row may pause the assistant, which withdraws the others; their errors
 * are ignored.
 */
const declineAllRows = async (batch: BatchView, why: DeclineReason): Promise<void> => {
  for (const [at, { approvalId, digest }] of listShownRows(batch).entries())
    await callCore('approvals.decline', { approvalId, digest, why }).catch((error: unknown) => {
      if (at === 0 || !(error instanceof CallError)) throw error;
    });
};

/** The answers to a batch: approve exactly these rows, decline with a reason, take back, stop, close. */
export const useBatchPromptActs = (batch: BatchView, onClosed: () => void): BatchActs => {
  const { batchId } = batch;
  const client = useQueryClient();
  const invalidateBatchQueries = () =>
    Promise.all(['approvals', 'listings'].map((topic) => client.invalidateQueries({ queryKey: [topic] })));
  const cacheNextBatch = (next: BatchView): void => cacheBatchAnswer(client, batchId, next);
  const approve = useMutation({
    mutationFn: (rows: ShownRow[]) =>
      callCore('batch.approve', { batchId, rows, unticked: listUntickedRows(batch, rows) }),
    onSuccess: cacheNextBatch,
    onSettled: invalidateBatchQueries,
  });
  const stop = useMutation({
    mutationFn: () => callCore('batch.stop', { batchId }),
    onSuccess: cacheNextBatch,
    onSettled: invalidateBatchQueries,
  });
  const takeBack = useMutation({
    mutationFn: () => callCore('batch.takeBack', { batchId }),
    onSuccess: cacheNextBatch,
    onSettled: invalidateBatchQueries,
  });
  const close = useMutation({
    mutationFn: async (why: DeclineReason) => {
      if (why === 'no') return callCore('batch.close', { batchId, rows: listShownRows(batch) });
      await declineAllRows(batch, why);
      // If declining paused the assistant, the batch may already be over.
      return callCore('batch.close', { batchId, rows: listShownRows(batch) }).catch((error: unknown) => {
        if (!(error instanceof CallError)) throw error;
      });
    },
    onSuccess: () => {
      cacheBatchAnswer(client, batchId, null);
      onClosed();
    },
    onSettled: invalidateBatchQueries,
  });
  return { approve, stop, takeBack, close, problem: approve.error ?? stop.error ?? takeBack.error ?? close.error };
};

export type OnTick = (listingIds: readonly string[], on: boolean) => void;
export type Ticks = { off: ReadonlySet<string>; onTick: OnTick };

const noUnticked: ReadonlySet<string> = new Set();

/** The rows that the person unticked in each batch; kept while the prompt is closed. */
export const useBatchTicks = () => {
  const [all, setAll] = useState<ReadonlyMap<string, ReadonlySet<string>>>(new Map());
  const of = useCallback(
    (batchId: string): Ticks => ({
      off: all.get(batchId) ?? noUnticked,
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
