import { type ParsedInput, type RouteName, listing as listingShape, type Listing } from '../../../contract/index.ts';
import type { ExtrasTracker } from '../../approvals/extrasOwners.ts';
import type { Scope } from '../../assistants/scope.ts';
import type { Asker, PerformRequest } from '../../base/request.ts';
import type { PhotoUploads } from '../../photos/photoUploads.ts';
import type { ListingReads, StandingMemory } from '../keptAnswers.ts';
import { isRecord, findListingId } from '../../base/json.ts';

export type FindListings = (answer: unknown, input: unknown) => Listing[];

/** Returns the answer if it is a listing. */
export const findOneListing: FindListings = (answer) => {
  const parsed = listingShape.safeParse(answer);
  return parsed.success ? [parsed.data] : [];
};

/** Returns the answer if it is the listing that the request names. */
export const findOwnListing: FindListings = (answer, input) =>
  findOneListing(answer, input).filter(({ listingId }) => listingId === findListingId(input));

/** Returns the valid listings on a page of listings. */
export const findListedListings: FindListings = (answer, input) =>
  isRecord(answer) && Array.isArray(answer['listings'])
    ? answer['listings'].flatMap((value: unknown) => findOneListing(value, input))
    : [];

type GenerationRecorder = {
  sent: (account: string | null, listingId: string, extrasApproval: string | null) => void;
  settled: (account: string | null, listingId: string, started: boolean) => void;
};

export type PolicyContext = {
  generations: GenerationRecorder;
  extras: Pick<ExtrasTracker, 'findSpendable' | 'take' | 'giveBack'>;
  photoUploads: Pick<PhotoUploads, 'open' | 'asking'>;
  standing: Pick<StandingMemory, 'read' | 'keep'>;
  listingReads: Pick<ListingReads, 'noteMissing'>;
  scope: Pick<Scope, 'mayTouch' | 'readOwnPage'>;
};

/** A request that is being sent, and the account that was connected when the request started. */
export type OutgoingRequest = { request: PerformRequest; input: ParsedInput<RouteName>; account: string | null };

type AssistantAsker = Extract<Asker, { kind: 'assistant' }>;

type PolicyStep = (context: PolicyContext, sending: OutgoingRequest) => void;

/** What is special about a route. Most routes have an empty policy. */
export type RoutePolicy = {
  isCoreOnly?: true;
  /** Concerns the whole shop, so an assistant that may see only its own listings is refused. */
  isWholeShop?: true;
  /**
   * For an assistant that may see only its own listings: `input` is sent instead of the assistant's input, and `select`
   * returns the asked part. Cursors and counts of the service would reveal other listings.
   */
  ownPart?: {
    input: () => ParsedInput<RouteName>;
    select: (context: PolicyContext, by: Asker, input: ParsedInput<RouteName>, answer: unknown) => unknown;
  };
  /** The answer is a new draft, which must not overwrite a stored listing. */
  makesDraft?: true;
  /** A request of an assistant is counted against the limits before it waits for anything. */
  isAdmittedEarly?: true;
  checkSpending?: (context: PolicyContext, by: Asker, input: ParsedInput<RouteName>) => void;
  /** Returns whether the service would charge an extra that the person has not approved. */
  wouldChargeExtra?: (context: PolicyContext, { request, input }: Omit<OutgoingRequest, 'account'>) => Promise<boolean>;
  sendInside?: <T>(context: PolicyContext, input: ParsedInput<RouteName>, send: () => Promise<T>) => Promise<T>;
  noteSending?: PolicyStep;
  /** Runs if the service certainly did not accept the request. */
  undoSending?: PolicyStep;
  noteAccepted?: PolicyStep;
  noteFailure?: (context: PolicyContext, sending: OutgoingRequest, error: unknown) => void;
  findListings?: FindListings;
  keepAnswer?: (context: PolicyContext, answer: unknown) => void;
  /** Returns what an assistant gets instead of the answer; undefined if it gets the answer. */
  replaceAnswer?: (context: PolicyContext, by: AssistantAsker, sending: OutgoingRequest, answer: unknown) => unknown;
  hideFields?: (context: PolicyContext, by: AssistantAsker, answer: unknown) => unknown;
};
