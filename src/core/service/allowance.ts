import {
  parseTrustedInput,
  getRouteByName,
  limits,
  standing as standingShape,
  type ParsedInput,
  type RouteName,
  type Standing,
} from '../../contract/index.ts';
import type { Clock } from '../base/ports.ts';
import type { SendOptions, ServiceAnswer, ServiceClient } from './serviceClient.ts';
import { ServiceError } from './serviceError.ts';

const recentMs = 60_000;
/** The service might still process a generation for this long after its answer was lost. */
const lostMs = 10 * 60_000;

type AllowanceReading = {
  standing: Standing;
  account: string | null;
  turn: number;
  /** When the read began, in ms on the monotonic clock. */
  atMs: number;
  /**
   * The number of generations that were sent before the read began. `underWay` is the number of those that the standing
   * might not count yet.
   */
  left: number;
  underWay: number;
};

/**
 * Whether the allowance covers one more generation without extras. `unread`: unknown until the standing is read again.
 */
export type AllowanceCoverage = 'covered' | 'unread' | 'used';

/**
 * When plan and credits are used up, the service charges a generation to any extras approval of this key, even if the
 * request names none. So a generation without extras is sent only while plan or credits cover it.
 */
export type Allowance = {
  client: ServiceClient;
  /**
   * Returns the standing if it was read less than a minute ago and only generations can have changed it since; otherwise
   * null.
   */
  recent: () => Standing | null;
  /** Returns how many more listings the plan and the credits certainly cover. */
  surplus: () => number;
  readCoverage: () => AllowanceCoverage;
};

type AllowanceState = {
  clock: Clock;
  account: () => string | null;
  reading: AllowanceReading | null;
  turns: number;
  /**
   * The number of generations sent so far. `answered` is the number of those that have ended, with or without an
   * answer.
   */
  left: number;
  answered: number;
  /** The times at which generations were sent whose answer was lost, in ms on the monotonic clock. */
  lost: number[];
  /**
   * Counts each start and each end of a request that can change the allowance. `changing` is the number of those in
   * flight.
   */
  changes: number;
  changing: number;
};

/** Returns whether a request uses up a listing of the allowance. An adaptation does not. */
export const usesListingAllowance = (route: RouteName, input: ParsedInput<RouteName>): boolean =>
  route === 'generateListing' && parseTrustedInput('generateListing', input).body.intent !== 'adapt_marketplace';

const canChangeAllowance = (route: RouteName): boolean =>
  ['extras', 'plan_charge'].includes(getRouteByName(route).cost ?? '');

const isAnswerLost = (error: unknown): boolean => error instanceof ServiceError && error.effect === 'unclear';

const countUncertainGenerations = (state: AllowanceState): number => {
  const since = state.clock.elapsedMs() - lostMs;
  state.lost = state.lost.filter((at) => at > since);
  return state.left - state.answered + state.lost.length;
};

const readAndStoreStanding = async <N extends RouteName>(
  state: AllowanceState,
  sent: () => Promise<ServiceAnswer<N>>,
): Promise<ServiceAnswer<N>> => {
  const { changes } = state;
  state.turns += 1;
  const begun = {
    ...{ account: state.account(), turn: state.turns, atMs: state.clock.elapsedMs() },
    ...{ left: state.left, underWay: countUncertainGenerations(state) },
  };
  const answered = await sent();
  const isOvertaken = changes !== state.changes || begun.account !== state.account();
  // If two reads overlap, the one that started later has the newer standing, so the other does not replace it.
  if (!isOvertaken && (state.reading === null || state.reading.turn < begun.turn))
    state.reading = { ...begun, standing: standingShape.parse(answered.answer) };
  return answered;
};

const trackAllowanceChange = async <T>(state: AllowanceState, sent: () => Promise<T>): Promise<T> => {
  const countChangeStep = (by: 1 | -1): void => {
    state.changes += 1;
    state.changing += by;
    state.reading = null;
  };
  countChangeStep(1);
  return sent().finally(() => countChangeStep(-1));
};

/** A request that is retried calls `beforeSend` twice but counts as one generation. */
const sendCountedGeneration = async <T>(
  state: AllowanceState,
  send: (options: SendOptions) => Promise<T>,
  options: SendOptions = {},
): Promise<T> => {
  let leftAtMs: number | null = null;
  const beforeSend = (): void => {
    options.beforeSend?.();
    if (leftAtMs !== null) return;
    leftAtMs = state.clock.elapsedMs();
    state.left += 1;
  };
  try {
    return await send({ ...options, beforeSend });
  } catch (error) {
    if (leftAtMs !== null && isAnswerLost(error)) state.lost.push(leftAtMs);
    throw error;
  } finally {
    if (leftAtMs !== null) state.answered += 1;
  }
};

const getRecentReading = ({ reading, clock, account }: AllowanceState): AllowanceReading | null => {
  if (reading === null || reading.account !== account()) return null;
  return clock.elapsedMs() - reading.atMs < recentMs ? reading : null;
};

const computeAllowanceSurplus = (
  state: AllowanceState,
  { standing: { allowance }, left, underWay: before }: AllowanceReading,
): number => allowance.remaining + allowance.creditBalance - before - (state.left - left);

const computeAllowanceCoverage = (state: AllowanceState): AllowanceCoverage => {
  if (state.changing > 0) return 'used';
  const reading = getRecentReading(state);
  if (reading === null) return 'unread';
  // If there is no extras approval, the service cannot charge extras.
  if (!reading.standing.allowance.extras?.approval) return 'covered';
  if (state.left > reading.left) return 'unread';
  return computeAllowanceSurplus(state, reading) > 0 ? 'covered' : 'used';
};

/** Creates the allowance tracker. It counts only the requests that go through its `client`. */
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
    if (route === 'readStanding') return readAndStoreStanding(state, sendThroughService);
    if (canChangeAllowance(route)) return trackAllowanceChange(state, sendThroughService);
    return usesListingAllowance(route, input)
      ? sendCountedGeneration(state, (all) => service.send(route, input, all), options)
      : sendThroughService();
  };
  return {
    client: { send },
    recent: () => getRecentReading(state)?.standing ?? null,
    surplus: () => {
      const reading = getRecentReading(state);
      return reading === null ? 0 : computeAllowanceSurplus(state, reading);
    },
    readCoverage: () => computeAllowanceCoverage(state),
  };
};

type ReadStanding = (signal: AbortSignal) => Promise<Standing>;

/**
 * Creates the function that returns the standing before a generation. If there is no extras approval and more listings
 * are left than other clients can use up at once, it returns the cached standing; otherwise it reads the standing.
 */
export const createGenerationStandingReader =
  ({ recent, surplus }: Pick<Allowance, 'recent' | 'surplus'>, read: ReadStanding): ReadStanding =>
  async (signal) => {
    const latest = recent();
    const isPlenty = !latest?.allowance.extras?.approval && surplus() > limits.concurrentGenerations;
    return latest !== null && isPlenty ? latest : read(signal);
  };
