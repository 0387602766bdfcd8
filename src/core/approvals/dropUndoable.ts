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

/** A maximum age that no cached answer meets, which forces a fresh read. */
const readNow = -1;

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

/** Returns why a prompt is not possible for the listing as it is now; null if it is, or if that is unknown. */
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

/** Drops the prompts that became pointless with the listing as it was just read. */
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

const readsOfAnswer = (reads: Reads, route: RouteName, answer: unknown): Reads => ({
  ...readsOf(reads, null),
  // Each route gets its own answer, so the type is right.
  plain: ((asked) => (asked === route ? Promise.resolve(answer) : unread())) as Reads['plain'],
});

/** Creates the known state from one answer only. */
const knownOf = ({ known }: ApprovalsContext, answerOf: (route: KnownRead) => unknown): Known => ({
  userId: known.userId,
  answer: (async (route) => answerOf(route)) as Known['answer'],
});

const dropRefused = async (context: ApprovalsContext, requester: Requester, known: Known): Promise<void> => {
  for (const row of context.table.inState(context.account(), 'pending')) {
    const refusal = await refuseByNow(row.route, row.subject.request.input, known).catch((error: unknown) => error);
    if (refusal instanceof Problem) requester.drop(row, refusal);
  }
};

/** Redraws the prompts that this answer alone makes stale. */
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

/** The acts after which these answers may change. */
const actsThatChange: Record<KnownRead, readonly RouteName[]> = {
  listTemplates: ['createTemplate', 'updateTemplate', 'deleteTemplate'],
  listConnections: ['deleteConnection'],
  listMarketAccounts: ['disconnectMarket'],
  readMarketStatus: ['disconnectMarket'],
  listChannels: [],
  readStanding: ['createCheckout', 'createCheckoutToken'],
  listPlans: [],
};

/** Drops or redraws the prompts that an answer of the service makes pointless or stale. */
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

/** Does the same after a completed act: what it changed is read once, if a pending prompt depends on it. */
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

export const dropOfGone = (context: ApprovalsContext, requester: Requester, listingId: string): void => {
  for (const row of pendingOf(context, listingId)) requester.drop(row, problem('NOT_FOUND.atService'));
};
