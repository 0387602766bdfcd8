import { abortable } from '../../base/abortable.ts';
import type { ParsedInput, RouteName } from '../../../contract/index.ts';
import { createBoundedMap, type BoundedMap } from '../../base/boundedMap.ts';
import { listingIdOf, bodyOf, recordOf } from '../../base/json.ts';
import type { Clock } from '../../base/ports.ts';
import type { Pacing } from '../pacing/pacing.ts';
import type { SendOptions, ServiceAnswer, ServiceClient } from '../serviceClient.ts';
import { ServiceError } from '../serviceError.ts';
import {
  callOf,
  type Call,
  createCallLimits,
  isKeepable,
  type CallLimits,
  createHeldRefusals,
  type HeldRefusals,
} from './callLimits.ts';
import { isWriting, maxAgeMs, writes, type Floor } from './floors.ts';

type Flight<T> = { answer: Promise<T>; waiting: number; over: AbortController };

/** Requests that are under way, by their keys, and how many wait for the answer of each. */
type SharedReads<T> = {
  /** Makes the request of that key, or joins the one that is under way. Rejects with the signal's reason. */
  read: (key: string, send: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;
  /** Joins the request of that key that is under way; null when there is none. */
  join: (key: string, signal: AbortSignal | undefined) => Promise<T> | null;
  /** Whoever comes from now on gets an answer of its own: what is under way may be older than what was written. */
  part: () => void;
};

/**
 * One request for all who want the same at the same time. Who hangs up leaves the others their answer; when the last
 * one has left, the request is given up.
 */
const createSharedReads = <T>(): SharedReads<T> => {
  const flights = new Map<string, Flight<T>>();

  const take = (key: string, send: (signal: AbortSignal) => Promise<T>): Flight<T> => {
    const over = new AbortController();
    const flight: Flight<T> = { over, waiting: 0, answer: send(over.signal) };
    flights.set(key, flight);
    const land = (): void => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    flight.answer.then(land, land);
    return flight;
  };

  const board = async (key: string, flight: Flight<T>, signal: AbortSignal | undefined): Promise<T> => {
    flight.waiting += 1;
    try {
      return await abortable(flight.answer, signal);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) {
        flight.over.abort();
        if (flights.get(key) === flight) flights.delete(key);
      }
    }
  };

  return {
    read: async (key, send, signal) => {
      signal?.throwIfAborted();
      return board(key, flights.get(key) ?? take(key, send), signal);
    },
    join: (key, signal) => {
      const flight = flights.get(key);
      return flight ? board(key, flight, signal) : null;
    },
    part: () => flights.clear(),
  };
};

/** `at` is by the elapsed time. */
type Kept = { route: RouteName; floor: Floor; listingId: string | null; at: number; answer: ServiceAnswer<RouteName> };
/** A read that is under way. */
type Reading = { listingId: string | null; floor: Floor; isStale: boolean };

const mostKept = 2_000;
/** An answer may be very long; of those that are read again, few are. */
const mostKeptChars = 16 * 2 ** 20;

/** What the cache works with; `account` is who is connected, whose answers and refusals are nobody else's. */
export type ResponseCacheContext = {
  service: ServiceClient;
  clock: Clock;
  account: () => string | null;
  pacing: Pick<Pacing, 'retryAfterMs' | 'newBudgetsInMs'>;
  /** Whether a page of the service's is open on which the person may change something. */
  isPageOpen: () => boolean;
};

/** An answer that still stands, and how old it is in ms. */
export type CachedAnswer<N extends RouteName> = { answer: ServiceAnswer<N>; ageMs: number };

/** What the service answered lately, when each call was made, and refusals that ask to wait. */
export type ResponseCache = Pick<CallLimits, 'admit' | 'admitQuestion' | 'askedInVain'> & {
  /** The same client, listened to. */
  client: ServiceClient;
  /** The answer that an assistant's call is given again, where one still stands; null when the service is to be asked. */
  cachedAnswer: <N extends RouteName>(route: N, input: ParsedInput<N>) => CachedAnswer<N> | null;
  /** Something of a listing was changed past the client, as when a photo was put. */
  invalidate: (listingId: string) => void;
  /** The answer of the same call of somebody else's that is under way; null when there is none. */
  joinShared: <N extends RouteName>(
    route: N,
    input: ParsedInput<N>,
    signal: AbortSignal | undefined,
  ) => Promise<ServiceAnswer<N>> | null;
  /** Reads once for all who want the same at the same time; null for a call that is not shared. */
  together: <N extends RouteName>(
    route: N,
    input: ParsedInput<N>,
    options: SendOptions,
  ) => Promise<ServiceAnswer<N>> | null;
  /** The answer that a poll of anybody gets: that of a listing in writing, while the next reading is not due. */
  polled: <N extends RouteName>(route: N, input: ParsedInput<N>) => CachedAnswer<N> | null;
  /** The refusal that still holds for this request, with the seconds that are left; null when there is none. */
  heldRefusal: (route: RouteName) => ServiceError | null;
};

type CacheState = ResponseCacheContext & {
  kept: BoundedMap<string, Kept>;
  readings: Set<Reading>;
  shared: SharedReads<ServiceAnswer<RouteName>>;
  callLimits: CallLimits;
  refusals: HeldRefusals;
};

const keyOf = ({ account }: ResponseCacheContext, { key }: Pick<Call, 'key'>): string => `${account()} ${key}`;

/** The agreement to a site's fees, which every quote tells. */
const agrees = (route: RouteName, input: object): boolean =>
  route === 'quoteFees' && recordOf(bodyOf(input))['action'] === 'confirm';

/** Whether a request may make other than it was what is read; asking the marketplace anew brings its sales with it. */
const changes = (route: RouteName, input: object): boolean =>
  writes(route) || route === 'hydrateListing' || agrees(route, input);

const mayHaveWritten = (error: unknown): boolean => !(error instanceof ServiceError) || error.effect === 'unclear';

/** Whether what was written about a listing, or about no one listing, may have changed what this tells. */
const isTouched = (one: { floor: Floor; listingId: string | null }, listingId: string | null): boolean =>
  !one.floor.throughWrites && (listingId === null || one.listingId === null || one.listingId === listingId);

/** Forgets answers, and when the calls were made that would give them anew. */
const forget = (
  { kept, callLimits }: CacheState,
  isGone: (one: { floor: Floor; listingId: string | null }) => boolean,
): void => {
  for (const [key, one] of [...kept.entries()]) if (isGone(one)) kept.delete(key);
  callLimits.forget(isGone);
};

/** What was written may have changed what was read, and what is being read: about the same listing, or about anything. */
const forgetAfter = (state: CacheState, listingId: string | null): void => {
  forget(state, (one) => isTouched(one, listingId));
  for (const reading of state.readings) if (isTouched(reading, listingId)) reading.isStale = true;
  state.shared.part();
};

/** A listing that got on by itself is in other lists than before. */
const noteProgress = (state: CacheState, call: Call, listingId: string | null, answer: unknown): void => {
  const before = state.kept.get(keyOf(state, call))?.answer.answer;
  if (before !== undefined && isWriting(before) && !isWriting(answer))
    forget(state, (one) => one.listingId !== listingId && isTouched(one, listingId));
};

const keep = (
  state: CacheState,
  call: Call,
  { route, input }: { route: RouteName; input: object },
  answer: ServiceAnswer<RouteName>,
): void => {
  const listingId = listingIdOf(input);
  if (route === 'readListing') noteProgress(state, call, listingId, answer.answer);
  state.kept.set(keyOf(state, call), { route, floor: call.floor, listingId, at: state.clock.elapsedMs(), answer });
};

/** Sends a request, and notes what its answer or its refusal tells of later ones. */
const sendNoting = async <N extends RouteName>(
  state: CacheState,
  route: N,
  input: ParsedInput<N>,
  options: SendOptions | undefined,
): Promise<ServiceAnswer<N>> => {
  const { account, callLimits, readings, refusals } = state;
  const call = callOf(route, input);
  const owner = account();
  // What is on its way while another account is connected is nobody's here.
  const isOurs = (): boolean => account() === owner;
  const reading = call && { listingId: listingIdOf(input), floor: call.floor, isStale: false };
  const noteWritten = (): void => forgetAfter(state, agrees(route, input) ? null : listingIdOf(input));
  if (call) callLimits.noteSent(call, input);
  if (reading) readings.add(reading);
  try {
    const answer = await state.service.send(route, input, options);
    if (call && isKeepable(call) && !reading?.isStale && isOurs()) keep(state, call, { route, input }, answer);
    if (changes(route, input)) noteWritten();
    return answer;
  } catch (error) {
    if (call && error instanceof ServiceError) callLimits.noteFailed(call);
    if (error instanceof ServiceError && error.status === 429 && isOurs()) refusals.note(route, error);
    // Also when the answer was lost: then nobody knows what was written. What was refused wrote nothing.
    if (changes(route, input) && mayHaveWritten(error)) noteWritten();
    throw error;
  } finally {
    if (reading) readings.delete(reading);
  }
};

const cachedAnswer = <N extends RouteName>(
  state: CacheState,
  route: N,
  input: ParsedInput<N>,
): CachedAnswer<N> | null => {
  const { kept, clock, isPageOpen } = state;
  const call = callOf(route, input);
  if (!call?.isDeclared) return null;
  for (const key of [call.key, call.wider]) {
    const found = kept.get(keyOf(state, { key }));
    const ageMs = clock.elapsedMs() - (found?.at ?? 0);
    if (found && ageMs < maxAgeMs(route, call.floor, found.answer.answer, isPageOpen()))
      return { answer: found.answer, ageMs };
  }
  return null;
};

/** The key by which calls are one; null for those that are each their own. */
const sharedKey = (state: CacheState, route: RouteName, input: object): string | null => {
  const call = callOf(route, input);
  return call && isKeepable(call) ? keyOf(state, call) : null;
};

/**
 * Remembers what the service answered, whoever asked: answers that may be given again for a while, when each call was
 * made, and refusals that ask to wait. `client` is the same client with this memory behind it.
 */
export const createResponseCache = (context: ResponseCacheContext): ResponseCache => {
  const { clock, account, pacing } = context;
  const kept = createBoundedMap<string, Kept>(mostKept, {
    of: ({ answer }) => answer.text?.length ?? 0,
    most: mostKeptChars,
  });
  const keptAnswer = (call: Call): unknown => kept.get(keyOf(context, call))?.answer.answer;
  const callLimits = createCallLimits({ ...context, keptAnswer });
  const refusals = createHeldRefusals(clock, account, pacing);
  const shared = createSharedReads<ServiceAnswer<RouteName>>();
  const state: CacheState = { ...context, kept, readings: new Set(), shared, callLimits, refusals };
  const client: ServiceClient = { send: (route, input, options) => sendNoting(state, route, input, options) };
  const { admit, admitQuestion, askedInVain } = callLimits;
  return {
    client,
    admit,
    admitQuestion,
    askedInVain,
    cachedAnswer: (route, input) => cachedAnswer(state, route, input),
    invalidate: (listingId) => forgetAfter(state, listingId),
    joinShared: (route, input, signal) => {
      const key = sharedKey(state, route, input);
      return key === null ? null : shared.join(key, signal);
    },
    together: (route, input, options) => {
      const key = sharedKey(state, route, input);
      if (key === null) return null;
      return shared.read(key, (signal) => client.send(route, input, { ...options, signal }), options.signal);
    },
    polled: (route, input) => {
      const found = route === 'readListing' ? cachedAnswer(state, route, input) : null;
      return found && isWriting(found.answer.answer) ? found : null;
    },
    heldRefusal: refusals.find,
  };
};

/** The client, which makes one request of reads that are wanted at the same time. */
export const shareReads = ({ together }: Pick<ResponseCache, 'together'>, client: ServiceClient): ServiceClient => ({
  send: (route, input, options = {}) => together(route, input, options) ?? client.send(route, input, options),
});
