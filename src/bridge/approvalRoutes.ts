import { Router, type Request, type Response } from 'express';
import type { ApprovalRow } from '../core/approvals/approvalsTable.ts';
import type { Companion } from '../core/companion.ts';
import { Problem } from '../core/problem.ts';
import { caller, hangUpOf, waitMsOf } from './guard.ts';
import { pollAfterMs } from './mirror.ts';

/** An approval as its assistant sees it: how it stands, and when it is done, what the service answered. */
const approvalRecord = (row: ApprovalRow) => ({
  id: row.approval_id,
  state: row.state,
  summary: row.prompt.target ? `${row.prompt.act}: ${row.prompt.target.title}` : row.prompt.act,
  expiresAt: new Date(row.expires_at).toISOString(),
  ...(row.superseded_by === null ? {} : { supersededBy: row.superseded_by }),
  ...(row.outcome ? { outcome: row.outcome.sentence, code: row.outcome.code } : {}),
  ...(row.answer ? { answer: row.answer } : {}),
  ...(row.state === 'pending' ? { pollAfterMs } : {}),
});

/** `/companion/approvals`: an assistant's own questions to the person, and nobody else's. */
export const approvalRoutes = (companion: Companion): Router => {
  const router = Router();
  const own = (request: Request): ApprovalRow => {
    const { assistantId } = caller(companion.assistants, request);
    const row = companion.approvals.ofAsker(assistantId).find((one) => one.approval_id === request.params['id']);
    if (!row) throw new Problem('NOT_FOUND', 'There is no such approval of yours.');
    return row;
  };

  router.get('/', (request: Request, response: Response) => {
    const { assistantId } = caller(companion.assistants, request);
    companion.approvals.expireDue();
    response.json({ approvals: companion.approvals.ofAsker(assistantId).map(approvalRecord) });
  });

  router.get('/:id', async (request: Request, response: Response) => {
    const row = own(request);
    // How it ended is in the record; here only the waiting matters.
    await companion.outcome(row.approval_id, waitMsOf(request), hangUpOf(request, response)).catch(() => undefined);
    response.json({ approval: approvalRecord(own(request)) });
  });

  router.delete('/:id', (request: Request, response: Response) => {
    const row = own(request);
    if (row.state !== 'pending') throw new Problem('WRONG_STATE', 'This is decided already and cannot be withdrawn.');
    companion.approvals.withdraw(row.approval_id);
    response.json({ approval: approvalRecord(own(request)) });
  });
  return router;
};
