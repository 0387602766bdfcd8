import type { Approvals } from '../approvals/approvals.ts';
import { isLetGo } from '../approvals/outcomes.ts';
import { nextChange } from '../base/events.ts';
import type { Clock, Topic } from '../base/ports.ts';
import type { Outcome, Told } from '../base/request.ts';
import { pageOf, plainSentence, storedAnswer } from '../service/personPages.ts';
import { isFinal } from '../storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';

type OutcomeContext = {
  approvals: Approvals;
  clock: Clock;
  onChanged: (listener: (topic: Topic) => void) => () => void;
};

/** Waits up to `waitMs` for the outcome of an approval. Throws the error that the approved request failed with. */
export const approvalOutcome = async (
  context: OutcomeContext,
  approvalId: string,
  waitMs: number,
  signal?: AbortSignal,
): Promise<Outcome> => {
  const { approvals, clock } = context;
  const until = clock.elapsedMs() + waitMs;
  for (;;) {
    approvals.expireDue();
    const row = approvals.latestOfRequest(approvalId);
    if (isFinal(row.state) || isLetGo(row)) return finishedOutcome(context, row);
    const waitLeftMs = until - clock.elapsedMs();
    const { expiresAt, leftMs } = approvals.expiryOf(row);
    if (waitLeftMs <= 0) return pendingOutcome(row, expiresAt);
    // A decision wakes this wait. Expiry triggers no change event, so wait at most until then.
    await nextChange(context, 'approvals', Math.max(0, Math.min(waitLeftMs, leftMs)), signal);
  }
};

const pendingOutcome = (row: ApprovalRow, expiresAt: number): Outcome => ({
  state: 'pending',
  approvalId: row.approval_id,
  summary: row.prompt.target ? `${row.prompt.act}: ${row.prompt.target.title}` : row.prompt.act,
  expiresAt,
});

const finishedOutcome = ({ approvals }: OutcomeContext, row: ApprovalRow): Outcome => {
  const { answer } = row;
  if (row.state === 'done' && answer) {
    const { status, headers } = answer;
    const body = row.asker.kind === 'person' ? answer.body : storedAnswer(row.route, answer);
    return { state: 'done', status, headers, answer: body, source: 'service', ageMs: 0, told: toldOf(row) };
  }
  throw approvals.failureOf(row);
};

/** Returns the result of an approved act for display, without a page that only the person may open. */
export const toldOf = ({ route, outcome }: Pick<ApprovalRow, 'route' | 'outcome'>): Told | undefined => {
  if (outcome === null) return undefined;
  const { code, sentence, url } = outcome;
  return { code, sentence: plainSentence(sentence), url: pageOf(route) === null ? url : null };
};
