import { createContext, useContext, useMemo, useEffect, useSyncExternalStore } from 'react';
import {
  findNewestApproval,
  findListingLocks,
  listPendingApprovals,
  type PendingApproval,
  type ListingLock,
  type ListingLocks,
} from './approvalText.ts';
import { useOpenApprovals, useBatchList, useApprovalHistory } from '../../api/queries.ts';
import { callCore, type ApprovalView, type BatchView } from '../../api/call.ts';
import { createStore } from '../../api/createStore.ts';
import { useMutation, useQueryClient, type QueryKey, type UseMutationResult } from '@tanstack/react-query';
import type { CallInput } from '../../../../ipc/calls.ts';

/**
 * Receives the id of the approval that the prompt showed last. That approval might have superseded the opened approval.
 */
export type OnPromptClosed = (approvalId: string) => void;
export type OpenPrompt = { kind: PendingApproval['kind']; id: string; onClosed?: OnPromptClosed | undefined };
/** Replaces the open prompt. Does nothing if `from` is not the open prompt. */
export type FollowPrompt = (to: OpenPrompt, from: string) => void;

/** Counts how often the person left all dialogs for a screen, which none of them may cover. */
export const dialogExits = createStore(0);
export const leaveDialogs = (): void => dialogExits.set(dialogExits.get() + 1);

type PromptControls = {
  /** Opens the prompt, or queues it while another prompt is pending. */
  show: (approvalId: string, onClosed?: OnPromptClosed) => void;
  showBatch: (batchId: string) => void;
  hide: () => void;
  open: OpenPrompt | null;
  /** Pending approvals that the person has not opened yet. */
  unseen: readonly PendingApproval[];
  /** Returns the ids of the rows that are not ticked. */
  offOf: (batch: BatchView) => ReadonlySet<string>;
};

const ignoreCall = (): void => undefined;

/** `PromptHost` provides this context, so that the content of a prompt can open another prompt. */
export const PromptsContext = createContext<PromptControls>({
  show: ignoreCall,
  showBatch: ignoreCall,
  hide: ignoreCall,
  open: null,
  unseen: [],
  offOf: () => new Set(),
});

export const usePromptControls = (): PromptControls => useContext(PromptsContext);

type RequestOutcome = { state: 'done' } | { state: 'pending'; approvalId: string };

/** Opens the prompt if a request needs an approval. */
export const useOpenPendingPrompt = () => {
  const { show } = usePromptControls();
  return (performed: RequestOutcome): void => {
    if (performed.state === 'pending') show(performed.approvalId);
  };
};

/** If a request needs an approval, opens the prompt; otherwise refetches the data that the request changed. */
export const useRequestFollowUp = () => {
  const { show } = usePromptControls();
  const client = useQueryClient();
  return async (performed: RequestOutcome, changed: QueryKey): Promise<void> => {
    await client.invalidateQueries({ queryKey: ['approvals'] });
    if (performed.state === 'pending') show(performed.approvalId);
    else await client.invalidateQueries({ queryKey: changed });
  };
};

const noApprovals: readonly ApprovalView[] = [];
const noBatches: readonly BatchView[] = [];

export const usePendingApprovals = (): readonly PendingApproval[] => {
  const approvals = useOpenApprovals().data ?? noApprovals;
  const batches = useBatchList().data ?? noBatches;
  return useMemo(() => listPendingApprovals(approvals, batches), [approvals, batches]);
};

/** `PromptHost` provides this context, because a query in each row of a list would take a tenth of its work. */
export const ListingLocksContext = createContext<ListingLocks>(new Map());

/** The value of `ListingLocksContext`. */
export const useReadListingLocks = (): ListingLocks => {
  const approvals = useOpenApprovals().data ?? noApprovals;
  return useMemo(() => findListingLocks(approvals), [approvals]);
};

export const useListingLocks = (): ListingLocks => useContext(ListingLocksContext);

export const useListingLock = (listingId: string | null): ListingLock | null => {
  const locks = useListingLocks();
  return (listingId === null ? null : locks.get(listingId)) ?? null;
};

/** Returns the newest approval in any state; null if there is no recent approval. */
export const useLastListingApproval = (
  listingId: string,
  routes: readonly ApprovalView['route'][],
): ApprovalView | null => {
  const open = useOpenApprovals().data ?? noApprovals;
  const decided = useApprovalHistory().data ?? noApprovals;
  return findNewestApproval(
    [...open, ...decided].filter(
      ({ route, prompt }) => routes.includes(route) && prompt.target?.listingId === listingId,
    ),
  );
};

const seenAlarmsKey = 'alarmsSeen';
const maxSeenAlarms = 200;
const alarmListeners = new Set<() => void>();

/** `localStorage` keeps the ids, so that a seen alarm does not return after a restart. */
const readSeenAlarms = (): string => localStorage.getItem(seenAlarmsKey) ?? '';
const parseSeenIds = (seen: string): string[] => seen.split(' ').filter((id) => id !== '');

const markAlarmSeen = (approvalId: string): void => {
  const seen = parseSeenIds(readSeenAlarms());
  if (seen.includes(approvalId)) return;
  localStorage.setItem(seenAlarmsKey, [...seen, approvalId].slice(-maxSeenAlarms).join(' '));
  for (const listener of alarmListeners) listener();
};

const subscribeToSeenAlarms = (listener: () => void): (() => void) => {
  alarmListeners.add(listener);
  return () => alarmListeners.delete(listener);
};

const hasLiveDifferences = ({ differences }: ApprovalView): boolean => differences.length > 0;

/** An alarm is an approval whose live listing differs from the approved content. */
export const useUnseenAlarms = (): readonly ApprovalView[] => {
  const open = useOpenApprovals().data;
  const decided = useApprovalHistory().data;
  const seen = useSyncExternalStore(subscribeToSeenAlarms, readSeenAlarms);
  return useMemo(() => {
    const looked = new Set(parseSeenIds(seen));
    const differing = [...(open ?? []), ...(decided ?? [])].filter(
      (one) => hasLiveDifferences(one) && !looked.has(one.approvalId),
    );
    return [...new Map(differing.map((candidate) => [candidate.approvalId, candidate])).values()];
  }, [open, decided, seen]);
};

export const useMarkAlarmSeen = (approval: ApprovalView | undefined): void => {
  const alarmId = approval && hasLiveDifferences(approval) ? approval.approvalId : null;
  useEffect(() => {
    if (alarmId === null) return;
    return () => markAlarmSeen(alarmId);
  }, [alarmId]);
};

export type DeclineReason = NonNullable<CallInput<'approvals.decline'>['why']>;

type ApprovalDecision = { act: 'yes' | 'takeBack' | 'unlock' } | { act: 'no'; why: DeclineReason };

export type DecisionMutation = UseMutationResult<ApprovalView, Error, ApprovalDecision & { approval: ApprovalView }>;

const sendApprovalDecision = (
  { approvalId, digest }: ApprovalView,
  decision: ApprovalDecision,
): Promise<ApprovalView> => {
  if (decision.act === 'yes') return callCore('approvals.approve', { approvalId, digest });
  if (decision.act === 'no') return callCore('approvals.decline', { approvalId, digest, why: decision.why });
  return callCore(decision.act === 'takeBack' ? 'approvals.takeBack' : 'approvals.unlock', { approvalId });
};

/** Sends the digest of the shown approval, so that the person approves only what was shown. */
export const useApprovalDecision = (
  onAnswered: (answer: ApprovalView, askedId: string) => void = () => undefined,
): DecisionMutation => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ approval, ...decision }: ApprovalDecision & { approval: ApprovalView }) =>
      sendApprovalDecision(approval, decision),
    onSuccess: (answer, { approval }) => {
      client.setQueryData(['approvals', 'one', answer.approvalId], answer);
      onAnswered(answer, approval.approvalId);
    },
    // An answer can change all three topics, even if the core reports only one of them.
    onSettled: () =>
      Promise.all(['approvals', 'listings', 'account'].map((topic) => client.invalidateQueries({ queryKey: [topic] }))),
  });
};
