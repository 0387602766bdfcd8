import type { ParsedInput, RouteName } from '../../contract/index.ts';
import { readsWithBody, writes } from '../service/throttle/floors.ts';
import { listingIdOf } from '../base/json.ts';
import { createBoundedMap } from '../base/boundedMap.ts';
import type { Clock } from '../base/ports.ts';
import { problemText } from '../base/problem.ts';
import { abortable } from '../base/abortable.ts';
import type { SendOptions, ServiceAnswer, ServiceClient } from '../service/serviceClient.ts';
import { ServiceError } from '../service/serviceError.ts';

/** How long others wait for a listing that is being decided before they are refused. */
const lockWaitMs = 5_000;

const mostRemembered = 2_000;
/** How long a decision waits for writes that are on their way; the service may be slow. */
const writersMs = 30_000;
/** How long a write whose answer was lost may still arrive: until then nobody may take its listing for what it seems. */
const lingersMs = 30_000;

/** The account itself, where something is decided that every publish depends on. */
const accountWide = '';

/** A listing, or the account, that is being decided; only its holder may write to it. */
export type Hold = {
  approvalId: string;
  listingId: string | null;
  release: () => void;
  /** It left and nobody knows yet what became of it: its listing stays locked, and acts on the account go on. */
  rest: () => void;
};

/**
 * The listings that are being decided. From the reading after a yes until it is settled nobody but the approved request
 * itself writes to its listing; an act on the whole account waits for them, and they for it.
 */
export type ListingLocks = {
  /** Takes a listing, or the account for null, once nobody else has it and writes that are on their way have ended. */
  acquire: (listingId: string | null, approvalId: string) => Promise<Hold>;
  /** Takes a listing again after a start, for an approval whose outcome is not known yet. */
  restore: (listingId: string, approvalId: string) => Hold;
  release: (listingId: string | null, approvalId: string) => void;
  /** Runs a write of anybody; it waits while the listing is being decided. Throws BEING_DECIDED. */
  write: <T>(listingId: string, work: () => Promise<T>) => Promise<T>;
  stop: () => void;
  /** How long ago a write to that listing last went through here, in ms; null for none since the start. */
  wroteAgoMs: (listingId: string) => number | null;
  holds: (hold: Hold) => boolean;
};

type LocksContext = {
  clock: Clock;
  /** Who has a listing; `rests` where it left and nobody knows what became of it. */
  holders: Map<string, { approvalId: string; rests: boolean }>;
  /** How many writes to a listing are on their way. */
  writers: Map<string, number>;
  /** Those who wait, woken at each change. */
  waiting: Set<() => void>;
  /** When a listing was written to last, by the elapsed time. */
  wroteAt: { get: (listingId: string) => number | undefined; set: (listingId: string, at: number) => void };
  ended: AbortController;
};

export const createListingLocks = (clock: Clock): ListingLocks => {
  const holders: LocksContext['holders'] = new Map();
  const wroteAt = createBoundedMap<string, number>(mostRemembered);
  const ended = new AbortController();
  const context: LocksContext = { clock, holders, writers: new Map(), waiting: new Set(), wroteAt, ended };
  return {
    acquire: (listingId, approvalId) => acquire(context, listingId, approvalId),
    restore: (listingId, approvalId) => {
      holders.set(listingId, { approvalId, rests: true });
      return holdOf(context, listingId, approvalId);
    },
    release: (listingId, approvalId) => release(context, listingId, approvalId),
    write: (listingId, work) => write(context, listingId, work),
    stop: () => ended.abort(),
    wroteAgoMs: (listingId) => {
      const at = wroteAt.get(listingId);
      return at === undefined ? null : clock.elapsedMs() - at;
    },
    holds: (hold) => holders.get(hold.listingId ?? accountWide)?.approvalId === hold.approvalId,
  };
};

const wake = ({ waiting }: LocksContext): void => {
  for (const look of [...waiting]) look();
};

/** Resolves when `free`; rejects with BEING_DECIDED after `ms`. */
const until = async ({ waiting, clock }: LocksContext, free: () => boolean, ms: number): Promise<void> => {
  if (free()) return;
  const over = new AbortController();
  const freed = Promise.withResolvers<void>();
  const look = (): void => {
    if (free()) freed.resolve();
  };
  waiting.add(look);
  try {
    await Promise.race([
      freed.promise,
      clock.sleep(ms, over.signal).then(() => {
        if (!free()) throw beingDecided();
      }),
    ]);
  } finally {
    waiting.delete(look);
    over.abort();
  }
};

const isFree = ({ holders }: LocksContext, key: string, approvalId: string): boolean => {
  const others = [...holders].filter(([, holder]) => holder.approvalId !== approvalId);
  if (key === accountWide) return others.every(([, { rests }]) => rests);
  return !others.some(([held]) => held === key || held === accountWide);
};

const release = (context: LocksContext, listingId: string | null, approvalId: string): void => {
  const { holders } = context;
  const key = listingId ?? accountWide;
  if (holders.get(key)?.approvalId !== approvalId) return;
  holders.delete(key);
  wake(context);
};

const holdOf = (context: LocksContext, listingId: string | null, approvalId: string): Hold => ({
  approvalId,
  listingId,
  release: () => release(context, listingId, approvalId),
  rest: () => {
    const { holders } = context;
    if (listingId === null) return release(context, listingId, approvalId);
    if (holders.get(listingId)?.approvalId === approvalId) holders.set(listingId, { approvalId, rests: true });
    wake(context);
  },
});

const acquire = async (context: LocksContext, listingId: string | null, approvalId: string): Promise<Hold> => {
  const { holders, writers } = context;
  const key = listingId ?? accountWide;
  const free = (): boolean => isFree(context, key, approvalId);
  // Taken in the very moment in which it is free: between a look and the taking, another may have come.
  while (!free()) await until(context, free, lockWaitMs);
  holders.set(key, { approvalId, rests: false });
  try {
    await until(context, () => (writers.get(key) ?? 0) === 0, writersMs);
  } catch (error) {
    release(context, listingId, approvalId);
    throw error;
  }
  return holdOf(context, listingId, approvalId);
};

const written = (context: LocksContext, listingId: string): void => {
  const { writers } = context;
  const left = (writers.get(listingId) ?? 1) - 1;
  if (left === 0) writers.delete(listingId);
  else writers.set(listingId, left);
  wake(context);
};

const write = async <T>(context: LocksContext, listingId: string, work: () => Promise<T>): Promise<T> => {
  const { clock, holders, writers, wroteAt, ended } = context;
  while (holders.has(listingId)) await until(context, () => !holders.has(listingId), lockWaitMs);
  writers.set(listingId, (writers.get(listingId) ?? 0) + 1);
  wroteAt.set(listingId, clock.elapsedMs());
  try {
    const done = await work();
    written(context, listingId);
    return done;
  } catch (error) {
    if (!mayArrive(error)) written(context, listingId);
    else
      void clock.sleep(lingersMs, ended.signal).then(
        () => written(context, listingId),
        () => undefined,
      );
    throw error;
  }
};

/** It left and nothing at all came back. */
const mayArrive = (error: unknown): boolean =>
  error instanceof ServiceError && error.effect === 'unclear' && error.status === 0;

const beingDecided = () =>
  new ServiceError({
    ...problemText('BEING_DECIDED'),
    effect: 'unreached',
    status: 409,
    retryAfterS: lockWaitMs / 1_000,
  });

/** Requests with a body that change nothing of the listing; asking the marketplace anew does. */
const harmless: readonly RouteName[] = readsWithBody.filter((route) => route !== 'hydrateListing');

/** The listing that a request writes to; null for one that writes to none. */
export const writtenListing = (route: RouteName, input: object): string | null => {
  if (!writes(route) && route !== 'hydrateListing') return null;
  if (harmless.includes(route)) return null;
  return listingIdOf(input);
};

const locked = Symbol('locked');
/** A client whose writes wait for listings that are being decided. Everybody but an approved request has one of these. */
export type LockedClient = ServiceClient & { readonly [locked]: true };

/** `quoteFees` with `confirm` is no look, but it is always asked for and changes no listing. */
export const lockClient = (client: ServiceClient, locks: ListingLocks): LockedClient => ({
  [locked]: true,
  send: (route, input, options) => {
    const listingId = writtenListing(route, input);
    if (listingId === null) return client.send(route, input, options);
    // Who asked may hang up; what has left is waited for all the same, as it may still arrive.
    const { signal, ...rest } = options ?? {};
    return abortable(
      locks.write(listingId, () => client.send(route, input, rest)),
      signal,
    );
  },
});

/** Sends what was approved. Throws when the request is about a listing that its hold does not have. */
export type SendApproved = <N extends RouteName>(
  hold: Hold,
  route: N,
  input: ParsedInput<N>,
  options: SendOptions,
) => Promise<ServiceAnswer<N>>;

/** The only way past the lock, for the one who holds it. */
export const approvedSender =
  (client: ServiceClient, locks: ListingLocks): SendApproved =>
  (hold, route, input, options) => {
    const listingId = writtenListing(route, input);
    if (listingId !== null && (listingId !== hold.listingId || !locks.holds(hold)))
      throw new Error(`${route} was to be sent around the lock of its listing.`);
    return client.send(route, input, options);
  };
