import { useMutation, useQueryClient, type QueryClient, type UseMutationResult } from '@tanstack/react-query';
import { callCore, CallError, type BatchView } from '../../../api/call.ts';
import { approvalListsKey, removeClosedBatches, type ApprovalLists } from '../../../api/queries.ts';
import type { CallInput } from '../../../../../ipc/calls.ts';
import { usePublishRequest } from '../../items/review/useListingRequest.ts';
import { findUntickedRows, isRowWeak, type TickChoices } from './batchRows.ts';
import { acceptedWeakListings, acceptWeakListings, deselectListings } from '../../../api/itemSelection.ts';
import { usePromptControls, type DeclineReason } from '../usePrompts.ts';
import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react';

export const maxBatchListings = 200;

export const batchRequestKey = ['batch.ask'] as const;

const setCachedBatch = (client: QueryClient, batchId: string, batch: BatchView | null): void =>
  void client.setQueryData<ApprovalLists>(approvalListsKey, (before) => {
    const { approvals, batches } = before ?? { approvals: [], batches: [] };
    const at = batches.findIndex((cached) => cached.batchId === batchId);
    if (batch === null)
      return removeClosedBatches(batches, {
        approvals,
        batches: batches.filter((cached) => cached.batchId !== batchId),
      });
    return { approvals, batches: at === -1 ? [...batches, batch] : batches.with(at, batch) };
  });

type BatchContents = { publish: string[] } | { requests: CallInput<'batch.askFor'>['requests'] };

export const useBatchRequest = () => {
  const client = useQueryClient();
  const { showBatch } = usePromptControls();
  return useMutation({
    mutationKey: batchRequestKey,
    mutationFn: (asked: BatchContents) =>
      'publish' in asked ? callCore('batch.ask', { listingIds: asked.publish }) : callCore('batch.askFor', asked),
    onSuccess: async (batch) => {
      // A read that started earlier would overwrite the new batch in the cache.
      await client.cancelQueries({ queryKey: approvalListsKey, exact: true });
      setCachedBatch(client, batch.batchId, batch);
      showBatch(batch.batchId);
      await client.invalidateQueries({ queryKey: approvalListsKey, exact: true });
    },
  });
};

/**
 * Creates one approval for one listing, a batch for several. A caller that does not show `error` must await `asking`,
 * which rejects with the error.
 */
export const useBatchPublishRequest = (onAsked?: () => void) => {
  const many = useBatchRequest();
  const one = usePublishRequest();
  // `isPending` changes only with the next render. Until then, this ref blocks a second key press.
  const isRequesting = useRef(false);
  const requestPublish = async (listingIds: readonly string[]): Promise<void> => {
    const [only, ...more] = listingIds;
    if (only === undefined || listingIds.length > maxBatchListings || isRequesting.current) return;
    isRequesting.current = true;
    try {
      await (more.length > 0 ? many.mutateAsync({ publish: [...listingIds] }) : one.mutateAsync(only));
    } finally {
      isRequesting.current = false;
    }
    onAsked?.();
  };
  const startPublishRequest = (listingIds: readonly string[]): void =>
    void requestPublish(listingIds).catch(() => undefined);
  return {
    ask: startPublishRequest,
    asking: requestPublish,
    busy: many.isPending || one.isPending,
    error: many.error ?? one.error,
  };
};

type ShownRow = { approvalId: string; digest: string };

export type BatchActions = {
  approve: UseMutationResult<BatchView, Error, ShownRow[]>;
  stop: UseMutationResult<BatchView, Error, void>;
  takeBack: UseMutationResult<BatchView, Error, void>;
  close: UseMutationResult<unknown, Error, DeclineReason>;
  problem: Error | null;
};

const listPendingRows = ({ rows }: BatchView): ShownRow[] =>
  rows.flatMap(({ approval }) =>
    approval?.state === 'pending' ? [{ approvalId: approval.approvalId, digest: approval.digest }] : [],
  );

const listUntickedRows = (batch: BatchView, ticked: readonly ShownRow[]): ShownRow[] =>
  listPendingRows(batch).filter((row) => ticked.every(({ approvalId }) => approvalId !== row.approvalId));

/**
 * If declining the first row pauses the assistant, the core withdraws the other rows. Errors of the other rows are
 * therefore ignored.
 */
const declineAllRows = async (batch: BatchView, why: DeclineReason): Promise<void> => {
  for (const [at, { approvalId, digest }] of listPendingRows(batch).entries())
    await callCore('approvals.decline', { approvalId, digest, why }).catch((error: unknown) => {
      if (at === 0 || !(error instanceof CallError)) throw error;
    });
};

export const useBatchPromptActions = (batch: BatchView, onClosed: () => void): BatchActions => {
  const { batchId } = batch;
  const client = useQueryClient();
  const invalidateBatchQueries = () =>
    Promise.all(['approvals', 'listings'].map((topic) => client.invalidateQueries({ queryKey: [topic] })));
  const cacheUpdatedBatch = (next: BatchView): void => setCachedBatch(client, batchId, next);
  const approve = useMutation({
    mutationFn: (rows: ShownRow[]) =>
      callCore('batch.approve', { batchId, rows, unticked: listUntickedRows(batch, rows) }),
    onSuccess: (next) => {
      cacheUpdatedBatch(next);
      const listingIds = batch.rows.map(({ listingId }) => listingId);
      acceptWeakListings(listingIds, false);
      deselectListings(listingIds).catch(() => undefined);
    },
    onSettled: invalidateBatchQueries,
  });
  const stop = useMutation({
    mutationFn: () => callCore('batch.stop', { batchId }),
    onSuccess: cacheUpdatedBatch,
    onSettled: invalidateBatchQueries,
  });
  const takeBack = useMutation({
    mutationFn: () => callCore('batch.takeBack', { batchId }),
    onSuccess: cacheUpdatedBatch,
    onSettled: invalidateBatchQueries,
  });
  const close = useMutation({
    mutationFn: async (why: DeclineReason) => {
      if (why === 'no') return callCore('batch.close', { batchId, rows: listPendingRows(batch) });
      await declineAllRows(batch, why);
      // If declining paused the assistant, the core has already closed the batch, and this call fails.
      return callCore('batch.close', { batchId, rows: listPendingRows(batch) }).catch((error: unknown) => {
        if (!(error instanceof CallError)) throw error;
      });
    },
    onSuccess: () => {
      setCachedBatch(client, batchId, null);
      onClosed();
    },
    onSettled: invalidateBatchQueries,
  });
  return { approve, stop, takeBack, close, problem: approve.error ?? stop.error ?? takeBack.error ?? close.error };
};

export type OnTick = (listingIds: readonly string[], on: boolean) => void;
export type BatchTickProps = { off: ReadonlySet<string>; onTick: OnTick };

const noChoices: TickChoices = new Map();

/** Keeps the ticks of each batch while its prompt is closed. */
export const useBatchTicks = () => {
  const [all, setAll] = useState<ReadonlyMap<string, TickChoices>>(new Map());
  const accepted = useSyncExternalStore(acceptedWeakListings.subscribe, acceptedWeakListings.get);
  const of = useCallback(
    (batch: BatchView): BatchTickProps => ({
      off: findUntickedRows(batch, all.get(batch.batchId) ?? noChoices, accepted),
      onTick: (listingIds, on) => {
        setAll((before) => {
          const choices = new Map(before.get(batch.batchId));
          for (const listingId of listingIds) choices.set(listingId, on);
          return new Map(before).set(batch.batchId, choices);
        });
        if (batch.by.kind === 'person') acceptWeakListings(listWeakIds(batch, listingIds), on);
      },
    }),
    [all, accepted],
  );
  return useMemo(() => ({ of }), [of]);
};

const listWeakIds = ({ rows }: BatchView, listingIds: readonly string[]): string[] =>
  rows.filter((row) => isRowWeak(row) && listingIds.includes(row.listingId)).map(({ listingId }) => listingId);
