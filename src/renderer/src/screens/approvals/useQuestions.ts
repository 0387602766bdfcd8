import { createContext, useContext, useMemo, useEffect, useSyncExternalStore } from 'react';
import { newestOf, questionsIn, lockIn, type Question, type Lock } from './approvalText.ts';
import { useApprovals, useBatchList, useApprovalHistory } from '../../api/queries.ts';
import { call, type ApprovalView, type BatchView } from '../../api/call.ts';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { CallInput } from '../../../../ipc/calls.ts';

/** Hears which approval was shown last: the one that was opened may have been replaced meanwhile. */
export type OnClosed = (approvalId: string) => void;
export type OpenPrompt = { kind: Question['kind']; id: string; onClosed?: OnClosed | undefined };
/** Leads from the prompt that is open to another one; does nothing once that is not open any more. */
export type Follow = (to: OpenPrompt, from: string) => void;

type Prompts = {
  /** Opens an approval; one that is asked just now is never replaced, so then it comes after that. */
  show: (approvalId: string, onClosed?: OnClosed) => void;
  showBatch: (batchId: string) => void;
  /** Closes what is open. */
  hide: () => void;
  /** What is in front of the person. */
  open: OpenPrompt | null;
  /** Waiting questions that are not in front of the person and have not been looked at. */
  unseen: readonly Question[];
  /** Lines of a batch that the person unticked. */
  offOf: (batchId: string) => ReadonlySet<string>;
};

const nothing = (): void => undefined;

/** Given by `PromptHost`; apart from it, so that what a prompt holds may open another one. */
export const PromptsContext = createContext<Prompts>({
  show: nothing,
  showBatch: nothing,
  hide: nothing,
  open: null,
  unseen: [],
  offOf: () => new Set(),
});

/** Opens a prompt, and names those that wait to be looked at. */
export const usePrompts = (): Prompts => useContext(PromptsContext);

const noApprovals: readonly ApprovalView[] = [];
const noBatches: readonly BatchView[] = [];

/** What waits for the person, first come first served; a batch counts once. */
export const useWaitingQuestions = (): readonly Question[] => {
  const approvals = useApprovals().data ?? noApprovals;
  const batches = useBatchList().data ?? noBatches;
  return useMemo(() => questionsIn(approvals, batches), [approvals, batches]);
};

/** The lock of a listing, as it stands. */
export const useLock = (listingId: string | null): Lock | null => {
  const approvals = useApprovals().data;
  return approvals && listingId !== null ? lockIn(approvals, listingId) : null;
};

/** The newest of these requests about a listing, however it stands; null where there was none lately. */
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

/** Kept in the window's own storage: what was looked at is not raised again after a start. */
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

/** Approvals after which what is live differs from what was bound, as long as nobody has looked at them. */
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

/** The person has looked at it, once its prompt is closed again. */
export const useSeenAlarms = (approval: ApprovalView | undefined): void => {
  const alarmId = approval && differs(approval) ? approval.approvalId : null;
  useEffect(() => {
    if (alarmId === null) return;
    return () => keepSeen(alarmId);
  }, [alarmId]);
};

/** Why the person says no, as the core records it. */
export type DeclineReason = NonNullable<CallInput<'approvals.decline'>['why']>;

type Decision = { act: 'yes' | 'takeBack' | 'unlock' } | { act: 'no'; why: DeclineReason };

/** The running answer to a question: an answer is sent with the approval that is shown. */
export type DecisionMutation = UseMutationResult<ApprovalView, Error, Decision & { approval: ApprovalView }>;

const send = ({ approvalId, digest }: ApprovalView, decision: Decision): Promise<ApprovalView> => {
  if (decision.act === 'yes') return call('approvals.approve', { approvalId, digest });
  if (decision.act === 'no') return call('approvals.decline', { approvalId, digest, why: decision.why });
  return call(decision.act === 'takeBack' ? 'approvals.takeBack' : 'approvals.unlock', { approvalId });
};

/** Gives the person's answer to exactly what is shown: an id and a digest, nothing else. Also takes a yes back, and unlocks. */
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
    // A yes changes the listing it is about, whichever topic the core names for it.
    onSettled: () =>
      Promise.all(['approvals', 'listings', 'account'].map((topic) => client.invalidateQueries({ queryKey: [topic] }))),
  });
};
