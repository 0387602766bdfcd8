import { findOwnEntry } from '../../contract/untrusted.ts';
import { isRecord } from '../../core/base/json.ts';
import { type DeclineReason, notCheckedCode, refusedYetDoneCode } from '../../core/base/problem.ts';

const refusalSteps: Readonly<Record<string, string>> = {
  INVALID_REQUEST: 'Correct the argument that `field` names and call again.',
  NOT_FOUND:
    'Check the id: list_listings shows the listings, check_request without an id your own open requests; the same create_listing_from_photos call answers the itemId of an unfinished item.',
  UNKNOWN_ROUTE: 'Call list_service_routes and use one of its names.',
  WRONG_STATE: 'Call get_listing and look at status and blockers before you try anything else.',
  PUBLISH_BLOCKED: 'Call get_listing, mend what `blockers` names with edit_listing, then ask again.',
  APPROVAL_EXPIRED: 'The person did not answer in time. Ask them whether it is still wanted before you ask again.',
  ALREADY_ASKED: 'The person is asked about this listing already: check_request with the requestId of that request.',
  ASKED_AGAIN:
    'Your newer request about the same took its place. Call check_request with the requestId of that one; without an id, it lists your open requests.',
  APPROVAL_WITHDRAWN: 'It was taken back. Ask again only when the person wants it.',
  SUPERSEDED: 'What was shown no longer holds. Call get_listing, tell the person what changed, then ask again.',
  TOO_MANY_WAITING: 'Tell the person how many questions wait in Listing Companion, and wait for their answers.',
  BUDGET_SPENT: 'Tell the person. They set this budget in Listing Companion under Assistants; do not work around it.',
  ASSISTANT_PAUSED: 'Stop, and tell the person that they paused you in Listing Companion under Assistants.',
  FOLDER_NOT_ALLOWED: 'Ask the person to allow this folder in Listing Companion under Assistants, then call again.',
  NOT_YOUR_LISTING: 'The person lets you touch only listings that you made. Ask them to do this one.',
  OWN_LISTINGS_ONLY:
    'Tell the person that you see only your own listings: list_listings with status sold shows which of them sold.',
  NOT_FOR_ASSISTANTS: 'Only the person can do this. Tell them.',
  LINKS_ARE_THE_PERSONS: 'Only the person opens this page. Ask them to do it in Listing Companion.',
  CONNECTION_IS_THE_PERSONS: 'Ask the person to connect the account in Listing Companion.',
  NOT_CONNECTED: 'Ask the person to connect the account in Listing Companion.',
  RECONNECT_NEEDED: 'Ask the person to connect the account again in Listing Companion.',
  SLOW_DOWN: 'Wait retryAfterS seconds before you make this call again, and never make it in a loop.',
  SERVICE_UNREACHABLE: 'Wait a minute, then try once more. If it fails again, tell the person.',
  CONTRADICTED: 'The service says it is done, the listing does not. Call get_listing and tell the person both.',
  [refusedYetDoneCode]: 'The service refused it, yet the listing shows it as done. Call get_listing; do not ask again.',
  UNCONFIRMED: 'It may have happened. Call get_listing to see before you ask again.',
  [notCheckedCode]:
    'The service says it is done; that could not be checked. Call get_listing to see before you ask again.',
  NO_ANSWER: 'It may have happened. Call get_listing to see before you try again.',
  MARKET_TOKEN_EXPIRED: 'Ask the person to connect the marketplace again in Listing Companion.',
  MISSING_PACKAGE_WEIGHT: 'Ask the person for the packed weight, save it with edit_listing, then ask to publish again.',
  INVALID_IDEMPOTENCY_KEY: 'Send 1 to 64 printable characters without spaces as idempotencyKey.',
  BAD_EXTRAS_APPROVAL: 'Leave extrasApprovalId out, or send the approvalId that approveExtras answered.',
  EXTRAS_OFF:
    'Name extras.rateCents of get_standing to the person. Where they want paid extras, call setExtras with enabled true and acknowledgedRateCents; after their yes, call approveExtras again.',
  EXTRAS_ON_UNCONFIRMED:
    'Call setExtras with enabled true and acknowledgedRateCents once more; after their yes, call approveExtras again.',
  EXTRAS_APPROVAL_REQUIRED:
    'Call get_standing. Where plan and credits have none left, ask the person for a number of paid extras, then call approveExtras.',
  'invalid-overage-request': 'Send enabled true or false, and with true acknowledgedRateCents.',
  RATE_CHANGED: 'Tell the person the rate in rateCents, and ask again only where they still want it.',
  EXTRAS_UNAVAILABLE: 'Extras are not to be had: offer the upgrade of get_standing.',
  ALREADY_SUBSCRIBED: 'Offer the billing portal: createPortal, where the person changes the plan.',
  NO_SUBSCRIPTION: 'Offer a plan: createCheckoutToken, with what upgrade.how of get_standing names.',
  STORE_MANAGED: 'Tell the person to change the plan in the app store it was bought in.',
  CONDITION_NOT_ALLOWED:
    'Call find_category with the categoryId to see the conditions it takes, and let the person choose.',
  MARKET_TRANSIENT: 'Wait a minute, then ask once more.',
  NOT_RUNNING: 'Ask the person to start Listing Companion on this machine, then call again.',
  NOT_ANSWERING:
    'Ask the person to quit Listing Companion, by force where it hangs, and to start it again; then call again.',
  DISCOVERY_UNREADABLE: 'Ask the person to quit Listing Companion and to start it again, then call again.',
  NOT_PROVEN: 'Ask the person to update Listing Companion and to start it again, then call again.',
  NOT_PAIRED:
    'Tell the person to open Listing Companion, compare the code there with `pairingCode` here, accept, and then call again.',
  INTERNAL: 'Read whether it was done; if it was not, try once more. If it fails again, tell the person.',
};

const declinedSteps: Readonly<Record<DeclineReason, string>> = {
  no: 'The person said no, and that stands. Do not ask again unless they tell you to.',
  wrong_details:
    'Ask the person what is wrong, correct it, and ask once more: that works at once where price, title, photos, condition or its note, category, quantity, format, policies, description, item specifics, Best Offer or weight differ, and else after retryAfterS seconds.',
  not_asked_for: 'The person did not ask for this, and paused you. Stop, and tell them why you asked.',
};
/** Returns the next step after the person declined a request. */
export const chooseStepAfterDecline = (why: DeclineReason): string => declinedSteps[why];

const unknownRefusal = 'Tell the person what was refused and why; do not repeat the call unchanged.';
const waitFirst = 'Wait retryAfterS seconds, then call again once.';

/** Returns the next step after a refusal. An unknown code gets a cautious default. */
export const chooseStepAfterRefusal = (code: string, retryAfterS?: number): string =>
  findOwnEntry(refusalSteps, code) ?? (retryAfterS === undefined ? unknownRefusal : waitFirst);

const approvalSteps: Readonly<Record<string, string>> = {
  pending: 'The person has not decided. Remind them once, then call check_request again with waitS 45.',
  approved: 'The person said yes and it is being sent. Call check_request again with waitS 30.',
  held: 'The person said yes, and may take it back for a few seconds. Call check_request again with waitS 30.',
  sending: 'It is being sent. Call check_request again with waitS 30.',
  done: 'It is done. Tell the person, with the link where there is one.',
  failed: 'The person said yes, but it was refused. Look at code, mend the cause, then ask again.',
  unconfirmed:
    'The person said yes, and it is not known whether it happened. Call get_listing; do not ask again before you know.',
  declined: declinedSteps.no,
  expired: 'The person did not answer in time. Ask them whether it is still wanted before you ask again.',
  withdrawn: 'It was taken back. Ask again only when the person wants it.',
  superseded:
    'It can no longer be done, and the person is no longer asked: untrustedOutcome says why. Call get_listing before you ask anything else about it.',
};
export const approvalStates = Object.keys(approvalSteps);
const supersededStep = 'Your newer request took its place: call check_request with supersededBy as the requestId.';
/** The sentence and the next step for an unconfirmed act. */
export const uncheckedSentence = 'The service says it is done, and this could not be checked.';
export const uncheckedStep =
  'Tell the person what untrustedOutcome says: the service claims it, and the listing does not show all of it. Do not say that it is done.';

type ApprovalFacts = {
  state: string;
  declinedBecause?: DeclineReason | undefined;
  code?: string | null | undefined;
  supersededBy?: string | undefined;
};

/** Returns the next step for an approval in this state. */
export const chooseStepForApproval = ({ state, declinedBecause = 'no', code, supersededBy }: ApprovalFacts): string => {
  if (supersededBy !== undefined) return supersededStep;
  if (state === 'declined') return chooseStepAfterDecline(declinedBecause);
  if (state === 'failed' && code === refusedYetDoneCode) return chooseStepAfterRefusal(code);
  return state === 'done' && code === notCheckedCode
    ? uncheckedStep
    : (findOwnEntry(approvalSteps, state) ?? unknownRefusal);
};

type BatchRowFacts = ApprovalFacts & { retryAfterS?: number | undefined };

const openStates: readonly string[] = ['pending', 'approved', 'held', 'sending'];
/** Returns the state of a batch with rows in these states. */
export const findBatchState = (states: readonly string[]): 'waiting_for_person' | 'under_way' | 'over' => {
  if (states.includes('pending')) return 'waiting_for_person';
  return states.some((state) => openStates.includes(state)) ? 'under_way' : 'over';
};

const batchSteps = {
  waiting_for_person:
    'Nothing has happened to those that are pending. Tell the person that their answer is awaited in Listing Companion, then call check_request with this requestId and waitS 45. Only the person can say yes, and only there.',
  under_way: 'The person has answered. Call check_request with this requestId and waitS 45.',
  over: 'Tell the person what became of each, with its liveUrl where it has one.',
};

const describeRowStep = (row: BatchRowFacts): string => {
  const code = row.code ?? row.state;
  const refusalStep =
    row.declinedBecause === undefined
      ? chooseStepAfterRefusal(code, row.retryAfterS)
      : chooseStepAfterDecline(row.declinedBecause);
  if (code === 'INVALID_REQUEST') return `${code}: Correct what its untrustedOutcome says, then ask for it again.`;
  return `${code}: ${row.state === 'refused' ? refusalStep : chooseStepForApproval(row)}`;
};

/** Returns the next step for a batch: what to wait for, and what to do about each kind of row that is not done. */
export const chooseStepForBatch = (rows: readonly BatchRowFacts[]): string => {
  const state = findBatchState(rows.map((row) => row.state));
  const isExplained = ({ state: own, code }: BatchRowFacts): boolean =>
    openStates.includes(own) || (own === 'done' && !code);
  return [batchSteps[state], ...new Set(rows.filter((row) => !isExplained(row)).map(describeRowStep))].join(' ');
};

const inProgressSentence = 'It continues by itself. Call check_request with this itemId and waitS 45.';
const stoppedSentence = 'It stands still. Tell the person why; they take it up again in Listing Companion.';
const resumeSentence =
  'then make the same create_listing_from_photos call, which resumes this item and makes no other.';
const noneLeftStep = `No listing is left. Tell the person, call get_standing for the ways on (paid extras, a bigger plan, the day it renews), ${resumeSentence}`;
const stopSteps: Readonly<Record<string, string>> = {
  ALLOWANCE_USED: noneLeftStep,
  USAGE_LIMIT: noneLeftStep,
  WOULD_BE_EXTRA: `Its listing would be a paid extra. Name extras.rateCents of get_standing to the person, call approveExtras by call_service for the number that they name, wait for their yes, ${resumeSentence}`,
};
const itemSteps: Readonly<Record<string, string>> = {
  review:
    'Call get_listing, show the person title, price, condition and specifics, correct with edit_listing, then quote_fees and publish_listing.',
  live: 'It is live. Give the person the liveUrl of get_listing, if it has one.',
  ended: 'It has ended. relist brings it back for review when the person wants that.',
};
const reviewTogether =
  'Those in review can be shown to the person together: list_listings with status pending_review; publish_listing with their listingIds asks about all in one prompt, each with its fee.';
const inProgressTogether = 'Those that are not there yet go on by themselves: call check_request with itemIds';
type ItemStop = { code: string; retriable: boolean };

/** Returns the next step for an item. */
export const chooseStepForItem = (step: string, stop: ItemStop | null): string => {
  if (stop === null) return findOwnEntry(itemSteps, step) ?? inProgressSentence;
  const known = findOwnEntry(stopSteps, stop.code);
  if (known !== undefined || !stop.retriable) return known ?? stoppedSentence;
  return `It stands still. Tell the person why, wait until that is mended, ${resumeSentence}`;
};

type ItemState = { itemId: string; step: string; stop: ItemStop | null };

/** Returns the next step for several items: what to do with finished items, and which items to wait for. */
export const chooseStepForItems = (items: readonly ItemState[]): string => {
  const inProgress = items.filter(({ step, stop }) => stop === null && !Object.hasOwn(itemSteps, step));
  const rest =
    inProgress.length < items.length
      ? 'Do with each item that has stopped, ended or waits for review what its nextStep says.'
      : '';
  const review = items.filter(({ step, stop }) => stop === null && step === 'review').length > 1 ? reviewTogether : '';
  const ids = JSON.stringify(inProgress.map(({ itemId }) => itemId));
  const wait = inProgress.length > 0 ? `${inProgressTogether} ${ids} and waitS 45.` : '';
  return [rest, review, wait].filter(Boolean).join(' ') || 'No item was made. Do what notTaken says.';
};

export type NextCall = {
  tool: string;
  arguments: Record<string, unknown>;
  /** True if the previous call must be repeated with the same arguments. */
  again: boolean;
  personFirst: boolean;
  afterS: number;
};

type Facts = Record<string, unknown>;
type Rule = (answer: Facts, args: Facts) => NextCall | null;

const createNextCall = (tool: string, args: Facts): NextCall => ({
  ...{ tool, arguments: args },
  ...{ again: false, personFirst: false, afterS: 0 },
});

const idShape = /^[\w.:-]{1,200}$/;
const createCallForId = (tool: string, name: string, id: unknown, more: Facts = {}): NextCall | null =>
  typeof id === 'string' && idShape.test(id) ? createNextCall(tool, { [name]: id, ...more }) : null;

const longWait = { waitS: 45 };
const suggestGetListingCall: Rule = (_answer, { listingId }) => createCallForId('get_listing', 'listingId', listingId);
const suggestCheckRequestCall: Rule = ({ requestId }) =>
  createCallForId('check_request', 'requestId', requestId, longWait);

const unendedStates: readonly string[] = ['waiting_for_person', 'under_way'];
const suggestCallAfterApproval: Rule = (answer) => {
  const { state, supersededBy } = answer;
  if (state === 'superseded') return createCallForId('check_request', 'requestId', supersededBy, longWait);
  return [...openStates, ...unendedStates].includes(String(state)) ? suggestCheckRequestCall(answer, {}) : null;
};

const suggestCallAfterItem: Rule = ({ step, stoppedBecause, itemId, listingId }) => {
  if (isRecord(stoppedBecause))
    return Object.hasOwn(stopSteps, String(stoppedBecause['code'])) ? createNextCall('get_standing', {}) : null;
  if (step === 'review') return createCallForId('get_listing', 'listingId', listingId);
  return Object.hasOwn(itemSteps, String(step)) ? null : createCallForId('check_request', 'itemId', itemId, longWait);
};

const listItems = (answer: Facts): Facts[] => {
  const { items } = answer;
  return Array.isArray(items) ? items.filter(isRecord) : [answer];
};

const suggestCallAfterItems: Rule = (answer) => {
  const inProgress = listItems(answer).filter((item) => suggestCallAfterItem(item, {})?.tool === 'check_request');
  return inProgress.length === 0
    ? null
    : createNextCall('check_request', { itemIds: inProgress.map(({ itemId }) => itemId), ...longWait });
};

const suggestCallAfterItemTool: Rule = (answer, args) => {
  if ('requests' in answer) return null;
  if ('state' in answer) return suggestCallAfterApproval(answer, args);
  return 'items' in answer ? suggestCallAfterItems(answer, args) : suggestCallAfterItem(answer, args);
};

/** The same call resumes the items that have stopped, and creates no other. */
const suggestCallAfterCreation: Rule = (answer, args) => {
  const isStopped = listItems(answer).some(({ stoppedBecause: stop }) => isRecord(stop) && stop['retriable'] === true);
  const next = suggestCallAfterItemTool(answer, args);
  if (!isStopped || next?.tool === 'check_request') return next;
  return { ...createNextCall('create_listing_from_photos', {}), again: true, personFirst: true };
};

const suggestCallAfterListing: Rule = ({ status, blockers, listingId }) => {
  if (status !== 'pending_review') return null;
  if (!Array.isArray(blockers) || blockers.length === 0) return createCallForId('quote_fees', 'listingId', listingId);
  const mend = createCallForId('edit_listing', 'listingId', listingId);
  return mend && { ...mend, personFirst: true };
};

/** The blockers name what is wrong with the saved listing. Only the conditions are looked up. */
const suggestCallAfterEdit: Rule = (answer, args) => {
  const { blockers, categoryId } = answer;
  const isConditionBlocked =
    Array.isArray(blockers) && blockers.some((one) => isRecord(one) && one['code'] === 'CONDITION_NOT_ALLOWED');
  return isConditionBlocked
    ? createCallForId('find_category', 'categoryId', categoryId)
    : suggestGetListingCall(answer, args);
};

const createRuleForDoneAnswer =
  (rule: Rule): Rule =>
  (answer, args) =>
    unendedStates.includes(String(answer['state'])) ? suggestCheckRequestCall(answer, args) : rule(answer, args);

const nextCallRules: Readonly<Record<string, Rule>> = {
  get_standing: ({ remaining, credits, nextListing }) =>
    Number(remaining) + Number(credits) > 0 || nextListing === 'extra'
      ? createNextCall('create_listing_from_photos', {})
      : null,
  create_listing_from_photos: suggestCallAfterCreation,
  check_request: suggestCallAfterItemTool,
  get_listing: suggestCallAfterListing,
  edit_listing: createRuleForDoneAnswer(suggestCallAfterEdit),
  quote_fees: (_answer, { listingId }) => createCallForId('publish_listing', 'listingId', listingId),
  publish_listing: createRuleForDoneAnswer(() => null),
  change_live_listing: createRuleForDoneAnswer(suggestGetListingCall),
  end_listing: createRuleForDoneAnswer(() => null),
  relist: createRuleForDoneAnswer(suggestGetListingCall),
  call_service: createRuleForDoneAnswer(() => null),
};

/** Returns the call to make after an answer of a tool; null if there is no obvious next call. */
export const suggestNextCall = (tool: string, answer: Facts, args: Facts): NextCall | null =>
  findOwnEntry(nextCallRules, tool)?.(answer, args) ?? null;

const codesSeenInListing = ['WRONG_STATE', 'PUBLISH_BLOCKED', 'SUPERSEDED', 'NO_ANSWER'];
const codesForPerson = [
  ...['FOLDER_NOT_ALLOWED', 'NOT_CONNECTED', 'CONNECTION_IS_THE_PERSONS', 'RECONNECT_NEEDED', 'MARKET_TOKEN_EXPIRED'],
  ...[
    'NOT_RUNNING',
    'NOT_ANSWERING',
    'DISCOVERY_UNREADABLE',
    'NOT_PROVEN',
    'NOT_PAIRED',
    'TOO_MANY_WAITING',
    'ASSISTANT_PAUSED',
  ],
];
const transientCodes = ['SLOW_DOWN', 'MARKET_TRANSIENT', 'SERVICE_UNREACHABLE', 'FIVE_AT_A_TIME', 'PHOTOS_UPLOADING'];
const transientRetryS = 60;

/** Returns the call to make after a refusal, or null. */
export const suggestCallAfterRefusal = (
  tool: string,
  { code, retryAfterS }: { code: string; retryAfterS?: number | undefined },
  args: Facts,
): NextCall | null => {
  const again = { ...createNextCall(tool, {}), again: true };
  if (codesSeenInListing.includes(code)) return suggestGetListingCall({}, args);
  if (codesForPerson.includes(code)) return { ...again, personFirst: true };
  return transientCodes.includes(code) ? { ...again, afterS: retryAfterS ?? transientRetryS } : null;
};
