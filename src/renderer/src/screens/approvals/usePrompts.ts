import { createContext, useContext, useMemo, useEffect, useSyncExternalStore } from 'react';
import {
  findNewestApproval,
  listPendingApprovals,
  findListingLock,
  type PendingApproval,
  type ListingLock,
} from './approvalText.ts';
import { useOpenApprovals, useBatchList, useApprovalHistory } from '../../api/queries.ts';
import { callCore, type ApprovalView, type BatchView } from '../../api/call.ts';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { CallInput } from '../../../../ipc/calls.ts';

/** Called with the id of the approval shown last, which may have superseded the one that was opened. */
export type OnPromptClosed = (approvalId: string) => void;
export type OpenPrompt = { kind: PendingApproval['kind']; id: string; onClosed?: OnPromptClosed | undefined };
/** Moves from the open prompt to another one; does nothing if `from` is no longer open. */
export type FollowPrompt = (to: OpenPrompt, from: string) => void;

type PromptControls = {
  /** Opens the prompt of an approval; queues it if another prompt is pending. */
  show: (approvalId: string, onClosed?: OnPromptClosed) => void;
  showBatch: (batchId: string) => void;
  hide: () => void;
  open: OpenPrompt | null;
  /** Pending approvals that the person has not opened yet. */
  unseen: readonly PendingApproval[];
  /** Returns the rows of a batch that the person unticked. */
  offOf: (batchId: string) => ReadonlySet<string>;
};

const ignoreCall = (): void => undefined;

/** Provided by `PromptHost`; a separate context so that the content of a prompt can open another prompt. */
export const PromptsContext = createContext<PromptControls>({
  show: ignoreCall,
  showBatch: ignoreCall,
  hide: ignoreCall,
  open: null,
  unseen: [],
  offOf: () => new Set(),
});

/** Returns the functions that open and close prompts, and the pending approvals not seen yet. */
export const usePromptControls = (): PromptControls => useContext(PromptsContext);

const noApprovals: readonly ApprovalView[] = [];
const noBatches: readonly BatchView[] = [];

/** Returns everything that waits for the person's answer, oldest first; a batch counts once. */
export const usePendingApprovals = (): readonly PendingApproval[] => {
  const approvals = useOpenApprovals().data ?? noApprovals;
  const batches = useBatchList().data ?? noBatches;
  return useMemo(() => listPendingApprovals(approvals, batches), [approvals, batches]);
};

export const useListingLock = (listingId: string | null): ListingLock | null => {
  const approvals = useOpenApprovals().data;
  return approvals && listingId !== null ? findListingLock(approvals, listingId) : null;
};

/** Returns the newest approval of these routes for a listing, in any state; null if there is no recent one. */
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
const maxKept = 200;
const listeners = new Set<() => void>();

/** Stored in `localStorage`, so that a seen alarm is not raised again after a restart. */
const readSeenAlarms = (): string => localStorage.getItem(seenAlarmsKey) ?? '';
const splitSeenIds = (seen: string): string[] => seen.split(' ').filter((id) => id !== '');

const markAlarmSeen = (approvalId: string): void => {
  const seen = splitSeenIds(readSeenAlarms());
  if (seen.includes(approvalId)) return;
  localStorage.setItem(seenAlarmsKey, [...seen, approvalId].slice(-maxKept).join(' '));
  for (const listener of listeners) listener();
};

const subscribeToSeenAlarms = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const hasLiveDifferences = ({ differences }: ApprovalView): boolean => differences.length > 0;

/** Returns the approvals whose live listing differs from what was approved and that the person has not seen. */
export const useUnseenAlarms = (): readonly ApprovalView[] => {
  const open = useOpenApprovals().data;
  const decided = useApprovalHistory().data;
  const seen = useSyncExternalStore(subscribeToSeenAlarms, readSeenAlarms);
  return useMemo(() => {
    const looked = new Set(splitSeenIds(seen));
    const differing = [...(open ?? []), ...(decided ?? [])].filter(
      (one) => hasLiveDifferences(one) && !looked.has(one.approvalId),
    );
    return [...new Map(differing.map((candidate) => [candidate.approvalId, candidate])).values()];
  }, [open, decided, seen]);
};

/** Marks the alarm as seen when its prompt closes. */
export const useMarkAlarmSeen = (approval: ApprovalView | undefined): void => {
  const alarmId = approval && hasLiveDifferences(approval) ? approval.approvalId : null;
  useEffect(() => {
    if (alarmId === null) return;
    return () => markAlarmSeen(alarmId);
  }, [alarmId]);
};

/** Why the person declines, as the core records it. */
export type DeclineReason = NonNullable<CallInput<'approvals.decline'>['why']>;

type ApprovalDecision = { act: 'yes' | 'takeBack' | 'unlock' } | { act: 'no'; why: DeclineReason };

/** The mutation that answers an approval; an answer carries the approval that is shown. */
export type DecisionMutation = UseMutationResult<ApprovalView, Error, ApprovalDecision & { approval: ApprovalView }>;

const sendApprovalDecision = (
  { approvalId, digest }: ApprovalView,
  decision: ApprovalDecision,
): Promise<ApprovalView> => {
  if (decision.act === 'yes') return callCore('approvals.approve', { approvalId, digest });
  if (decision.act === 'no') return callCore('approvals.decline', { approvalId, digest, why: decision.why });
  return callCore(decision.act === 'takeBack' ? 'approvals.takeBack' : 'approvals.unlock', { approvalId });
};

/**
 * Sends the person's answer with the id and digest of the shown approval. Also takes an approval back and unlocks a
 * listing.
 */
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
    // Approving changes the listing, whichever topic the core reports.
    onSettled: () =>
      Promise.all(['approvals', 'listings', 'account'].map((topic) => client.invalidateQueries({ queryKey: [topic] }))),
  });
};
