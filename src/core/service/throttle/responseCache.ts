import { raceWithAbort } from '../../base/raceWithAbort.ts';
import type { ParsedInput, RouteName } from '../../../contract/index.ts';
import { createBoundedMap, type BoundedMap } from '../../base/boundedMap.ts';
import { readListingId, readRequestBody, toRecordOrEmpty } from '../../base/json.ts';
import type { Clock } from '../../base/ports.ts';
import type { Pacing } from '../pacing/pacing.ts';
import type { SendOptions, ServiceAnswer, ServiceClient } from '../serviceClient.ts';
import { ServiceError } from '../serviceError.ts';
import {
  findLimitedCall,
  type LimitedCall,
  createCallLimits,
  isAnswerKeepable,
  type CallLimits,
  createActiveRefusals,
  type ActiveRefusals,
} from './callLimits.ts';
import { isBeingWritten, findMaxAgeMs, isWriteRoute, type Floor } from './floors.ts';

type ReadInFlight<T> = { answer: Promise<T>; waiting: number; over: AbortController };

/** Shared reads in flight by key, with the number of callers that wait for each. */
type SharedReads<T> = {
  /** Sends the request of that key, or joins the one in flight. Rejects with the signal's reason. */
  read: (key: string, send: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;
  /** Joins the request of that key in flight, or null. */
  join: (key: string, signal: AbortSignal | undefined) => Promise<T> | null;
  /** Makes later callers send a new request: reads in flight may be older than a write. */
  detachInFlight: () => void;
};

/**
 * Creates shared reads: concurrent callers of the same key share one request. It is aborted when its last caller has
 * aborted.
 */
const createSharedReads = <T>(): SharedReads<T> => {
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

/** `at` is by the elapsed time. */
type CachedEntry = {
  route: RouteName;
  floor: Floor;
  listingId: string | null;
  at: number;
  answer: ServiceAnswer<RouteName>;
};
/** A read in flight. */
type TrackedRead = { listingId: string | null; floor: Floor; isStale: boolean };

const maxKept = 2_000;
/** The size limit of all cached answers in characters. */
const maxKeptChars = 16 * 2 ** 20;

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
export type ResponseCache = Pick<CallLimits, 'admit' | 'admitApprovalRequest' | 'noteFailedRequest'> & {
  /** The client, observed by this cache. */
  client: ServiceClient;
  /** Returns a valid cached answer for an assistant's call; null if the service must be asked. */
  cachedAnswer: <N extends RouteName>(route: N, input: ParsedInput<N>) => CachedAnswer<N> | null;
  /** Invalidates a listing that was changed without the client, as by a photo upload. */
  invalidate: (listingId: string) => void;
  /** Joins an equal call in flight, or null. */
  joinShared: <N extends RouteName>(
    route: N,
    input: ParsedInput<N>,
    signal: AbortSignal | undefined,
  ) => Promise<ServiceAnswer<N>> | null;
  /** Sends a read that concurrent callers share; null if the call cannot be shared. */
  sendShared: <N extends RouteName>(
    route: N,
    input: ParsedInput<N>,
    options: SendOptions,
  ) => Promise<ServiceAnswer<N>> | null;
  /** Returns the cached answer for a poll by any asker, while a listing in generation is not due for the next read. */
  polledAnswer: <N extends RouteName>(route: N, input: ParsedInput<N>) => CachedAnswer<N> | null;
  /** Returns the active refusal for this route, with the remaining seconds, or null. */
  activeRefusal: (route: RouteName) => ServiceError | null;
};

type CacheState = ResponseCacheContext & {
  kept: BoundedMap<string, CachedEntry>;
  readings: Set<TrackedRead>;
  shared: SharedReads<ServiceAnswer<RouteName>>;
  callLimits: CallLimits;
  refusals: ActiveRefusals;
};

const toCacheKey = ({ account }: ResponseCacheContext, { key }: Pick<LimitedCall, 'key'>): string =>
  `${account()} ${key}`;

/** Returns whether a quote request confirms the site's fee notice, which changes every later quote. */
const agreesToFees = (route: RouteName, input: object): boolean =>
  route === 'quoteFees' && toRecordOrEmpty(readRequestBody(input))['action'] === 'confirm';

/** Returns whether a request may change cached answers. Hydrating a listing imports its sales. */
const mayChangeAnswers = (route: RouteName, input: object): boolean =>
  isWriteRoute(route) || route === 'hydrateListing' || agreesToFees(route, input);

const mayHaveWritten = (error: unknown): boolean => !(error instanceof ServiceError) || error.effect === 'unclear';

/** Returns whether a write to a listing, or to no single listing (null), may have changed this answer. */
const mayBeAffected = (one: { floor: Floor; listingId: string | null }, listingId: string | null): boolean =>
  !one.floor.throughWrites && (listingId === null || one.listingId === null || one.listingId === listingId);

/** Removes cached answers and the times of their calls. */
const forgetMatchingAnswers = (
  { kept, callLimits }: CacheState,
  isGone: (one: { floor: Floor; listingId: string | null }) => boolean,
): void => {
  for (const [key, one] of [...kept.entries()]) if (isGone(one)) kept.delete(key);
  callLimits.forget(isGone);
};

/** Invalidates cached answers and reads in flight after a write. */
const forgetAfterWrite = (state: CacheState, listingId: string | null): void => {
  forgetMatchingAnswers(state, (one) => mayBeAffected(one, listingId));
  for (const reading of state.readings) if (mayBeAffected(reading, listingId)) reading.isStale = true;
  state.shared.detachInFlight();
};

/** A listing that finished generating appears in other lists than before. */
const forgetAfterProgress = (state: CacheState, call: LimitedCall, listingId: string | null, answer: unknown): void => {
  const before = state.kept.get(toCacheKey(state, call))?.answer.answer;
  if (before !== undefined && isBeingWritten(before) && !isBeingWritten(answer))
    forgetMatchingAnswers(state, (one) => one.listingId !== listingId && mayBeAffected(one, listingId));
};

const keepCachedAnswer = (
  state: CacheState,
  call: LimitedCall,
  { route, input }: { route: RouteName; input: object },
  answer: ServiceAnswer<RouteName>,
): void => {
  const listingId = readListingId(input);
  if (route === 'readListing') forgetAfterProgress(state, call, listingId, answer.answer);
  state.kept.set(toCacheKey(state, call), { route, floor: call.floor, listingId, at: state.clock.elapsedMs(), answer });
};

/** Sends a request, caches its answer, and notes refusals and changes. */
const sendAndRemember = async <N extends RouteName>(
  state: CacheState,
  route: N,
  input: ParsedInput<N>,
  options: SendOptions | undefined,
): Promise<ServiceAnswer<N>> => {
  const { account, callLimits, readings, refusals } = state;
  const call = findLimitedCall(route, input);
  const owner = account();
  // Answers for another account must not be stored for this one.
  const isSameAccount = (): boolean => account() === owner;
  const reading = call && { listingId: readListingId(input), floor: call.floor, isStale: false };
  const forgetChangedAnswers = (): void =>
    forgetAfterWrite(state, agreesToFees(route, input) ? null : readListingId(input));
  if (call) callLimits.noteSent(call, input);
  if (reading) readings.add(reading);
  try {
    const answer = await state.service.send(route, input, options);
    if (call && isAnswerKeepable(call) && !reading?.isStale && isSameAccount())
      keepCachedAnswer(state, call, { route, input }, answer);
    if (mayChangeAnswers(route, input)) forgetChangedAnswers();
    return answer;
  } catch (error) {
    if (call && error instanceof ServiceError) callLimits.noteFailed(call);
    if (error instanceof ServiceError && error.status === 429 && isSameAccount()) refusals.note(route, error);
    // A lost answer may also mean a write; a refusal does not.
    if (mayChangeAnswers(route, input) && mayHaveWritten(error)) forgetChangedAnswers();
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
    if (found && ageMs < findMaxAgeMs(route, call.floor, found.answer.answer, isPageOpen()))
      return { answer: found.answer, ageMs };
  }
  return null;
};

/** Returns the key under which a call is shared; null if it is never shared. */
const findSharedKey = (state: CacheState, route: RouteName, input: object): string | null => {
  const call = findLimitedCall(route, input);
  return call && isAnswerKeepable(call) ? toCacheKey(state, call) : null;
};

/**
 * Creates the cache of service answers for all askers: reusable answers, call times and active refusals. `client` is
 * the client with this cache behind it.
 */
export const createResponseCache = (context: ResponseCacheContext): ResponseCache => {
  const { clock, account, pacing } = context;
  const kept = createBoundedMap<string, CachedEntry>(maxKept, {
    of: ({ answer }) => answer.text?.length ?? 0,
    max: maxKeptChars,
  });
  const keptAnswer = (call: LimitedCall): unknown => kept.get(toCacheKey(context, call))?.answer.answer;
  const callLimits = createCallLimits({ ...context, keptAnswer });
  const refusals = createActiveRefusals(clock, account, pacing);
  const shared = createSharedReads<ServiceAnswer<RouteName>>();
  const state: CacheState = { ...context, kept, readings: new Set(), shared, callLimits, refusals };
  const client: ServiceClient = { send: (route, input, options) => sendAndRemember(state, route, input, options) };
  const { admit, admitApprovalRequest, noteFailedRequest } = callLimits;
  return {
    client,
    admit,
    admitApprovalRequest,
    noteFailedRequest,
    cachedAnswer: (route, input) => findCachedAnswer(state, route, input),
    invalidate: (listingId) => forgetAfterWrite(state, listingId),
    joinShared: (route, input, signal) => {
      const key = findSharedKey(state, route, input);
      return key === null ? null : shared.join(key, signal);
    },
    sendShared: (route, input, options) => {
      const key = findSharedKey(state, route, input);
      if (key === null) return null;
      return shared.read(key, (signal) => client.send(route, input, { ...options, signal }), options.signal);
    },
    polledAnswer: (route, input) => {
      const found = route === 'readListing' ? findCachedAnswer(state, route, input) : null;
      return found && isBeingWritten(found.answer.answer) ? found : null;
    },
    activeRefusal: refusals.find,
  };
};

/** Wraps the client so that concurrent equal reads share one request. */
export const shareClientReads = (
  { sendShared }: Pick<ResponseCache, 'sendShared'>,
  client: ServiceClient,
): ServiceClient => ({
  send: (route, input, options = {}) => sendShared(route, input, options) ?? client.send(route, input, options),
});
