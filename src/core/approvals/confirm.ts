import { Problem, problem } from '../base/problem.ts';
import { isPassing } from '../service/serviceError.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import { isSameAccount, leave, type DecideContext } from './decision.ts';
import type { Read } from './request.ts';

/** Reads everything shown again; null when it may not be sent any more, which is then on disk and shown. */
export const confirm = async (context: DecideContext, row: ApprovalRow): Promise<Read | null> => {
  const { readAgain, stands, replace, drop } = context.requester;
  let fresh: Read;
  try {
    if (!isSameAccount(context, row)) return leave(context, row);
    fresh = await readAgain(row, context.readsAtYes);
  } catch (error) {
    // Not being able to look is no reason to take the prompt away; the yes can be given again.
    if (isPassing(error) || !(error instanceof Problem)) throw error;
    drop(row, error);
    return null;
  }
  // Read with one key, it is nothing that another may say.
  if (!isSameAccount(context, row) || fresh.subject.key !== context.keyPrint()) return leave(context, row);
  if (!stands(row, fresh)) {
    replace(row, fresh);
    return null;
  }
  try {
    context.checkAsker(row.asker, row.route, row.subject.request.input);
    context.checkBudget(row.asker, row.route, row.prompt.money, row.approval_id);
  } catch (error) {
    drop(row, error);
    return null;
  }
  return fresh;
};

const keyOf = ({ subject }: ApprovalRow): string => (subject.version === 2 ? subject.key : '');

/** Whether all of it still is as it was said yes to; throws where that cannot be told. */
export const holds = async (context: DecideContext, row: ApprovalRow): Promise<boolean> => {
  const { readAgain, stands } = context.requester;
  const fresh = await readAgain(row, context.readsAfterNotice);
  if (!isSameAccount(context, row) || fresh.subject.key !== keyOf(row)) throw problem('ACCOUNT_CHANGED');
  context.checkAsker(row.asker, row.route, row.subject.request.input);
  return stands(row, fresh);
};
