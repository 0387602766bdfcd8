import {
  isRouteName,
  listing as listingShape,
  parseInput,
  type Listing,
  type ParsedInput,
  type RawInput,
  type RouteName,
} from '../contract/index.ts';
import type { ApprovalRow } from './approvals/approvalsTable.ts';
import { isFinal } from './approvals/states.ts';
import type { Asker, Outcome } from './approvals/approval.ts';
import { declined } from './approvals/asking.ts';
import type { Approvals } from './approvals/engine.ts';
import { needsApproval, type Known } from './approvals/needsApproval.ts';
import type { Scope } from './assistants/scope.ts';
import type { Clock } from './ports.ts';
import { Problem } from './problem.ts';
import type { ServiceClient } from './service/serviceClient.ts';
import { ServiceError } from './service/serviceError.ts';

export type Request = {
  by: Asker;
  route: RouteName;
  input: RawInput;
  /** The asker's own words for the person. */
  reason?: string | undefined;
  /** How long to wait for the person, in ms. */
  waitMs?: number;
  signal?: AbortSignal | undefined;
};

type Parts = {
  client: ServiceClient;
  approvals: Approvals;
  clock: Clock;
  /** What the live route list and the local history know of this request. */
  known: (route: RouteName, input: { params?: Record<string, string> | undefined }) => Known & { refused?: boolean };
  /** Notes that a writing is about to be asked for, and what became of it. */
  generations: { sent: (listingId: string) => void; settled: (listingId: string, started: boolean) => void };
  /** Which listings an assistant may touch. */
  scope: Scope;
  /** Keeps what the service answered. */
  keep: (route: RouteName, answer: unknown, listings: Listing[]) => void;
};

/** Signing in mints a key: it has a way of its own inside the core, and no caller gets at its answers. */
const connectionRoutes: readonly RouteName[] = ['startSignIn', 'verifySignIn'];

export type Perform = ReturnType<typeof performer>;

/**
 * The only door to the service. A request is parsed once; exactly that object is judged, stored where a yes is needed,
 * and sent. Answers the service's answer, or `pending` with the id of the approval. Throws `Problem`.
 */
export const performer = (parts: Parts) => {
  const { client, approvals, known } = parts;

  const perform = async (request: Request): Promise<Outcome> => {
    if (!isRouteName(request.route)) throw new Problem('UNKNOWN_ROUTE', 'The service has no such route.');
    if (connectionRoutes.includes(request.route)) throw connectionIsThePersons();
    const parsed = parseInput(request.route, request.input);
    if (!parsed.ok) throw new Problem('INVALID_REQUEST', parsed.problem.message, { field: parsed.problem.field });
    const input = parsed.input;
    parts.scope.check(request.by, input);
    const facts = known(request.route, input);
    if (facts.refused) throw new Problem('NOT_FOR_ASSISTANTS', 'The service no longer lets assistants do this.');
    if (!needsApproval(request.route, input.body, facts)) return sendNow(request, input);
    const approval = await approvals.ask({ by: request.by, route: request.route, input, reason: request.reason });
    return outcome(approval.approvalId, request.waitMs ?? 0, request.signal);
  };

  const sendNow = async (request: Request, input: ParsedInput<RouteName>): Promise<Outcome> => {
    const listingId = request.route === 'generateListing' ? (input.params as { listingId: string }).listingId : null;
    if (listingId !== null) parts.generations.sent(listingId);
    try {
      const { status, headers, answer } = await client.send(request.route, input, { signal: request.signal });
      if (listingId !== null) parts.generations.settled(listingId, true);
      const listings = listingsIn(request.route, answer);
      parts.keep(request.route, answer, listings);
      for (const { listingId: made } of listings) parts.scope.made(request.by, request.route, made);
      return { state: 'done', status, headers, answer: visibleTo(parts.scope, request, answer, listings) };
    } catch (error) {
      // 409 means that it is being written already: by the very request whose answer was lost, as far as anybody knows.
      const refused = error instanceof ServiceError && error.effect !== 'unclear' && error.status !== 409;
      if (listingId !== null && refused) parts.generations.settled(listingId, false);
      throw error;
    }
  };

  /** How an approval stands after at most `waitMs`; throws what it failed with. */
  const outcome = async (approvalId: string, waitMs: number, signal?: AbortSignal): Promise<Outcome> => {
    const until = parts.clock.now() + waitMs;
    for (;;) {
      approvals.expireDue();
      const row = approvals.latest(approvalId);
      if (isFinal(row.state)) return finished(row);
      if (parts.clock.now() >= until) return pending(row);
      await parts.clock.sleep(Math.min(250, until - parts.clock.now()), signal);
    }
  };

  return { perform, outcome };
};

const connectionIsThePersons = () =>
  new Problem('CONNECTION_IS_THE_PERSONS', 'The person connects the account in the companion. Ask them to open it.');

const pending = (row: ApprovalRow): Outcome => ({
  state: 'pending',
  approvalId: row.approval_id,
  summary: row.prompt.target ? `${row.prompt.act}: ${row.prompt.target.title}` : row.prompt.act,
  expiresAt: row.expires_at,
});

const finished = (row: ApprovalRow): Outcome => {
  const { answer, outcome } = row;
  if (row.state === 'done' && answer)
    return { state: 'done', status: answer.status, headers: answer.headers, answer: answer.body };
  if (row.state === 'declined') throw declined();
  if (row.state === 'expired')
    throw new Problem('APPROVAL_EXPIRED', 'The person did not answer in time. Ask again if it is still wanted.');
  if (row.state === 'withdrawn') throw new Problem('APPROVAL_WITHDRAWN', 'This request was withdrawn.');
  const sentence = outcome?.sentence ?? 'What was shown to the person no longer holds. Look again before asking.';
  if (answer) {
    throw new ServiceError({
      code: outcome?.code ?? 'REFUSED',
      sentence,
      effect: 'refused',
      status: answer.status,
      headers: answer.headers,
      body: answer.body,
    });
  }
  throw new Problem(outcome?.code ?? 'SUPERSEDED', sentence);
};

/** A list of listings as the asker may see it: without those that it may not touch. */
const visibleTo = (scope: Scope, { by, route }: Request, answer: unknown, known: Listing[]): unknown => {
  if (route !== 'listListings' || by.kind === 'person') return answer;
  const hidden = new Set(known.flatMap(({ listingId }) => (scope.mayTouch(by, listingId) ? [] : [listingId])));
  if (hidden.size === 0) return answer;
  const { listings, ...rest } = answer as { listings: { listingId: string }[] };
  return { ...rest, listings: listings.filter(({ listingId }) => !hidden.has(listingId)) };
};

/** Routes that answer one listing; the interface does not show what an edit answers, so that one is only tried. */
const answersListing: readonly RouteName[] = ['createListing', 'readListing', 'updateListing'];

/** The listings in an answer of the service, by the route that gave it. */
const listingsIn = (route: RouteName, answer: unknown): Listing[] => {
  if (
    route === 'listListings' &&
    answer !== null &&
    typeof answer === 'object' &&
    'listings' in answer &&
    Array.isArray(answer.listings)
  ) {
    return answer.listings.flatMap((value: unknown) => oneListing(value));
  }
  return answersListing.includes(route) ? oneListing(answer) : [];
};

const oneListing = (value: unknown) => {
  const parsed = listingShape.safeParse(value);
  return parsed.success ? [parsed.data] : [];
};
