import type { Listing, RouteName } from '../../contract/index.ts';
import { Problem, createProblem } from '../base/problem.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import type { ApprovalsContext } from './approvalsContext.ts';
import type { KnownState, KnownRead } from './checks/knownReads.ts';
import { refusePendingRequest } from './checks/refusals.ts';
import { gatherBoundSubject } from './prompts/index.ts';
import type { Reads } from './prompts/promptDefinition.ts';
import type { Requester } from './request.ts';

const rejectUnexpectedRead = (): Promise<never> => Promise.reject(new Error('This is not read again.'));

/** A negative maximum age forces a fresh read. */
const alwaysRereadMs = -1;

const createReadsFromListing = (reads: Reads, listing: Listing | null): Reads => ({
  ...reads,
  listing: () => (listing ? Promise.resolve(listing) : rejectUnexpectedRead()),
  photos: rejectUnexpectedRead,
  channels: rejectUnexpectedRead,
  fees: rejectUnexpectedRead,
  policies: rejectUnexpectedRead,
  user: rejectUnexpectedRead,
  emailPreferences: rejectUnexpectedRead,
  plain: rejectUnexpectedRead,
});

/** Returns why the listing makes the prompt pointless; null if it does not or if that is unknown. */
const findPromptRefusal = async (
  { reads }: ApprovalsContext,
  row: ApprovalRow,
  listing: Listing,
): Promise<Problem | null> => {
  const { route, account, asker_id: askerId, subject } = row;
  const asked = { route, input: subject.request.input, account, askerId, key: '' };
  try {
    await gatherBoundSubject(asked, row.asker.kind, createReadsFromListing(reads, listing));
    return null;
  } catch (error) {
    return error instanceof Problem && error.code === 'WRONG_STATE' ? error : null;
  }
};

const listPendingApprovals = ({ table, account }: ApprovalsContext, listingId: string): ApprovalRow[] =>
  table.pendingOfListing(account(), listingId);

/** Drops the prompts that the current state of a listing makes pointless. */
export const dropPointlessPrompts = async (
  context: ApprovalsContext,
  requester: Requester,
  listing: Listing,
): Promise<void> => {
  for (const row of listPendingApprovals(context, listing.listingId)) {
    const refusal = await findPromptRefusal(context, row, listing);
    if (refusal !== null) requester.dropPrompt(row, refusal);
  }
};

const createReadsFromAnswer = (reads: Reads, route: RouteName, answer: unknown): Reads => ({
  ...createReadsFromListing(reads, null),
  // TypeScript cannot know that each route gets its own answer.
  plain: ((asked) => (asked === route ? Promise.resolve(answer) : rejectUnexpectedRead())) as Reads['plain'],
});

const createKnownState = ({ knownState }: ApprovalsContext, answerOf: (route: KnownRead) => unknown): KnownState => ({
  connectedUserId: knownState.connectedUserId,
  readAnswer: (async (route) => answerOf(route)) as KnownState['readAnswer'],
});

const dropRefusedPrompts = async (
  context: ApprovalsContext,
  requester: Requester,
  known: KnownState,
): Promise<void> => {
  for (const row of context.table.inState(context.account(), 'pending')) {
    const refusal = await refusePendingRequest(row.route, row.subject.request.input, known).catch(
      (error: unknown) => error,
    );
    if (refusal instanceof Problem) requester.dropPrompt(row, refusal);
  }
};

const replaceStalePrompts = async (
  context: ApprovalsContext,
  requester: Requester,
  from: { route: RouteName; answer: unknown },
): Promise<void> => {
  const reads = createReadsFromAnswer(context.reads, from.route, from.answer);
  for (const row of context.table.inState(context.account(), 'pending')) {
    const fresh = await requester.rereadSubject(row, reads).catch(() => null);
    if (fresh !== null && !requester.isCurrent(row, fresh)) requester.supersedePrompt(row, fresh);
  }
};

/** Returns whether an answer of this route can make a prompt pointless or stale. */
export const isKnownReadRoute = (route: RouteName): route is KnownRead => Object.hasOwn(requestsThatChange, route);

/** For each route, the requests that can change its answer. */
const requestsThatChange: Record<KnownRead, readonly RouteName[]> = {
  listTemplates: ['createTemplate', 'updateTemplate', 'deleteTemplate'],
  listConnections: ['deleteConnection'],
  listMarketAccounts: ['disconnectMarket'],
  readMarketStatus: ['disconnectMarket'],
  listChannels: [],
  readStanding: ['createCheckout', 'createCheckoutToken'],
  listPlans: [],
};

/** Drops or replaces the prompts that an answer of the service makes pointless or stale. */
export const updatePromptsFromAnswer = async (
  context: ApprovalsContext,
  requester: Requester,
  route: KnownRead,
  answer: unknown,
): Promise<void> => {
  await dropRefusedPrompts(
    context,
    requester,
    createKnownState(context, (asked) => (asked === route ? answer : null)),
  );
  await replaceStalePrompts(context, requester, { route, answer });
};

/** Drops or replaces the prompts that a completed request makes pointless or stale. */
export const updatePromptsAfterRequest = async (
  context: ApprovalsContext,
  requester: Requester,
  done: RouteName,
): Promise<void> => {
  const answers = new Map<KnownRead, Promise<unknown>>();
  const readAnswerOnce = (route: KnownRead): Promise<unknown> => {
    if (!requestsThatChange[route].includes(done)) return Promise.resolve(null);
    const answer = answers.get(route) ?? context.knownState.readAnswer(route, alwaysRereadMs);
    answers.set(route, answer);
    return answer;
  };
  await dropRefusedPrompts(context, requester, createKnownState(context, readAnswerOnce));
  for (const [route, answer] of answers) await replaceStalePrompts(context, requester, { route, answer: await answer });
};

export const dropPromptsOfDeletedListing = (
  context: ApprovalsContext,
  requester: Requester,
  listingId: string,
): void => {
  for (const row of listPendingApprovals(context, listingId))
    requester.dropPrompt(row, createProblem('NOT_FOUND.atService'));
};

/** Drops the prompts about a listing whose photos are being changed. */
export const dropPromptsOfChangingPhotos = (
  context: ApprovalsContext,
  requester: Requester,
  listingId: string,
): void => {
  for (const row of listPendingApprovals(context, listingId))
    requester.dropPrompt(row, createProblem('PHOTOS_UPLOADING'));
};
