import { entryOf } from '../../contract/untrusted.ts';

/** What an assistant does next when something was refused, by the code of the refusal. */
const refusalSteps: Readonly<Record<string, string>> = {
  INVALID_REQUEST: 'Correct the argument that `field` names and call again.',
  NOT_FOUND: 'Check the id: list_listings shows the listings, check_request your own requests and items.',
  UNKNOWN_ROUTE: 'Call list_service_routes and use one of its names.',
  WRONG_STATE: 'Call get_listing and look at status and blockers before you try anything else.',
  PUBLISH_BLOCKED: 'Call get_listing, mend what `blockers` names with edit_listing, then ask again.',
  PERSON_DECLINED: 'The person said no, and that stands. Do not ask again unless they tell you to.',
  APPROVAL_EXPIRED: 'The person did not answer in time. Ask them whether it is still wanted before you ask again.',
  APPROVAL_WITHDRAWN: 'It was taken back. Ask again only when the person wants it.',
  SUPERSEDED: 'What was shown no longer holds. Call get_listing, tell the person what changed, then ask again.',
  TOO_MANY_WAITING: 'Tell the person how many questions wait in Listing Companion, and wait for their answers.',
  BUDGET_SPENT: 'Tell the person. They set this budget in Listing Companion under Assistants; do not work around it.',
  ASSISTANT_PAUSED: 'Stop, and tell the person that they paused you in Listing Companion under Assistants.',
  FOLDER_NOT_ALLOWED: 'Ask the person to allow this folder in Listing Companion under Assistants, then call again.',
  NOT_YOUR_LISTING: 'The person lets you touch only listings that you made. Ask them to do this one.',
  NOT_FOR_ASSISTANTS: 'Only the person can do this. Tell them.',
  LINKS_ARE_THE_PERSONS: 'Only the person opens this page. Ask them to do it in Listing Companion.',
  CONNECTION_IS_THE_PERSONS: 'Ask the person to connect the account in Listing Companion.',
  NOT_CONNECTED: 'Ask the person to connect the account in Listing Companion.',
  RECONNECT_NEEDED: 'Ask the person to connect the account again in Listing Companion.',
  SLOW_DOWN: 'Wait retryAfterS seconds before you make this call again, and never make it in a loop.',
  SERVICE_UNREACHABLE: 'Wait a minute, then try once more. If it fails again, tell the person.',
  NO_ANSWER: 'It may have happened. Call get_listing to see before you try again.',
  MARKET_TOKEN_EXPIRED: 'Ask the person to connect the marketplace again in Listing Companion.',
  MISSING_PACKAGE_WEIGHT: 'Ask the person for the packed weight, save it with edit_listing, then ask to publish again.',
  CONDITION_NOT_ALLOWED:
    'Call find_category with the categoryId to see the conditions it takes, and let the person choose.',
  MARKET_TRANSIENT: 'Wait a minute, then ask once more.',
  NOT_RUNNING: 'Ask the person to start Listing Companion on this machine, then call again.',
  NOT_PAIRED:
    'Tell the person to open Listing Companion, compare the code there with `code` here, accept, and then call again.',
  INTERNAL: 'Try once more. If it fails again, tell the person.',
};

const unknownRefusal = 'Tell the person what was refused and why; do not repeat the call unchanged.';
const waitFirst = 'Wait retryAfterS seconds, then call again once.';

/** The next step after a refusal; for codes that are not in the table, a careful one. */
export const stepAfterRefusal = (code: string, retryAfterS?: number): string =>
  entryOf(refusalSteps, code) ?? (retryAfterS === undefined ? unknownRefusal : waitFirst);

const approvalSteps: Readonly<Record<string, string>> = {
  pending: 'The person has not decided. Remind them once, then call check_request again with waitS 45.',
  approved: 'The person said yes and it is being sent. Call check_request again with waitS 30.',
  held: 'The person said yes, and may take it back for a few seconds. Call check_request again with waitS 30.',
  sending: 'It is being sent. Call check_request again with waitS 30.',
  done: 'It is done. Tell the person, with the link where there is one.',
  failed: 'The person said yes, but it was refused. Look at code, mend the cause, then ask again.',
  unconfirmed: 'It is not known whether it happened. Call get_listing; do not ask again before you know.',
  declined: 'The person said no, and that stands. Do not ask again unless they tell you to.',
  expired: 'The person did not answer in time. Ask them whether it is still wanted before you ask again.',
  withdrawn: 'It was taken back. Ask again only when the person wants it.',
  superseded: 'It was replaced by a newer question. Check that one.',
};
/** The next step of an approval in this state. */
export const stepOfApproval = (state: string): string => entryOf(approvalSteps, state) ?? unknownRefusal;

const goesOn = 'It goes on by itself. Call check_request with this itemId and waitS 45.';
const stands = 'It stands still. Tell the person why; they take it up again in Listing Companion.';
const itemSteps: Readonly<Record<string, string>> = {
  review:
    'Call get_listing, show the person title, price, condition and specifics, correct with edit_listing, then quote_fees and publish_listing.',
  live: 'It is live. Give the person the link of get_listing.',
  ended: 'It has ended. relist brings it back for review when the person wants that.',
};
const goesOnTogether = 'Those that are not there yet go on by themselves: call check_request with itemIds';
/** The next step of an item. */
export const stepOfItem = (step: string, stopped: boolean): string =>
  stopped ? stands : (entryOf(itemSteps, step) ?? goesOn);

type ItemState = { itemId: string; step: string; isStopped: boolean };

/** The next step of several items: what to do with those that rest, and which to wait for. */
export const stepOfItems = (items: readonly ItemState[]): string => {
  const goingOn = items.filter(({ step, isStopped }) => !isStopped && !Object.hasOwn(itemSteps, step));
  const rest =
    goingOn.length < items.length ? 'Do with each item that has ended or waits for review what its nextStep says.' : '';
  const ids = JSON.stringify(goingOn.map(({ itemId }) => itemId));
  const wait = goingOn.length > 0 ? `${goesOnTogether} ${ids} and waitS 45.` : '';
  return [rest, wait].filter(Boolean).join(' ') || 'No item was made. Do what notTaken says.';
};
