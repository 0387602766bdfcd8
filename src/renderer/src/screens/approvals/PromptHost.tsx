import { notifications } from '@mantine/notifications';
import { useQueryClient, type QueryClient, useIsMutating } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState, useMemo, type ReactNode } from 'react';
import { questionsKey, type Questions, useBatchList } from '../../api/queries.ts';
import { Trans } from 'react-i18next';
import { call, type ApprovalView, type BatchView } from '../../api/call.ts';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { batchWaits, type Question, isWaiting } from './approvalText.ts';
import { type Follow, type OnClosed, type OpenPrompt, PromptsContext, useWaitingQuestions } from './useQuestions.ts';
import { lazyComponent } from '../../components/lazyComponent.tsx';
import { isEditing } from '../../components/Keys.tsx';
import { askingBatch, useTicks } from './batch/useBatches.ts';

const outside = (query: URLSearchParams): OpenPrompt | null => {
  const approvalId = query.get('approval');
  const batchId = query.get('batch');
  if (approvalId !== null) return { kind: 'one', id: approvalId };
  return batchId === null ? null : { kind: 'batch', id: batchId };
};

/** Reads the prompt chosen in the tray or a notification: "?approval=…" or "#/approvals?batch=…". */
const chosenOutside = (): OpenPrompt | null =>
  outside(new URLSearchParams(window.location.search)) ??
  outside(new URLSearchParams(window.location.hash.split('?')[1] ?? ''));

/** Returns whether the prompt still waits for an answer; then no other prompt may replace it. */
const isAsked = (client: QueryClient, { kind, id }: OpenPrompt): boolean => {
  const questions = client.getQueryData<Questions>(questionsKey);
  if (kind === 'batch') return questions?.batches.some((one) => one.batchId === id && batchWaits(one)) ?? false;
  const one =
    client.getQueryData<ApprovalView>(['approvals', 'one', id]) ??
    questions?.approvals.find(({ approvalId }) => approvalId === id);
  return one !== undefined && isWaiting(one);
};

/**
 * Opens a prompt that the host names in the location hash while the window is open, and removes the query: the router
 * expects a path without one.
 */
const usePlaces = (openIt: (next: OpenPrompt) => void): void => {
  useEffect(() => {
    const look = (): void => {
      const [place, query] = window.location.hash.split('?');
      if (query === undefined) return;
      const chosen = outside(new URLSearchParams(query));
      window.location.replace(place ?? '#/');
      if (chosen) openIt(chosen);
    };
    look();
    window.addEventListener('hashchange', look);
    return () => window.removeEventListener('hashchange', look);
  }, [openIt]);
};

/** The state of the open prompt. A pending prompt is never replaced: further prompts queue behind it. */
const useOpenPrompt = () => {
  const client = useQueryClient();
  const [open, setOpen] = useState<OpenPrompt | null>(chosenOutside);
  const now = useRef(open);
  const next = useRef<OpenPrompt[]>([]);
  const change = useCallback((to: OpenPrompt | null): void => {
    now.current = to;
    setOpen(to);
  }, []);
  const openIt = useCallback(
    (wanted: OpenPrompt): void => {
      const other = now.current !== null && now.current.id !== wanted.id;
      if (other && now.current && isAsked(client, now.current)) next.current.push(wanted);
      else change(wanted);
    },
    [client, change],
  );
  /** Moves from the open prompt to its replacement or to the next one. Does nothing if `from` is no longer open. */
  const follow = useCallback<Follow>(
    (to, from) => {
      if (now.current?.id === from) change({ ...to, onClosed: now.current.onClosed });
    },
    [change],
  );
  /** Closes the open prompt; with an id, only if that prompt is open. */
  const close = useCallback(
    (id?: string): void => {
      const closed = now.current;
      // A late answer closes only its own prompt.
      if (id !== undefined && closed?.id !== id) return;
      change(next.current.shift() ?? null);
      if (closed) closed.onClosed?.(closed.id);
    },
    [change],
  );
  usePlaces(openIt);
  return {
    open,
    follow,
    close,
    show: useCallback((id: string, onClosed?: OnClosed) => openIt({ kind: 'one', id, onClosed }), [openIt]),
    showBatch: useCallback((id: string) => openIt({ kind: 'batch', id }), [openIt]),
  };
};

const PromptSheet = lazyComponent(async () => (await import('./PromptSheet.tsx')).PromptSheet);
const BatchSheet = lazyComponent(async () => (await import('./batch/BatchSheet.tsx')).BatchSheet);

/**
 * Opens each new prompt that is not quiet, unless the person is editing or another dialog is open. Returns the ids of
 * all prompts opened so far.
 */
const useArrivals = (
  waiting: readonly Question[],
  open: OpenPrompt | null,
  show: (question: Question) => void,
): ReadonlySet<string> => {
  const asking = useIsMutating({ mutationKey: askingBatch }) > 0;
  const known = useRef(new Set<string>());
  const [looked, setLooked] = useState<ReadonlySet<string>>(new Set());
  const openId = open?.id ?? null;
  useEffect(() => {
    const fresh = waiting.filter(({ id }) => !known.current.has(id));
    for (const { id } of fresh) known.current.add(id);
    const first = fresh.find((one) => one.kind === 'batch' || !one.approval.quiet);
    if (first && openId === null && !asking && !isEditing() && !document.querySelector('[role=dialog]')) show(first);
  }, [waiting, openId, asking, show]);
  useEffect(() => {
    if (openId !== null) setLooked((before) => new Set(before).add(openId));
  }, [openId]);
  return looked;
};

/** Tells the person why an assistant's batch disappeared without their answer. */
const tellLeft = async (batchId: string): Promise<void> => {
  const { by, rows } = await call('batch.read', { batchId });
  if (by.kind === 'person' || rows.some(({ approval }) => (approval?.decidedAt ?? null) !== null)) return;
  const name = <UntrustedText text={by.name} fold={60} flag={false} />;
  notifications.show({ message: <Trans i18nKey="approvals.noLongerAsks" components={{ name }} /> });
};

/** Returns the open batch. Closes a batch that no longer exists, because it would block other prompts. */
const useOpenBatch = (open: OpenPrompt | null, close: (id: string) => void): BatchView | undefined => {
  const { data, isFetching } = useBatchList();
  const id = open?.kind === 'batch' ? open.id : null;
  const batch = data?.find(({ batchId }) => batchId === id);
  const isGone = id !== null && data !== undefined && !isFetching && batch === undefined;
  useEffect(() => {
    if (!isGone) return;
    close(id);
    // The read fails if the batch belongs to another account; then there is nothing to report.
    tellLeft(id).catch(() => undefined);
  }, [isGone, id, close]);
  return batch;
};

/** Holds the one open prompt of the window, for a single approval or a batch. */
export const PromptHost = ({ children }: { children: ReactNode }) => {
  const { open, show, showBatch, follow, close } = useOpenPrompt();
  const waiting = useWaitingQuestions();
  const ticks = useTicks();
  const openOne = useMemo(
    () =>
      ({ kind, id }: OpenPrompt): void =>
        kind === 'one' ? show(id) : showBatch(id),
    [show, showBatch],
  );
  const looked = useArrivals(waiting, open, openOne);
  const batch = useOpenBatch(open, close);
  const prompts = useMemo(
    () => ({
      show,
      showBatch,
      hide: () => close(),
      open,
      offOf: (batchId: string) => ticks.of(batchId).off,
      unseen: waiting.filter(({ id }) => !looked.has(id) && id !== open?.id),
    }),
    [show, showBatch, close, waiting, looked, open, ticks],
  );
  return (
    <PromptsContext value={prompts}>
      {children}
      {open?.kind === 'one' && <PromptSheet approvalId={open.id} onFollow={follow} onClose={() => close(open.id)} />}
      {batch && (
        <BatchSheet
          key={batch.batchId}
          batch={batch}
          {...ticks.of(batch.batchId)}
          onFollow={follow}
          onClose={() => close(batch.batchId)}
        />
      )}
    </PromptsContext>
  );
};
