import type { ParsedInput, RouteName } from '../../../contract/index.ts';
import type { ExtrasOwners } from '../../approvals/extrasOwners.ts';
import type { Asker, PerformRequest } from '../../base/request.ts';
import type { PhotoUploads } from '../../photos/photoUploads.ts';
import type { ListingReads, StandingMemory } from '../keptAnswers.ts';
import type { FindListings } from './answeredListings.ts';

/** Notes which listings are generated, and by which extras approval. */
type GenerationNotes = {
  sent: (account: string | null, listingId: string, extrasApproval: string | null) => void;
  settled: (account: string | null, listingId: string, started: boolean) => void;
};

/** The parts of the companion that a policy reads or changes. */
export type PolicyContext = {
  generations: GenerationNotes;
  extras: Pick<ExtrasOwners, 'findSpendable' | 'take' | 'giveBack'>;
  photoUploads: Pick<PhotoUploads, 'open' | 'asking'>;
  standing: Pick<StandingMemory, 'read' | 'keep'>;
  listingReads: Pick<ListingReads, 'noteMissing'>;
};

/** A parsed request on its way to the service, and the account that it is for. */
export type Sending = { request: PerformRequest; input: ParsedInput<RouteName>; account: string | null };

type AssistantAsker = Extract<Asker, { kind: 'assistant' }>;

type Step = (context: PolicyContext, sending: Sending) => void;

/** What is special about the requests of a route, beyond its contract. */
export type RoutePolicy = {
  /** Only the core sends it; callers never see its answers. */
  isCoreOnly?: true;
  /** The answer is a new draft, which must not overwrite a listing that is already stored. */
  makesDraft?: true;
  /** An assistant's request counts against its limits before it waits for its turn. */
  isAdmittedEarly?: true;
  /** Throws if the request spends what the person approved for another asker. */
  checkSpending?: (context: PolicyContext, by: Asker, input: ParsedInput<RouteName>) => void;
  /** Returns whether sending it now would charge an extra that the person has not approved. */
  wouldChargeExtra?: (context: PolicyContext, { request, input }: Omit<Sending, 'account'>) => Promise<boolean>;
  /** Sends it inside another step. */
  sendInside?: <T>(context: PolicyContext, input: ParsedInput<RouteName>, send: () => Promise<T>) => Promise<T>;
  /** Notes it before it is sent. */
  noteSending?: Step;
  /** Undoes `noteSending` once the service certainly did not accept the request. */
  undoSending?: Step;
  /** Notes that the service accepted it. */
  noteAccepted?: Step;
  /** Notes what a failure proves about the connected account. */
  noteFailure?: (context: PolicyContext, sending: Sending, error: unknown) => void;
  /** Finds the listings of the answer, which are stored. */
  findListings?: FindListings;
  /** Stores an answer of the service. */
  keepAnswer?: (context: PolicyContext, answer: unknown) => void;
  /** Returns what an assistant sees in place of the answer; undefined for the answer itself. */
  replaceAnswer?: (context: PolicyContext, by: AssistantAsker, sending: Sending, answer: unknown) => unknown;
  /** Hides further fields of the answer from an assistant. */
  hideFields?: (context: PolicyContext, by: AssistantAsker, answer: unknown) => unknown;
};
