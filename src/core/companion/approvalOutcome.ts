import type { ApprovalEngine } from '../approvals/approvals.ts';
import { areLookupsEnded } from '../approvals/outcomes/outcomes.ts';
import { waitForChange } from '../base/events.ts';
import type { Clock, Topic } from '../base/ports.ts';
import type { Outcome, OutcomeSummary } from '../base/request.ts';
import { describePersonPage, toPlainSentence, removeAnswerPartsHiddenFromAssistant } from '../service/personPages.ts';
import { isFinalState } from '../storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';

type OutcomeContext = {
  approvals: ApprovalEngine;
  clock: Clock;
  onChanged: (listener: (topic: Topic) => void) => () => void;
};

/** Waits at most `waitMs` until an approval has an outcome. Throws the error of the approved request if it failed. */
export const waitForApprovalOutcome = async (
  context: OutcomeContext,
  approvalId: string,
  waitMs: number,
  signal?: AbortSignal,
): Promise<Outcome> => {
  const { approvals, clock } = context;
  const until = clock.elapsedMs() + waitMs;
  for (;;) {
    approvals.expireDue();
    const row = approvals.readLatestOfRequest(approvalId);
    if (isFinalState(row.state) || areLookupsEnded(row)) return toFinishedOutcome(context, row);
    const waitLeftMs = until - clock.elapsedMs();
    const { expiresAt, leftMs } = approvals.readExpiry(row);
    if (waitLeftMs <= 0) return toPendingOutcome(row, expiresAt);
    // An expired approval emits no change event, so this waits at most until it expires.
    await waitForChange(context, 'approvals', Math.max(0, Math.min(waitLeftMs, leftMs)), signal);
  }
};

const toPendingOutcome = (row: ApprovalRow, expiresAt: number): Outcome => ({
  state: 'pending',
  approvalId: row.approval_id,
  summary: row.prompt.target ? `${row.prompt.act}: ${row.prompt.target.title}` : row.prompt.act,
  expiresAt,
});

const toFinishedOutcome = ({ approvals }: OutcomeContext, row: ApprovalRow): Outcome => {
  const { answer } = row;
  if (row.state === 'done' && answer) {
    const { status, headers } = answer;
    const body = row.asker.kind === 'person' ? answer.body : removeAnswerPartsHiddenFromAssistant(row.route, answer);
    return { state: 'done', status, headers, answer: body, source: 'service', ageMs: 0, told: toOutcomeSummary(row) };
  }
  throw approvals.readFailure(row);
};

/** Returns the outcome of an approved request without the URL of a page that only the person may open. */
export const toOutcomeSummary = ({
  route,
  outcome,
}: Pick<ApprovalRow, 'route' | 'outcome'>): OutcomeSummary | undefined => {
  if (outcome === null) return undefined;
  const { code, sentence, url } = outcome;
  return { code, sentence: toPlainSentence(sentence), url: describePersonPage(route) === null ? url : null };
};
