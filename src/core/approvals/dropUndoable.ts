import type { Listing } from '../../contract/index.ts';
import { Problem, problem } from '../base/problem.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import type { ApprovalsContext } from './approvalsContext.ts';
import { gatherSubject } from './prompts/index.ts';
import type { Reads } from './prompts/prompt.ts';
import type { Requester } from './request.ts';

/** Reads that answer this listing and nothing else, so that nothing is asked of the service. */
const readsOf = (reads: Reads, listing: Listing): Reads => {
  const unread = (): Promise<never> => Promise.reject(new Error('This is not read again.'));
  return {
    ...reads,
    listing: () => Promise.resolve(listing),
    photos: unread,
    channels: unread,
    fees: unread,
    policies: unread,
    user: unread,
    emailPreferences: unread,
    plain: unread,
  };
};

/** Why a prompt cannot be executed on the listing as it is now; null where it can, or where that is not known. */
const refusalOf = async ({ reads }: ApprovalsContext, row: ApprovalRow, listing: Listing): Promise<Problem | null> => {
  const { route, account, asker_id: askerId, subject } = row;
  const asked = { route, input: subject.request.input, account, askerId, key: '' };
  try {
    await gatherSubject(asked, row.asker.kind, readsOf(reads, listing));
    return null;
  } catch (error) {
    return error instanceof Problem && error.code === 'WRONG_STATE' ? error : null;
  }
};

const pendingOf = ({ table, account }: ApprovalsContext, listingId: string): ApprovalRow[] =>
  table.pendingOfListing(account(), listingId);

/** Drops the prompts that a listing, as it was just read, leaves nothing to do for. */
export const dropUndoable = async (
  context: ApprovalsContext,
  requester: Requester,
  listing: Listing,
): Promise<void> => {
  for (const row of pendingOf(context, listing.listingId)) {
    const refusal = await refusalOf(context, row, listing);
    if (refusal !== null) requester.drop(row, refusal);
  }
};

/** Drops the prompts about a listing that is gone at the service. */
export const dropOfGone = (context: ApprovalsContext, requester: Requester, listingId: string): void => {
  for (const row of pendingOf(context, listingId)) requester.drop(row, problem('NOT_FOUND.atService'));
};
