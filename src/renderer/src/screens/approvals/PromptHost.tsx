import { notifications } from '@mantine/notifications';
import { useQueryClient, type QueryClient, useIsMutating } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState, useMemo, type ReactNode } from 'react';
import { approvalListsKey, type ApprovalLists, useBatchList } from '../../api/queries.ts';
import { Trans } from 'react-i18next';
import { callCore, type ApprovalView, type BatchView } from '../../api/call.ts';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { isBatchPending, type PendingApproval, isWaitingForPerson } from './approvalText.ts';
import {
  dialogExits,
  type FollowPrompt,
  ListingLocksContext,
  type OnPromptClosed,
  type OpenPrompt,
  PromptsContext,
  useReadListingLocks,
  usePendingApprovals,
} from './usePrompts.ts';
import { createLazyComponent } from '../../components/createLazyComponent.tsx';
import { isEditingField } from '../../components/Keys.tsx';
import { useIsRecovering } from '../proof/useProofs.ts';
import { batchRequestKey, useBatchTicks } from './batch/useBatches.ts';

const parsePromptQuery = (query: URLSearchParams): OpenPrompt | null => {
  const approvalId = query.get('approval');
  const batchId = query.get('batch');
  if (approvalId !== null) return { kind: 'one', id: approvalId };
  return batchId === null ? null : { kind: 'batch', id: batchId };
};

/** The tray and the notifications name the prompt in the address: "?approval=…" or "#/approvals?batch=…". */
const readRequestedPrompt = (): OpenPrompt | null =>
  parsePromptQuery(new URLSearchParams(window.location.search)) ??
  parsePromptQuery(new URLSearchParams(window.location.hash.split('?')[1] ?? ''));

const isPromptPending = (client: QueryClient, { kind, id }: OpenPrompt): boolean => {
  const openRequests = client.getQueryData<ApprovalLists>(approvalListsKey);
  if (kind === 'batch')
    return openRequests?.batches.some((entry) => entry.batchId === id && isBatchPending(entry)) ?? false;
  const entry =
    client.getQueryData<ApprovalView>(['approvals', 'one', id]) ??
    openRequests?.approvals.find(({ approvalId }) => approvalId === id);
  return entry !== undefined && isWaitingForPerson(entry);
};

/**
 * The host names a prompt in the location hash. The query is removed, because the router expects a path without a
 * query.
 */
const usePromptLocation = (openPrompt: (next: OpenPrompt) => void): void => {
  useEffect(() => {
    const openRequestedPrompt = (): void => {
      const [place, query] = window.location.hash.split('?');
      if (query === undefined) return;
      const chosen = parsePromptQuery(new URLSearchParams(query));
      window.location.replace(place ?? '#/');
      if (chosen) openPrompt(chosen);
    };
    openRequestedPrompt();
    window.addEventListener('hashchange', openRequestedPrompt);
    return () => window.removeEventListener('hashchange', openRequestedPrompt);
  }, [openPrompt]);
};

/** Other prompts are queued while the open prompt is pending. */
const useOpenPromptState = () => {
  const client = useQueryClient();
  const [open, setOpen] = useState<OpenPrompt | null>(readRequestedPrompt);
  const currentPrompt = useRef(open);
  const queuedPrompts = useRef<OpenPrompt[]>([]);
  const setCurrentPrompt = useCallback((to: OpenPrompt | null): void => {
    currentPrompt.current = to;
    setOpen(to);
  }, []);
  const openPrompt = useCallback(
    (wanted: OpenPrompt): void => {
      const other = currentPrompt.current !== null && currentPrompt.current.id !== wanted.id;
      if (other && currentPrompt.current && isPromptPending(client, currentPrompt.current))
        queuedPrompts.current.push(wanted);
      else setCurrentPrompt(wanted);
    },
    [client, setCurrentPrompt],
  );
  /** Does nothing if `from` is not the open prompt. */
  const follow = useCallback<FollowPrompt>(
    (to, from) => {
      if (currentPrompt.current?.id === from) setCurrentPrompt({ ...to, onClosed: currentPrompt.current.onClosed });
    },
    [setCurrentPrompt],
  );
  const close = useCallback(
    (id?: string): void => {
      const closed = currentPrompt.current;
      // A late answer must not close another prompt.
      if (id !== undefined && closed?.id !== id) return;
      setCurrentPrompt(queuedPrompts.current.shift() ?? null);
      if (closed) closed.onClosed?.(closed.id);
    },
    [setCurrentPrompt],
  );
  useEffect(
    () =>
      dialogExits.subscribe(() => {
        queuedPrompts.current = [];
        close();
      }),
    [close],
  );
  usePromptLocation(openPrompt);
  return {
    open,
    follow,
    close,
    show: useCallback(
      (id: string, onClosed?: OnPromptClosed) => openPrompt({ kind: 'one', id, onClosed }),
      [openPrompt],
    ),
    showBatch: useCallback((id: string) => openPrompt({ kind: 'batch', id }), [openPrompt]),
  };
};

const ApprovalPrompt = createLazyComponent(async () => (await import('./ApprovalPrompt.tsx')).ApprovalPrompt);
const BatchPrompt = createLazyComponent(async () => (await import('./batch/BatchPrompt.tsx')).BatchPrompt);

/**
 * Opens each new prompt that is not quiet, unless the person is editing, another dialog is open, or a recovery of the
 * proofs runs, whose bar must not be covered. Returns the ids of all prompts opened so far.
 */
const useNewPromptOpener = (
  pending: readonly PendingApproval[],
  open: OpenPrompt | null,
  show: (entry: PendingApproval) => void,
): ReadonlySet<string> => {
  const isRequestingBatch = useIsMutating({ mutationKey: batchRequestKey }) > 0;
  const isRecovering = useIsRecovering();
  const known = useRef(new Set<string>());
  const [seenIds, setSeenIds] = useState<ReadonlySet<string>>(new Set());
  const openId = open?.id ?? null;
  useEffect(() => {
    if (isRecovering === undefined) return;
    const fresh = pending.filter(({ id }) => !known.current.has(id));
    for (const { id } of fresh) known.current.add(id);
    const first = fresh.find((entry) => entry.kind === 'batch' || !entry.approval.quiet);
    const isFree = openId === null && !isRequestingBatch && !isRecovering;
    if (first && isFree && !isEditingField() && !document.querySelector('[role=dialog]')) show(first);
  }, [pending, openId, isRequestingBatch, isRecovering, show]);
  useEffect(() => {
    if (openId !== null) setSeenIds((before) => new Set(before).add(openId));
  }, [openId]);
  return seenIds;
};

const notifyBatchWithdrawn = async (batchId: string): Promise<void> => {
  const { by, rows } = await callCore('batch.read', { batchId });
  if (by.kind === 'person' || rows.some(({ approval }) => (approval?.decidedAt ?? null) !== null)) return;
  const name = <UntrustedText text={by.name} fold={60} flag={false} />;
  notifications.show({ message: <Trans i18nKey="approvals.noLongerAsks" components={{ name }} /> });
};

/** Closes the prompt of a batch that no longer exists, because it would block other prompts. */
const useOpenBatchPrompt = (open: OpenPrompt | null, close: (id: string) => void): BatchView | undefined => {
  const { data, isFetching } = useBatchList();
  const id = open?.kind === 'batch' ? open.id : null;
  const batch = data?.find(({ batchId }) => batchId === id);
  const isGone = id !== null && data !== undefined && !isFetching && batch === undefined;
  useEffect(() => {
    if (!isGone) return;
    close(id);
    // `batch.read` fails if the batch belongs to another account. The person then needs no notification.
    notifyBatchWithdrawn(id).catch(() => undefined);
  }, [isGone, id, close]);
  return batch;
};

export const PromptHost = ({ children }: { children: ReactNode }) => {
  const { open, show, showBatch, follow, close } = useOpenPromptState();
  const pending = usePendingApprovals();
  const locks = useReadListingLocks();
  const ticks = useBatchTicks();
  const openEntry = useMemo(
    () =>
      ({ kind, id }: OpenPrompt): void =>
        kind === 'one' ? show(id) : showBatch(id),
    [show, showBatch],
  );
  const seenIds = useNewPromptOpener(pending, open, openEntry);
  const batch = useOpenBatchPrompt(open, close);
  const prompts = useMemo(
    () => ({
      show,
      showBatch,
      hide: () => close(),
      open,
      offOf: (entry: BatchView) => ticks.of(entry).off,
      unseen: pending.filter(({ id }) => !seenIds.has(id) && id !== open?.id),
    }),
    [show, showBatch, close, pending, seenIds, open, ticks],
  );
  return (
    <PromptsContext value={prompts}>
      <ListingLocksContext value={locks}>
        {children}
        {open?.kind === 'one' && (
          <ApprovalPrompt approvalId={open.id} onFollow={follow} onClose={() => close(open.id)} />
        )}
        {batch && (
          <BatchPrompt
            key={batch.batchId}
            batch={batch}
            {...ticks.of(batch)}
            onFollow={follow}
            onClose={() => close(batch.batchId)}
          />
        )}
      </ListingLocksContext>
    </PromptsContext>
  );
};
