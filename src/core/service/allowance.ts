import {
  inputOf,
  routeOf,
  standing as standingShape,
  type ParsedInput,
  type RouteName,
  type Standing,
} from '../../contract/index.ts';
import type { Clock } from '../base/ports.ts';
import type { SendOptions, ServiceAnswer, ServiceClient } from './serviceClient.ts';
import { ServiceError } from './serviceError.ts';

/** The age up to which assistants get a cached standing. */
const recentMs = 60_000;
/** How long a generation without an answer may still be processed. */
const lostMs = 10 * 60_000;

/** The last read of the standing, and the generations in flight at that time. */
type Reading = {
  standing: Standing;
  account: string | null;
  /** Its sequence number by start. */
  turn: number;
  /** By the elapsed time. */
  atMs: number;
  /** How many generations were sent before it, and how many of those were possibly not counted yet. */
  left: number;
  underWay: number;
};

/**
 * Whether the last read covers one more generation without extras: `unread` if the standing must be read again,
 * `used` if as many are in flight as are left or an extras approval is in flight.
 */
export type Cover = 'covered' | 'unread' | 'used';

/**
 * Tracks the allowance locally. The service charges a listing beyond plan and credits to any extras approval of this
 * key, even if the request names none. A generation without extras is therefore sent only while plan or credits
 * surely cover it.
 */
export type Allowance = {
  /** The client, observed by this tracker. */
  client: ServiceClient;
  /**
   * Returns the standing if it was read within the last minute for the connected account and followed by nothing but
   * generations.
   */
  recent: () => Standing | null;
  /** Returns how many listings were left by that read, minus those it may not have counted. */
  surplus: () => number;
  cover: () => Cover;
};

type State = {
  clock: Clock;
  account: () => string | null;
  reading: Reading | null;
  /** How many reads have started. */
  turns: number;
  /** Generations sent since the start, and how many of them were answered. */
  left: number;
  answered: number;
  /** When generations without an answer were sent, by the elapsed time. */
  lost: number[];
  /**
   * Requests that may change what a generation is charged to: a counter of starts and ends, and the number in
   * flight.
   */
  changes: number;
  changing: number;
};

/** Returns whether a request uses a listing of the allowance. An adaptation does not. */
export const usesListing = (route: RouteName, input: ParsedInput<RouteName>): boolean =>
  route === 'generateListing' && inputOf('generateListing', input).body.intent !== 'adapt_marketplace';

const changesAllowance = (route: RouteName): boolean => ['extras', 'plan_charge'].includes(routeOf(route).cost ?? '');

const isLost = (error: unknown): boolean => error instanceof ServiceError && error.effect === 'unclear';

const underWay = (state: State): number => {
  const since = state.clock.elapsedMs() - lostMs;
  state.lost = state.lost.filter((at) => at > since);
  return state.left - state.answered + state.lost.length;
};

/** Reads the standing, and stores the answer unless it is stale. */
const read = async <N extends RouteName>(
  state: State,
  sent: () => Promise<ServiceAnswer<N>>,
): Promise<ServiceAnswer<N>> => {
  const { changes } = state;
  state.turns += 1;
  const begun = {
    ...{ account: state.account(), turn: state.turns, atMs: state.clock.elapsedMs() },
    ...{ left: state.left, underWay: underWay(state) },
  };
  const answered = await sent();
  const isOvertaken = changes !== state.changes || begun.account !== state.account();
  // Of two concurrent reads, the one that started later is newer.
  if (!isOvertaken && (state.reading === null || state.reading.turn < begun.turn))
    state.reading = { ...begun, standing: standingShape.parse(answered.answer) };
  return answered;
};

const change = async <T>(state: State, sent: () => Promise<T>): Promise<T> => {
  const note = (by: 1 | -1): void => {
    state.changes += 1;
    state.changing += by;
    state.reading = null;
  };
  note(1);
  return sent().finally(() => note(-1));
};

/** Counts a generation once, from when it is sent until its result is known. */
const write = async <T>(
  state: State,
  send: (options: SendOptions) => Promise<T>,
  options: SendOptions = {},
): Promise<T> => {
  let leftAtMs: number | null = null;
  const leaving = (): void => {
    options.leaving?.();
    if (leftAtMs !== null) return;
    leftAtMs = state.clock.elapsedMs();
    state.left += 1;
  };
  try {
    return await send({ ...options, leaving });
  } catch (error) {
    if (leftAtMs !== null && isLost(error)) state.lost.push(leftAtMs);
    throw error;
  } finally {
    if (leftAtMs !== null) state.answered += 1;
  }
};

const recentReading = ({ reading, clock, account }: State): Reading | null => {
  if (reading === null || reading.account !== account()) return null;
  return clock.elapsedMs() - reading.atMs < recentMs ? reading : null;
};

const surplusOf = (state: State, { standing: { allowance }, left, underWay: before }: Reading): number =>
  allowance.remaining + allowance.creditBalance - before - (state.left - left);

const coverOf = (state: State): Cover => {
  if (state.changing > 0) return 'used';
  const reading = recentReading(state);
  if (reading === null) return 'unread';
  // Without an extras approval nothing can be charged; with one, every generation needs a new read.
  if (!reading.standing.allowance.extras?.approval) return 'covered';
  if (state.left > reading.left) return 'unread';
  return surplusOf(state, reading) > 0 ? 'covered' : 'used';
};

/** Creates the allowance tracker of the connected account, which observes the requests of the client. */
export const watchAllowance = (service: ServiceClient, clock: Clock, account: () => string | null): Allowance => {
  const state: State = {
    clock,
    account,
    reading: null,
    turns: 0,
    left: 0,
    answered: 0,
    lost: [],
    changes: 0,
    changing: 0,
  };
  const send: ServiceClient['send'] = (route, input, options) => {
    const sent = () => service.send(route, input, options);
    if (route === 'readStanding') return read(state, sent);
    if (changesAllowance(route)) return change(state, sent);
    return usesListing(route, input) ? write(state, (all) => service.send(route, input, all), options) : sent();
  };
  return {
    client: { send },
    recent: () => recentReading(state)?.standing ?? null,
    surplus: () => {
      const reading = recentReading(state);
      return reading === null ? 0 : surplusOf(state, reading);
    },
    cover: () => coverOf(state),
  };
};
