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

/** As long as an assistant gets the answer that was kept. */
const recentMs = 60_000;
/** How long a writing of which nothing came back may still arrive. */
const lostMs = 10 * 60_000;

/** The last reading of the allowance, and what was under way when it was made. */
type Reading = {
  standing: Standing;
  account: string | null;
  /** Its place among the readings, by when they began. */
  turn: number;
  /** By the elapsed time. */
  atMs: number;
  /** How many writings had left by then, and how many of those nobody knew yet whether they were counted. */
  left: number;
  underWay: number;
};

/**
 * Whether the last reading covers one more writing that names no extras: `unread` where it is to be read anew, `used` where as
 * many are under way as are left, or where extras are just being set aside.
 */
export type Cover = 'covered' | 'unread' | 'used';

/**
 * What is known here of the allowance. The service takes a listing beyond plan and credits from any extras that this key has set
 * aside, named or not, so a writing that nobody set extras aside for leaves only while plan or credits surely pay it.
 */
export type Allowance = {
  /** The same client, listened to. */
  client: ServiceClient;
  /** The standing, where it was read within the last minute for who is connected now and nothing but writings came after it. */
  recent: () => Standing | null;
  /** How many listings are left by that reading, without those that it may not have counted. */
  surplus: () => number;
  cover: () => Cover;
};

type State = {
  clock: Clock;
  account: () => string | null;
  reading: Reading | null;
  /** How many readings have begun. */
  turns: number;
  /** Writings that have left since the start, and those of them whose answers are here. */
  left: number;
  answered: number;
  /** When those left of which nothing came back, by the elapsed time. */
  lost: number[];
  /** Requests that may change what a writing is charged to: how many were made, and how many are under way. */
  changes: number;
  changing: number;
};

/** Whether a request uses a listing of the allowance: an adaptation uses none. */
export const usesListing = (route: RouteName, input: ParsedInput<RouteName>): boolean =>
  route === 'generateListing' && inputOf('generateListing', input).body.intent !== 'adapt_marketplace';

const changesAllowance = (route: RouteName): boolean => ['extras', 'plan_charge'].includes(routeOf(route).cost ?? '');

const isLost = (error: unknown): boolean => error instanceof ServiceError && error.effect === 'unclear';

const underWay = (state: State): number => {
  const since = state.clock.elapsedMs() - lostMs;
  state.lost = state.lost.filter((at) => at > since);
  return state.left - state.answered + state.lost.length;
};

/** Sends a reading, and keeps its answer unless it was overtaken. */
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
  // Of two that were under way together, the one that began later tells more.
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

/** Counts a writing from when it leaves, once, until it is known what became of it. */
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
  // Without extras none can be charged; where there are some, each writing is read for.
  if (!reading.standing.allowance.extras?.approval) return 'covered';
  if (state.left > reading.left) return 'unread';
  return surplusOf(state, reading) > 0 ? 'covered' : 'used';
};

/** What is known of the allowance of who is connected, by what passes through the client. */
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
