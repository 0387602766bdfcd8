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

/** Shared reads in flight by key, with the number of callers that wait for each. */
type SharedReads<T> = {
  /** Sends the request of that key, or joins the one in flight. Rejects with the signal's reason. */
  read: (key: string, send: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;
  /** Joins the request of that key in flight; null if there is none. */
  join: (key: string, signal: AbortSignal | undefined) => Promise<T> | null;
  /** Makes later callers send a new request: reads in flight may be older than a write. */
  part: () => void;
};

/**
 * Creates shared reads: concurrent callers of the same key share one request. It is aborted when its last caller has
 * aborted.
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
/** A read in flight. */
type Reading = { listingId: string | null; floor: Floor; isStale: boolean };

const mostKept = 2_000;
/** The size limit of all cached answers in characters. */
const mostKeptChars = 16 * 2 ** 20;

/** The dependencies of the cache; answers and refusals are kept for each `account` separately. */
export type ResponseCacheContext = {
  service: ServiceClient;
  clock: Clock;
  account: () => string | null;
  pacing: Pick<Pacing, 'retryAfterMs' | 'newBudgetsInMs'>;
  /** Returns whether the person may be changing something on a page of the service. */
  isPageOpen: () => boolean;
};

/** A valid cached answer and its age in ms. */
export type CachedAnswer<N extends RouteName> = { answer: ServiceAnswer<N>; ageMs: number };

/** Recent answers, call times and active 429 refusals. */
export type ResponseCache = Pick<CallLimits, 'admit' | 'admitQuestion' | 'askedInVain'> & {
  /** The client, observed by this cache. */
  client: ServiceClient;
  /** Returns a valid cached answer for an assistant's call; null if the service must be asked. */
  cachedAnswer: <N extends RouteName>(route: N, input: ParsedInput<N>) => CachedAnswer<N> | null;
  /** Invalidates a listing that was changed without the client, as by a photo upload. */
  invalidate: (listingId: string) => void;
  /** Joins an equal call in flight; null if there is none. */
  joinShared: <N extends RouteName>(
    route: N,
    input: ParsedInput<N>,
    signal: AbortSignal | undefined,
  ) => Promise<ServiceAnswer<N>> | null;
  /** Sends a read that concurrent callers share; null if the call cannot be shared. */
  together: <N extends RouteName>(
    route: N,
    input: ParsedInput<N>,
    options: SendOptions,
  ) => Promise<ServiceAnswer<N>> | null;
  /** Returns the cached answer for a poll by any asker, while a listing in generation is not due for the next read. */
  polled: <N extends RouteName>(route: N, input: ParsedInput<N>) => CachedAnswer<N> | null;
  /** Returns the active refusal for this route, with the remaining seconds; null if there is none. */
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

/** Returns whether a quote request confirms the site's fee notice, which changes every later quote. */
const agrees = (route: RouteName, input: object): boolean =>
  route === 'quoteFees' && recordOf(bodyOf(input))['action'] === 'confirm';

/** Returns whether a request may change cached answers. Hydrating a listing imports its sales. */
const changes = (route: RouteName, input: object): boolean =>
  writes(route) || route === 'hydrateListing' || agrees(route, input);

const mayHaveWritten = (error: unknown): boolean => !(error instanceof ServiceError) || error.effect === 'unclear';

/** Returns whether a write to a listing, or to no single listing (null), may have changed this answer. */
const isTouched = (one: { floor: Floor; listingId: string | null }, listingId: string | null): boolean =>
  !one.floor.throughWrites && (listingId === null || one.listingId === null || one.listingId === listingId);

/** Removes cached answers and the times of their calls. */
const forget = (
  { kept, callLimits }: CacheState,
  isGone: (one: { floor: Floor; listingId: string | null }) => boolean,
): void => {
  for (const [key, one] of [...kept.entries()]) if (isGone(one)) kept.delete(key);
  callLimits.forget(isGone);
};

/** Invalidates cached answers and reads in flight after a write. */
const forgetAfter = (state: CacheState, listingId: string | null): void => {
  forget(state, (one) => isTouched(one, listingId));
  for (const reading of state.readings) if (isTouched(reading, listingId)) reading.isStale = true;
  state.shared.part();
};

/** A listing that finished generating appears in other lists than before. */
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

/** Sends a request, caches its answer, and notes refusals and changes. */
const sendNoting = async <N extends RouteName>(
  state: CacheState,
  route: N,
  input: ParsedInput<N>,
  options: SendOptions | undefined,
): Promise<ServiceAnswer<N>> => {
  const { account, callLimits, readings, refusals } = state;
  const call = callOf(route, input);
  const owner = account();
  // Answers for another account must not be stored for this one.
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
    // A lost answer may also mean a write; a refusal does not.
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

/** Returns the key under which a call is shared; null if it is never shared. */
const sharedKey = (state: CacheState, route: RouteName, input: object): string | null => {
  const call = callOf(route, input);
  return call && isKeepable(call) ? keyOf(state, call) : null;
};

/**
 * Creates the cache of service answers for all askers: reusable answers, call times and active refusals. `client` is
 * the client with this cache behind it.
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

/** Wraps the client so that concurrent equal reads share one request. */
export const shareReads = ({ together }: Pick<ResponseCache, 'together'>, client: ServiceClient): ServiceClient => ({
  send: (route, input, options = {}) => together(route, input, options) ?? client.send(route, input, options),
});
