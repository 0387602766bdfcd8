import { createContext, useContext, useMemo, useEffect, useSyncExternalStore } from 'react';
import { newestOf, questionsIn, lockIn, type Question, type Lock } from './approvalText.ts';
import { useApprovals, useBatchList, useApprovalHistory } from '../../api/queries.ts';
import { call, type ApprovalView, type BatchView } from '../../api/call.ts';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { CallInput } from '../../../../ipc/calls.ts';

/** Called with the id of the approval shown last, which may have superseded the one that was opened. */
export type OnClosed = (approvalId: string) => void;
export type OpenPrompt = { kind: Question['kind']; id: string; onClosed?: OnClosed | undefined };
/** Moves from the open prompt to another one; does nothing if `from` is no longer open. */
export type Follow = (to: OpenPrompt, from: string) => void;

type Prompts = {
  /** Opens the prompt of an approval; queues it if another prompt is pending. */
  show: (approvalId: string, onClosed?: OnClosed) => void;
  showBatch: (batchId: string) => void;
  hide: () => void;
  open: OpenPrompt | null;
  /** Pending approvals that the person has not opened yet. */
  unseen: readonly Question[];
  /** Returns the rows of a batch that the person unticked. */
  offOf: (batchId: string) => ReadonlySet<string>;
};

const nothing = (): void => undefined;

/** Provided by `PromptHost`; a separate context so that the content of a prompt can open another prompt. */
export const PromptsContext = createContext<Prompts>({
  show: nothing,
  showBatch: nothing,
  hide: nothing,
  open: null,
  unseen: [],
  offOf: () => new Set(),
});

/** Returns the functions that open and close prompts, and the pending approvals not seen yet. */
export const usePrompts = (): Prompts => useContext(PromptsContext);

const noApprovals: readonly ApprovalView[] = [];
const noBatches: readonly BatchView[] = [];

/** Returns everything that waits for the person's answer, oldest first; a batch counts once. */
export const useWaitingQuestions = (): readonly Question[] => {
  const approvals = useApprovals().data ?? noApprovals;
  const batches = useBatchList().data ?? noBatches;
  return useMemo(() => questionsIn(approvals, batches), [approvals, batches]);
};

export const useLock = (listingId: string | null): Lock | null => {
  const approvals = useApprovals().data;
  return approvals && listingId !== null ? lockIn(approvals, listingId) : null;
};

/** Returns the newest approval of these routes for a listing, in any state; null if there is no recent one. */
export const useLastAnswer = (listingId: string, routes: readonly ApprovalView['route'][]): ApprovalView | null => {
  const open = useApprovals().data ?? noApprovals;
  const decided = useApprovalHistory().data ?? noApprovals;
  return newestOf(
    [...open, ...decided].filter(
      ({ route, prompt }) => routes.includes(route) && prompt.target?.listingId === listingId,
    ),
  );
};

const storeKey = 'alarmsSeen';
const mostKept = 200;
const listeners = new Set<() => void>();

/** Stored in `localStorage`, so that a seen alarm is not raised again after a restart. */
const readSeen = (): string => localStorage.getItem(storeKey) ?? '';
const idsIn = (seen: string): string[] => seen.split(' ').filter((id) => id !== '');

const keepSeen = (approvalId: string): void => {
  const seen = idsIn(readSeen());
  if (seen.includes(approvalId)) return;
  localStorage.setItem(storeKey, [...seen, approvalId].slice(-mostKept).join(' '));
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const differs = ({ differences }: ApprovalView): boolean => differences.length > 0;

/** Returns the approvals whose live listing differs from what was approved and that the person has not seen. */
export const useAlarms = (): readonly ApprovalView[] => {
  const open = useApprovals().data;
  const decided = useApprovalHistory().data;
  const seen = useSyncExternalStore(subscribe, readSeen);
  return useMemo(() => {
    const looked = new Set(idsIn(seen));
    const all = [...(open ?? []), ...(decided ?? [])].filter((one) => differs(one) && !looked.has(one.approvalId));
    return [...new Map(all.map((one) => [one.approvalId, one])).values()];
  }, [open, decided, seen]);
};

/** Marks the alarm as seen when its prompt closes. */
export const useSeenAlarms = (approval: ApprovalView | undefined): void => {
  const alarmId = approval && differs(approval) ? approval.approvalId : null;
  useEffect(() => {
    if (alarmId === null) return;
    return () => keepSeen(alarmId);
  }, [alarmId]);
};

/** Why the person declines, as the core records it. */
export type DeclineReason = NonNullable<CallInput<'approvals.decline'>['why']>;

type Decision = { act: 'yes' | 'takeBack' | 'unlock' } | { act: 'no'; why: DeclineReason };

/** The mutation that answers an approval; an answer carries the approval that is shown. */
export type DecisionMutation = UseMutationResult<ApprovalView, Error, Decision & { approval: ApprovalView }>;

const send = ({ approvalId, digest }: ApprovalView, decision: Decision): Promise<ApprovalView> => {
  if (decision.act === 'yes') return call('approvals.approve', { approvalId, digest });
  if (decision.act === 'no') return call('approvals.decline', { approvalId, digest, why: decision.why });
  return call(decision.act === 'takeBack' ? 'approvals.takeBack' : 'approvals.unlock', { approvalId });
};

/**
 * Sends the person's answer with the id and digest of the shown approval. Also takes an approval back and unlocks a
 * listing.
 */
export const useDecision = (
  onAnswered: (answer: ApprovalView, askedId: string) => void = () => undefined,
): DecisionMutation => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ approval, ...decision }: Decision & { approval: ApprovalView }) => send(approval, decision),
    onSuccess: (answer, { approval }) => {
      client.setQueryData(['approvals', 'one', answer.approvalId], answer);
      onAnswered(answer, approval.approvalId);
    },
    // Approving changes the listing, whichever topic the core reports.
    onSettled: () =>
      Promise.all(['approvals', 'listings', 'account'].map((topic) => client.invalidateQueries({ queryKey: [topic] }))),
  });
};
