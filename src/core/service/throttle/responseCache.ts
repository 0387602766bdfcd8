import { limits, routeOf, type ParsedInput, type RouteName } from '../../../contract/index.ts';
import { listingIdOf } from '../../base/listingIdOf.ts';
import { createBoundedMap } from '../../base/boundedMap.ts';
import type { Clock } from '../../base/ports.ts';
import { problem } from '../../base/problem.ts';
import { ServiceError } from '../serviceError.ts';
import type { SendOptions, ServiceAnswer, ServiceClient } from '../serviceClient.ts';
import type { Pacing } from '../pacing/pacing.ts';
import { isWriting, standsMs, writes, type Floor } from './floors.ts';
import { callOf, type Call } from './callKey.ts';
import { createSharedReads } from './sharedReads.ts';

type Kept = { route: RouteName; floor: Floor; listingId: string | null; at: number; answer: ServiceAnswer<RouteName> };
/** A read that is under way. */
type Reading = { listingId: string | null; floor: Floor; isStale: boolean };

const mostKept = 2_000;
/** An answer may be very long; of those that are read again, few are. */
const mostKeptChars = 16 * 2 ** 20;
const holdWithoutWordS = 60;
const minute = 60_000;
/** How many questions of one assistant may come to nothing within a minute; of others few can wait at a time. */
const vainQuestions = 12;

export type ResponseCache = ReturnType<typeof createResponseCache>;

/** An answer that still stands, and how old it is in ms. */
export type Standing<N extends RouteName> = { answer: ServiceAnswer<N>; ageMs: number };

/** Requests that share a budget of the service share its refusals. */
const budgetOf = (route: RouteName): string => routeOf(route).quota ?? `route ${route}`;

/** The agreement to a site's fees, which every quote tells. */
const agrees = (route: RouteName, input: object): boolean =>
  route === 'quoteFees' && (input as { body?: { action?: unknown } }).body?.action === 'confirm';

/** Whether a request may make other than it was what is read; asking the marketplace anew brings its sales with it. */
const changes = (route: RouteName, input: object): boolean =>
  writes(route) || route === 'hydrateListing' || agrees(route, input);

const mayHaveWritten = (error: unknown): boolean => !(error instanceof ServiceError) || error.effect === 'unclear';

/** Whether what was written about a listing, or about no one listing, may have changed what this tells. */
const isTouched = (one: { floor: Floor; listingId: string | null }, listingId: string | null): boolean =>
  !one.floor.throughWrites && (listingId === null || one.listingId === null || one.listingId === listingId);

/**
 * Remembers what the service answered, whoever asked: answers that may be given again for a while, when each call was
 * made, and refusals that ask to wait. `client` is the same client with this memory behind it.
 */
export const createResponseCache = (
  service: ServiceClient,
  clock: Clock,
  account: () => string | null,
  pacing: Pick<Pacing, 'toldMs' | 'newBudgetsAt'>,
  isPageOpen: () => boolean,
) => {
  const kept = createBoundedMap<string, Kept>(mostKept, {
    of: ({ answer }) => answer.text?.length ?? 0,
    most: mostKeptChars,
  });
  const asked = createBoundedMap<string, { at: number; listingId: string | null; floor: Floor }>(mostKept);
  const failed = createBoundedMap<string, number>(mostKept);
  const held = new Map<string, { since: number; until: number; error: ServiceError }>();
  const readings = new Set<Reading>();
  const shared = createSharedReads();
  const passed = new Map<string, number[]>();
  const keyOf = ({ key }: Call): string => `${account()} ${key}`;

  const spacingKey = (call: Call): string =>
    call.floor.of === 'account' ? `${account()} ${call.key.split(' ')[0]}` : keyOf(call);
  const noteAsked = (call: Call, input: object): void =>
    asked.set(spacingKey(call), { at: clock.now(), listingId: listingIdOf(input), floor: call.floor });
  const lastAsked = (call: Call): number => {
    // What can be kept is not there because it failed, or because something was written since: only the first has to wait.
    const isKept = call.isDeclared && !call.floor.once && call.floor.of !== 'account';
    const at = (isKept ? failed.get(keyOf(call)) : asked.get(spacingKey(call))?.at) ?? -Infinity;
    // The clock was set back since.
    return at > clock.now() ? -Infinity : at;
  };

  const forget = (isGone: (one: { floor: Floor; listingId: string | null }) => boolean): void => {
    for (const [key, one] of [...kept.entries()]) if (isGone(one)) kept.delete(key);
    // What does something itself is spaced whatever was written.
    for (const [key, one] of [...asked.entries()]) if (!one.floor.once && isGone(one)) asked.delete(key);
  };

  /** A listing that got on by itself is in other lists than before. */
  const noteStep = (call: Call, listingId: string | null, answer: unknown): void => {
    const before = kept.get(keyOf(call))?.answer.answer;
    if (before !== undefined && isWriting(before) && !isWriting(answer))
      forget((one) => one.listingId !== listingId && isTouched(one, listingId));
  };

  const keep = (call: Call, route: RouteName, input: object, answer: ServiceAnswer<RouteName>): void => {
    const listingId = listingIdOf(input);
    if (route === 'readListing') noteStep(call, listingId, answer.answer);
    kept.set(keyOf(call), { route, floor: call.floor, listingId, at: clock.now(), answer });
  };

  /** What was written may have changed what was read, and what is being read: about the same listing, or about anything. */
  const forgetAfter = (listingId: string | null): void => {
    forget((one) => isTouched(one, listingId));
    for (const reading of readings) if (isTouched(reading, listingId)) reading.isStale = true;
    shared.part();
  };

  const hold = (route: RouteName, error: ServiceError): void => {
    const now = clock.now();
    const told = error.retryAfterS === undefined ? null : now + pacing.toldMs(error.retryAfterS);
    // The marketplace's own daily limit starts again at midnight, whatever the answer leaves out.
    const daily = told === null && routeOf(route).quota !== undefined ? pacing.newBudgetsAt() : null;
    held.set(`${account()} ${budgetOf(route)}`, {
      since: now,
      until: told ?? daily ?? now + pacing.toldMs(holdWithoutWordS),
      error,
    });
  };

  const client: ServiceClient = {
    send: async (route, input, options) => {
      const call = callOf(route, input);
      const owner = account();
      // What is on its way while another account is connected is nobody's here.
      const isOurs = (): boolean => account() === owner;
      const reading = call && { listingId: listingIdOf(input), floor: call.floor, isStale: false };
      if (call) noteAsked(call, input);
      if (reading) readings.add(reading);
      try {
        const answer = await service.send(route, input, options);
        if (call?.isDeclared && !call.floor.once && !reading?.isStale && isOurs()) keep(call, route, input, answer);
        if (changes(route, input)) forgetAfter(agrees(route, input) ? null : listingIdOf(input));
        return answer;
      } catch (error) {
        if (call && error instanceof ServiceError) failed.set(keyOf(call), clock.now());
        if (error instanceof ServiceError && error.status === 429 && isOurs()) hold(route, error);
        // Also when the answer was lost: then nobody knows what was written. What was refused wrote nothing.
        if (changes(route, input) && mayHaveWritten(error))
          forgetAfter(agrees(route, input) ? null : listingIdOf(input));
        throw error;
      } finally {
        if (reading) readings.delete(reading);
      }
    },
  };

  const standing = <N extends RouteName>(route: N, input: ParsedInput<N>): Standing<N> | null => {
    const call = callOf(route, input);
    if (!call?.isDeclared) return null;
    for (const key of [call.key, call.wider]) {
      const found = kept.get(`${account()} ${key}`);
      const ageMs = clock.now() - (found?.at ?? Infinity);
      if (found && ageMs >= 0 && ageMs < standsMs(route, call.floor, found.answer.answer, isPageOpen()))
        return { answer: found.answer, ageMs };
    }
    return null;
  };

  /** Throws until `at`. */
  const refuseUntil = (at: number): void => {
    const waitMs = at - clock.now();
    if (waitMs > 0) throw problem('SLOW_DOWN', { retryAfterS: Math.ceil(waitMs / 1_000) });
  };

  const lastMinute = (name: string): number[] => {
    const now = clock.now();
    return (passed.get(name) ?? []).filter((at) => at <= now && now - at < minute);
  };
  const count = (name: string): void => void passed.set(name, [...lastMinute(name), clock.now()]);
  /** Throws SLOW_DOWN when so many were counted within a minute. */
  const checkCount = (name: string, most: number): void => {
    const recent = lastMinute(name);
    if (recent.length >= most) refuseUntil((recent[0] ?? clock.now()) + minute);
  };

  /** How long after the last call of its kind one may be made: one that can be answered from memory failed, and is tried again sooner. */
  const spacedMs = (route: RouteName, call: Call): number =>
    call.isDeclared && !call.floor.once && call.floor.of !== 'account'
      ? limits.pollMs.least
      : standsMs(route, call.floor, kept.get(keyOf(call))?.answer.answer, isPageOpen());

  /** The key by which calls are one; null for those that are each their own. */
  const sharedKey = (route: RouteName, input: object): string | null => {
    const call = callOf(route, input);
    return call?.isDeclared && !call.floor.once ? keyOf(call) : null;
  };

  return {
    client,
    standing,
    /** Something of a listing was changed past the client, as when a photo was put. */
    touched: (listingId: string): void => forgetAfter(listingId),
    /** The answer of the same call of somebody else's that is under way; null when there is none. */
    joined: <N extends RouteName>(
      route: N,
      input: ParsedInput<N>,
      signal: AbortSignal | undefined,
    ): Promise<ServiceAnswer<N>> | null => {
      const key = sharedKey(route, input);
      return key === null ? null : shared.join(key, signal);
    },
    /** Reads once for all who want the same at the same time; null for a call that is not shared. */
    together: <N extends RouteName>(
      route: N,
      input: ParsedInput<N>,
      options: SendOptions,
    ): Promise<ServiceAnswer<N>> | null => {
      const key = sharedKey(route, input);
      if (key === null) return null;
      return shared.read(key, (signal) => client.send(route, input, { ...options, signal }), options.signal);
    },
    /** The answer that a poll of anybody gets: that of a listing in writing, while the next reading is not due. */
    polled: <N extends RouteName>(route: N, input: ParsedInput<N>): Standing<N> | null => {
      const found = route === 'readListing' ? standing(route, input) : null;
      return found && isWriting(found.answer.answer) ? found : null;
    },
    /**
     * Lets a call of an assistant's reach the service, or throws SLOW_DOWN: when its like was made a moment ago, or when
     * its route was called as often as it may be within a minute.
     */
    admit: (route: RouteName, input: object): void => {
      const call = callOf(route, input);
      if (!call) return;
      const { floor } = call;
      refuseUntil(lastAsked(call) + spacedMs(route, call));
      checkCount(`${account()} ${route}`, floor.perMinute);
      count(`${account()} ${route}`);
      noteAsked(call, input);
    },
    /** Lets an assistant ask the person, for which the service is read. Throws SLOW_DOWN after many that came to nothing. */
    admitQuestion: (assistantId: string): void => checkCount(`vain ${assistantId}`, vainQuestions),
    /** Notes that a question of an assistant's came to nothing: it was refused, or taken back. */
    askedInVain: (assistantId: string): void => count(`vain ${assistantId}`),
    /** The refusal that still holds for this request, with the seconds that are left; null when there is none. */
    held: (route: RouteName): ServiceError | null => {
      const found = held.get(`${account()} ${budgetOf(route)}`);
      // A clock that was set back would make it last for as long as that.
      if (!found || found.until <= clock.now() || clock.now() < found.since) return null;
      const retryAfterS = Math.ceil((found.until - clock.now()) / 1_000);
      const { code, message: sentence, says, body, status } = found.error;
      return new ServiceError({
        code,
        sentence,
        says,
        body,
        status,
        effect: 'refused',
        retryAfterS,
        headers: { 'retry-after': String(retryAfterS) },
      });
    },
  };
};

/** The client, which makes one request of reads that are wanted at the same time. */
export const shareReads = ({ together }: Pick<ResponseCache, 'together'>, client: ServiceClient): ServiceClient => ({
  send: (route, input, options = {}) => together(route, input, options) ?? client.send(route, input, options),
});
