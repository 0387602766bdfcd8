import type { Listing, RouteName } from '../../contract/index.ts';
import { Problem, problem } from '../base/problem.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import type { ApprovalsContext } from './approvalsContext.ts';
import type { Known, KnownRead } from './checks/knownReads.ts';
import { refuseByNow } from './checks/refusals.ts';
import { gatherSubject } from './prompts/index.ts';
import type { Reads } from './prompts/prompt.ts';
import type { Requester } from './request.ts';

const unread = (): Promise<never> => Promise.reject(new Error('This is not read again.'));

/** No answer is so young that it is not read again. */
const readNow = -1;

/** Reads that answer this listing and nothing else, so that nothing is asked of the service. */
const readsOf = (reads: Reads, listing: Listing | null): Reads => ({
  ...reads,
  listing: () => (listing ? Promise.resolve(listing) : unread()),
  photos: unread,
  channels: unread,
  fees: unread,
  policies: unread,
  user: unread,
  emailPreferences: unread,
  plain: unread,
});

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

/** Reads that answer this and nothing else. */
const readsOfAnswer = (reads: Reads, route: RouteName, answer: unknown): Reads => ({
  ...readsOf(reads, null),
  // What is under the name of a route is that route's answer.
  plain: ((asked) => (asked === route ? Promise.resolve(answer) : unread())) as Reads['plain'],
});

/** What is known by one answer alone. */
const knownOf = ({ known }: ApprovalsContext, answerOf: (route: KnownRead) => unknown): Known => ({
  userId: known.userId,
  // The same.
  answer: (async (route) => answerOf(route)) as Known['answer'],
});

/** Drops the prompts that the service would refuse by now. */
const dropRefused = async (context: ApprovalsContext, requester: Requester, known: Known): Promise<void> => {
  for (const row of context.table.inState(context.account(), 'pending')) {
    const refusal = await refuseByNow(row.route, row.subject.request.input, known).catch((error: unknown) => error);
    if (refusal instanceof Problem) requester.drop(row, refusal);
  }
};

/** Draws the prompts afresh that an answer, and nothing else, makes untrue. */
const redrawChanged = async (
  context: ApprovalsContext,
  requester: Requester,
  from: { route: RouteName; answer: unknown },
): Promise<void> => {
  const reads = readsOfAnswer(context.reads, from.route, from.answer);
  for (const row of context.table.inState(context.account(), 'pending')) {
    const fresh = await requester.readAgain(row, reads).catch(() => null);
    if (fresh !== null && !requester.stands(row, fresh)) requester.replace(row, fresh);
  }
};

const isKnownRead = (route: RouteName): route is KnownRead => Object.hasOwn(actsThatChange, route);

/** The acts after which these answers are no longer what they were. */
const actsThatChange: Record<KnownRead, readonly RouteName[]> = {
  listTemplates: ['createTemplate', 'updateTemplate', 'deleteTemplate'],
  listConnections: ['deleteConnection'],
  listMarketAccounts: ['disconnectMarket'],
  readMarketStatus: ['disconnectMarket'],
  listChannels: [],
  readStanding: ['createCheckout', 'createCheckoutToken'],
  listPlans: [],
};

/** Drops or redraws the prompts that an answer of the service leaves nothing to do for, or makes untrue. */
export const learnAnswer = async (
  context: ApprovalsContext,
  requester: Requester,
  route: RouteName,
  answer: unknown,
): Promise<void> => {
  if (!isKnownRead(route)) return;
  await dropRefused(
    context,
    requester,
    knownOf(context, (asked) => (asked === route ? answer : null)),
  );
  await redrawChanged(context, requester, { route, answer });
};

/** The same after an act that was done: what it changed is read once, where a prompt that waits depends on it. */
export const learnAct = async (context: ApprovalsContext, requester: Requester, done: RouteName): Promise<void> => {
  const answers = new Map<KnownRead, Promise<unknown>>();
  const answerOf = (route: KnownRead): Promise<unknown> => {
    if (!actsThatChange[route].includes(done)) return Promise.resolve(null);
    const answer = answers.get(route) ?? context.known.answer(route, readNow);
    answers.set(route, answer);
    return answer;
  };
  await dropRefused(context, requester, knownOf(context, answerOf));
  for (const [route, answer] of answers) await redrawChanged(context, requester, { route, answer: await answer });
};

/** Drops the prompts about a listing that is gone at the service. */
export const dropOfGone = (context: ApprovalsContext, requester: Requester, listingId: string): void => {
  for (const row of pendingOf(context, listingId)) requester.drop(row, problem('NOT_FOUND.atService'));
};
