import { getRequestBody, toRecordOrEmpty } from '../base/json.ts';
import type { ApprovalView } from '../storage/tables/approvalRecord.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import type { ApprovalsContext } from './approvalsContext.ts';
import { getAnswerAndUndoDeadlines } from './deadlines.ts';
import { areLookupsEnded } from './outcomes/outcomes.ts';

const findConfirmation = (
  { table }: ApprovalsContext,
  { approval_id: approvalId, proof_id: proofId, evidence }: ApprovalRow,
): ApprovalView['confirmedBy'] => {
  if (proofId === null) return evidence === null ? null : 'press';
  const proof = table.readProof(proofId);
  if (proof === null) return null;
  return proof.challenge.approvals.some(({ id }) => id === approvalId) ? proof.kind : `${proof.kind}Earlier`;
};

/** Returns the data of an approval for a window, without the subject and the service's answer. */
export const toApprovalView = (context: ApprovalsContext, row: ApprovalRow): ApprovalView => ({
  approvalId: row.approval_id,
  digest: row.digest,
  state: row.state,
  route: row.route,
  by: row.asker,
  reason: row.reason,
  body: toRecordOrEmpty(getRequestBody(row.subject.request.input)),
  prompt: row.prompt,
  sinceShown: row.since_shown,
  placeSeq: row.place_seq,
  askedAt: row.asked_at,
  shownAt: row.shown_at,
  ...getAnswerAndUndoDeadlines(context, row),
  decidedAt: row.decided_at,
  confirmedBy: findConfirmation(context, row),
  outcome: row.outcome,
  supersededBy: row.superseded_by,
  mayUnlock:
    row.state === 'unconfirmed' &&
    row.listing_id !== null &&
    !areLookupsEnded(row) &&
    context.lostAnswers.isOver(row.approval_id, row.sent_at),
  differences: row.differences,
  nameLike: context.findLikeName(row.asker),
  quiet: context.isQuiet(row.asker),
});
