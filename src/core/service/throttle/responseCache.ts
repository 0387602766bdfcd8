import { raceWithAbort } from '../../base/raceWithAbort.ts';
import type { ParsedInput, RouteName } from '../../../contract/index.ts';
import { createBoundedMap, type BoundedMap } from '../../base/boundedMap.ts';
import { findListingId, getRequestBody, toRecordOrEmpty } from '../../base/json.ts';
import type { Clock } from '../../base/ports.ts';
import type { Pacing } from '../pacing/pacing.ts';
import type { SendOptions, ServiceAnswer, ServiceClient } from '../serviceClient.ts';
import { ServiceError } from '../serviceError.ts';
import {
  findLimitedCall,
  type LimitedCall,
  createCallLimiter,
  isAnswerCacheable,
  type CallLimiter,
  createActiveRefusalStore,
  type ActiveRefusalStore,
} from './callLimits.ts';
import { findChangedListings } from './listingVersions.ts';
import { changesKeptAnswers, isBeingGenerated, getMaxAgeMs, type Floor } from './floors.ts';

type ReadInFlight<T> = { answer: Promise<T>; waiting: number; over: AbortController };

type SharedReader<T> = {
  /** Rejects with the signal's reason. */
  read: (key: string, send: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;
  join: (key: string, signal: AbortSignal | undefined) => Promise<T> | null;
  /** A read in flight can be older than a write, so later callers must send a new request. */
  detachInFlight: () => void;
};

/** A request is aborted when all its callers have aborted. */
const createSharedReader = <T>(): SharedReader<T> => {
  const readsInFlight = new Map<string, ReadInFlight<T>>();

  const startSharedRead = (key: string, send: (signal: AbortSignal) => Promise<T>): ReadInFlight<T> => {
    const over = new AbortController();
    const inFlight: ReadInFlight<T> = { over, waiting: 0, answer: send(over.signal) };
    readsInFlight.set(key, inFlight);
    const removeFinishedRead = (): void => {
      if (readsInFlight.get(key) === inFlight) readsInFlight.delete(key);
    };
    inFlight.answer.then(removeFinishedRead, removeFinishedRead);
    return inFlight;
  };

  const joinReadInFlight = async (
    key: string,
    inFlight: ReadInFlight<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> => {
    inFlight.waiting += 1;
    try {
      return await raceWithAbort(inFlight.answer, signal);
    } finally {
      inFlight.waiting -= 1;
      if (inFlight.waiting === 0) {
        inFlight.over.abort();
        if (readsInFlight.get(key) === inFlight) readsInFlight.delete(key);
      }
    }
  };

  return {
    read: async (key, send, signal) => {
      signal?.throwIfAborted();
      return joinReadInFlight(key, readsInFlight.get(key) ?? startSharedRead(key, send), signal);
    },
    join: (key, signal) => {
      const inFlight = readsInFlight.get(key);
      return inFlight ? joinReadInFlight(key, inFlight, signal) : null;
    },
    detachInFlight: () => readsInFlight.clear(),
  };
};

/** `at` is in ms on the monotonic clock. */
type CachedEntry = {
  route: RouteName;
  floor: Floor;
  listingId: string | null;
  at: number;
  answer: ServiceAnswer<RouteName>;
  /** Whether a write might have changed the answer. */
  isStale: boolean;
};
type TrackedRead = { listingId: string | null; floor: Floor; isStale: boolean };

const maxKept = 2_000;
/** The limit for all cached answers together. */
const maxKeptChars = 16 * 2 ** 20;

export type ResponseCacheContext = {
  service: ServiceClient;
  clock: Clock;
  account: () => string | null;
  pacing: Pick<Pacing, 'retryAfterMs' | 'newBudgetsInMs'>;
  isPageOpen: () => boolean;
};

export type CachedAnswer<N extends RouteName> = { answer: ServiceAnswer<N>; ageMs: number };

export type ResponseCache = Pick<CallLimiter, 'admit' | 'admitApprovalRequest' | 'noteFailedRequest'> & {
  client: ServiceClient;
  /** Returns null if there is no valid cached answer. */
  cachedAnswer: <N extends RouteName>(route: N, input: ParsedInput<N>) => CachedAnswer<N> | null;
  /** Returns an answer of the last minute that a write might have changed; null if the route allows none. */
  staleAnswer: <N extends RouteName>(route: N, input: ParsedInput<N>) => CachedAnswer<N> | null;
  /** Invalidates a listing that was changed by a request outside this client, such as a photo upload. */
  invalidate: (listingId: string) => void;
  /** Joins an equal call in flight, or returns null. */
  joinShared: <N extends RouteName>(
    route: N,
    input: ParsedInput<N>,
    signal: AbortSignal | undefined,
  ) => Promise<ServiceAnswer<N>> | null;
  /** Returns null if callers cannot share this call. */
  sendShared: <N extends RouteName>(
    route: N,
    input: ParsedInput<N>,
    options: SendOptions,
  ) => Promise<ServiceAnswer<N>> | null;
  /** For a listing in generation, returns the cached answer until the next read is due; otherwise returns null. */
  polledAnswer: <N extends RouteName>(route: N, input: ParsedInput<N>) => CachedAnswer<N> | null;
  /** Returns the active refusal with the remaining seconds, or null. */
  activeRefusal: (route: RouteName) => ServiceError | null;
};

type CacheState = ResponseCacheContext & {
  kept: BoundedMap<string, CachedEntry>;
  readings: Set<TrackedRead>;
  shared: SharedReader<ServiceAnswer<RouteName>>;
  callLimits: CallLimiter;
  refusals: ActiveRefusalStore;
};

const toCacheKey = ({ account }: ResponseCacheContext, { key }: Pick<LimitedCall, 'key'>): string =>
  `${account()} ${key}`;

/** A confirmed fee notice changes every later quote of its site. */
const confirmsFeeNotice = (route: RouteName, input: object): boolean =>
  route === 'quoteFees' && toRecordOrEmpty(getRequestBody(input))['action'] === 'confirm';

/** Hydrating a listing also imports its sales, so it counts as a write. */
const canChangeAnswers = (route: RouteName, input: object): boolean =>
  changesKeptAnswers(route) || route === 'hydrateListing' || confirmsFeeNotice(route, input);

const mightHaveWritten = (error: unknown): boolean => !(error instanceof ServiceError) || error.effect === 'unclear';

/** `listingId` is null if the write is not about a single listing. */
const canBeAffected = (one: { floor: Floor; listingId: string | null }, listingId: string | null): boolean =>
  !one.floor.throughWrites && (listingId === null || one.listingId === null || one.listingId === listingId);

const forgetMatchingAnswers = (
  { kept, callLimits }: CacheState,
  isGone: (one: { floor: Floor; listingId: string | null }) => boolean,
): void => {
  for (const [key, one] of [...kept.entries()]) {
    if (!isGone(one)) continue;
    if (one.floor.staleWhenLimited) one.isStale = true;
    else kept.delete(key);
  }
  callLimits.forget(isGone);
};

const forgetAnswersAfterWrite = (state: CacheState, listingId: string | null): void => {
  forgetMatchingAnswers(state, (one) => canBeAffected(one, listingId));
  for (const reading of state.readings) if (canBeAffected(reading, listingId)) reading.isStale = true;
  state.shared.detachInFlight();
};

/**
 * A listing can change by itself, for example by a sale, and then appears in other lists than before. So no answer is
 * kept that contradicts a newer one.
 */
const forgetContradictedAnswers = (state: CacheState, route: RouteName, answer: unknown): void => {
  const earlier = [...state.kept.entries()].map(([, one]) => ({ route: one.route, answer: one.answer.answer }));
  const changed = findChangedListings({ route, answer }, earlier);
  if (changed.size > 0)
    forgetMatchingAnswers(
      state,
      ({ floor, listingId }) => !floor.throughWrites && (listingId === null || changed.has(listingId)),
    );
};

const cacheAnswer = (
  state: CacheState,
  call: LimitedCall,
  { route, input }: { route: RouteName; input: object },
  answer: ServiceAnswer<RouteName>,
): void => {
  const listingId = findListingId(input);
  forgetContradictedAnswers(state, route, answer.answer);
  const at = state.clock.elapsedMs();
  state.kept.set(toCacheKey(state, call), { route, floor: call.floor, listingId, at, answer, isStale: false });
};

const sendAndCache = async <N extends RouteName>(
  state: CacheState,
  route: N,
  input: ParsedInput<N>,
  options: SendOptions | undefined,
): Promise<ServiceAnswer<N>> => {
  const { account, callLimits, readings, refusals } = state;
  const call = findLimitedCall(route, input);
  const owner = account();
  // The account might have changed during the request.
  const isSameAccount = (): boolean => account() === owner;
  const reading = call && { listingId: findListingId(input), floor: call.floor, isStale: false };
  const forgetChangedAnswers = (): void =>
    forgetAnswersAfterWrite(state, confirmsFeeNotice(route, input) ? null : findListingId(input));
  if (call) callLimits.noteSent(call, input);
  if (reading) readings.add(reading);
  try {
    const answer = await state.service.send(route, input, options);
    if (call && isAnswerCacheable(call) && !reading?.isStale && isSameAccount())
      cacheAnswer(state, call, { route, input }, answer);
    if (canChangeAnswers(route, input)) forgetChangedAnswers();
    return answer;
  } catch (error) {
    if (call && error instanceof ServiceError) callLimits.noteFailed(call);
    if (error instanceof ServiceError && error.status === 429 && isSameAccount()) refusals.note(route, error);
    // If the answer was lost, the write might still have happened.
    if (canChangeAnswers(route, input) && mightHaveWritten(error)) forgetChangedAnswers();
    throw error;
  } finally {
    if (reading) readings.delete(reading);
  }
};

const findCachedAnswer = <N extends RouteName>(
  state: CacheState,
  route: N,
  input: ParsedInput<N>,
): CachedAnswer<N> | null => {
  const { kept, clock, isPageOpen } = state;
  const call = findLimitedCall(route, input);
  if (!call?.isDeclared) return null;
  for (const key of [call.key, call.wider]) {
    const found = kept.get(toCacheKey(state, { key }));
    const ageMs = clock.elapsedMs() - (found?.at ?? 0);
    if (found && !found.isStale && ageMs < getMaxAgeMs(route, call.floor, found.answer.answer, isPageOpen()))
      return { answer: found.answer, ageMs };
  }
  return null;
};

const findStaleAnswer = <N extends RouteName>(
  state: CacheState,
  route: N,
  input: ParsedInput<N>,
): CachedAnswer<N> | null => {
  const call = findLimitedCall(route, input);
  const found = call?.isDeclared && call.floor.staleWhenLimited ? state.kept.get(toCacheKey(state, call)) : undefined;
  const ageMs = state.clock.elapsedMs() - (found?.at ?? 0);
  return call && found && ageMs < call.floor.ms ? { answer: found.answer, ageMs } : null;
};

const findSharedReadKey = (state: CacheState, route: RouteName, input: object): string | null => {
  const call = findLimitedCall(route, input);
  return call && isAnswerCacheable(call) ? toCacheKey(state, call) : null;
};

/** Creates the cache of service answers. It observes only the requests that go through its `client`. */
export const createResponseCache = (context: ResponseCacheContext): ResponseCache => {
  const { clock, account, pacing } = context;
  const kept = createBoundedMap<string, CachedEntry>(maxKept, {
    of: ({ answer }) => answer.text?.length ?? 0,
    max: maxKeptChars,
  });
  const keptAnswer = (call: LimitedCall): unknown => kept.get(toCacheKey(context, call))?.answer.answer;
  const callLimits = createCallLimiter({ ...context, keptAnswer });
  const refusals = createActiveRefusalStore(clock, account, pacing);
  const shared = createSharedReader<ServiceAnswer<RouteName>>();
  const state: CacheState = { ...context, kept, readings: new Set(), shared, callLimits, refusals };
  const client: ServiceClient = { send: (route, input, options) => sendAndCache(state, route, input, options) };
  const { admit, admitApprovalRequest, noteFailedRequest } = callLimits;
  return {
    client,
    admit,
    admitApprovalRequest,
    noteFailedRequest,
    cachedAnswer: (route, input) => findCachedAnswer(state, route, input),
    staleAnswer: (route, input) => findStaleAnswer(state, route, input),
    invalidate: (listingId) => forgetAnswersAfterWrite(state, listingId),
    joinShared: (route, input, signal) => {
      const key = findSharedReadKey(state, route, input);
      return key === null ? null : shared.join(key, signal);
    },
    sendShared: (route, input, options) => {
      const key = findSharedReadKey(state, route, input);
      if (key === null) return null;
      return shared.read(key, (signal) => client.send(route, input, { ...options, signal }), options.signal);
    },
    polledAnswer: (route, input) => {
      const found = route === 'readListing' ? findCachedAnswer(state, route, input) : null;
      return found && isBeingGenerated(found.answer.answer) ? found : null;
    },
    activeRefusal: refusals.find,
  };
};

/** Wraps the client so that concurrent equal reads share one request. */
export const createReadSharingClient = (
  { sendShared }: Pick<ResponseCache, 'sendShared'>,
  client: ServiceClient,
): ServiceClient => ({
  send: (route, input, options = {}) => sendShared(route, input, options) ?? client.send(route, input, options),
});
