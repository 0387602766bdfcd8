import {
  requireRouteInput,
  findRouteByName,
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
type AllowanceReading = {
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
export type Coverage = 'covered' | 'unread' | 'used';

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
  readCoverage: () => Coverage;
};

type AllowanceState = {
  clock: Clock;
  account: () => string | null;
  reading: AllowanceReading | null;
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
export const usesListingAllowance = (route: RouteName, input: ParsedInput<RouteName>): boolean =>
  route === 'generateListing' && requireRouteInput('generateListing', input).body.intent !== 'adapt_marketplace';

const mayChangeAllowance = (route: RouteName): boolean =>
  ['extras', 'plan_charge'].includes(findRouteByName(route).cost ?? '');

const isAnswerLost = (error: unknown): boolean => error instanceof ServiceError && error.effect === 'unclear';

const countUncertainWritings = (state: AllowanceState): number => {
  const since = state.clock.elapsedMs() - lostMs;
  state.lost = state.lost.filter((at) => at > since);
  return state.left - state.answered + state.lost.length;
};

/** Reads the standing, and stores the answer unless it is stale. */
const sendStandingRead = async <N extends RouteName>(
  state: AllowanceState,
  sent: () => Promise<ServiceAnswer<N>>,
): Promise<ServiceAnswer<N>> => {
  const { changes } = state;
  state.turns += 1;
  const begun = {
    ...{ account: state.account(), turn: state.turns, atMs: state.clock.elapsedMs() },
    ...{ left: state.left, underWay: countUncertainWritings(state) },
  };
  const answered = await sent();
  const isOvertaken = changes !== state.changes || begun.account !== state.account();
  // Of two concurrent reads, the one that started later is newer.
  if (!isOvertaken && (state.reading === null || state.reading.turn < begun.turn))
    state.reading = { ...begun, standing: standingShape.parse(answered.answer) };
  return answered;
};

const sendAllowanceChange = async <T>(state: AllowanceState, sent: () => Promise<T>): Promise<T> => {
  const countChangeStep = (by: 1 | -1): void => {
    state.changes += 1;
    state.changing += by;
    state.reading = null;
  };
  countChangeStep(1);
  return sent().finally(() => countChangeStep(-1));
};

/** Counts a generation once, from when it is sent until its result is known. */
const sendCountedWriting = async <T>(
  state: AllowanceState,
  send: (options: SendOptions) => Promise<T>,
  options: SendOptions = {},
): Promise<T> => {
  let leftAtMs: number | null = null;
  const leaving = (): void => {
    options.beforeSend?.();
    if (leftAtMs !== null) return;
    leftAtMs = state.clock.elapsedMs();
    state.left += 1;
  };
  try {
    return await send({ ...options, beforeSend: leaving });
  } catch (error) {
    if (leftAtMs !== null && isAnswerLost(error)) state.lost.push(leftAtMs);
    throw error;
  } finally {
    if (leftAtMs !== null) state.answered += 1;
  }
};

const findRecentReading = ({ reading, clock, account }: AllowanceState): AllowanceReading | null => {
  if (reading === null || reading.account !== account()) return null;
  return clock.elapsedMs() - reading.atMs < recentMs ? reading : null;
};

const computeAllowanceSurplus = (
  state: AllowanceState,
  { standing: { allowance }, left, underWay: before }: AllowanceReading,
): number => allowance.remaining + allowance.creditBalance - before - (state.left - left);

const computeAllowanceCoverage = (state: AllowanceState): Coverage => {
  if (state.changing > 0) return 'used';
  const reading = findRecentReading(state);
  if (reading === null) return 'unread';
  // Without an extras approval nothing can be charged; with one, every generation needs a new read.
  if (!reading.standing.allowance.extras?.approval) return 'covered';
  if (state.left > reading.left) return 'unread';
  return computeAllowanceSurplus(state, reading) > 0 ? 'covered' : 'used';
};

/** Creates the allowance tracker of the connected account, which observes the requests of the client. */
export const createAllowanceTracker = (
  service: ServiceClient,
  clock: Clock,
  account: () => string | null,
): Allowance => {
  const state: AllowanceState = {
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
    const sendThroughService = () => service.send(route, input, options);
    if (route === 'readStanding') return sendStandingRead(state, sendThroughService);
    if (mayChangeAllowance(route)) return sendAllowanceChange(state, sendThroughService);
    return usesListingAllowance(route, input)
      ? sendCountedWriting(state, (all) => service.send(route, input, all), options)
      : sendThroughService();
  };
  return {
    client: { send },
    recent: () => findRecentReading(state)?.standing ?? null,
    surplus: () => {
      const reading = findRecentReading(state);
      return reading === null ? 0 : computeAllowanceSurplus(state, reading);
    },
    readCoverage: () => computeAllowanceCoverage(state),
  };
};
