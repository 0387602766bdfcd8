import type { ParsedInput, RouteName } from '../../contract/index.ts';
import { readsWithBody, writes } from '../service/throttle/floors.ts';
import { listingIdOf } from '../base/json.ts';
import { createBoundedMap } from '../base/boundedMap.ts';
import type { Clock } from '../base/ports.ts';
import { problemText } from '../base/problem.ts';
import { abortable } from '../base/abortable.ts';
import type { SendOptions, ServiceAnswer, ServiceClient } from '../service/serviceClient.ts';
import { ServiceError } from '../service/serviceError.ts';

/** How long others wait for a locked listing before they are refused. */
const lockWaitMs = 5_000;

const mostRemembered = 2_000;
/** How long a decision waits for writes in flight; the service may be slow. */
const writersMs = 30_000;
/** How long a write with a lost answer may still arrive. Until then its listing must not be read as final. */
const lingersMs = 30_000;

/** The key of the account-wide lock, for acts that every publish depends on. */
const accountWide = '';

/** A lock on a listing or the account; only its owner may write to it. */
export type Hold = {
  approvalId: string;
  listingId: string | null;
  release: () => void;
  /** The request was sent and its outcome is unknown: its listing stays locked, but account-wide acts may proceed. */
  rest: () => void;
};

/**
 * Locks listings. From the read after an approval until it is settled, only the approved request writes to its listing.
 * An account-wide act and the listing locks exclude each other.
 */
export type ListingLocks = {
  /** Locks a listing (null: the account) once no other approval has it and writes in flight have ended. */
  acquire: (listingId: string | null, approvalId: string) => Promise<Hold>;
  /** Locks a listing again after a start, for an approval with an unknown outcome. */
  restore: (listingId: string, approvalId: string) => Hold;
  release: (listingId: string | null, approvalId: string) => void;
  /** Runs a write; it waits while the listing is locked. Throws BEING_DECIDED. */
  write: <T>(listingId: string, work: () => Promise<T>) => Promise<T>;
  stop: () => void;
  /** Returns the ms since the last write to that listing through the locks; null if there was none since the start. */
  wroteAgoMs: (listingId: string) => number | null;
  holds: (hold: Hold) => boolean;
};

type LocksContext = {
  clock: Clock;
  /** The owner of each lock; `rests` if its request was sent and the outcome is unknown. */
  holders: Map<string, { approvalId: string; rests: boolean }>;
  writers: Map<string, number>;
  /** Waiting callers, woken at each change. */
  waiting: Set<() => void>;
  /** When a listing was last written to, in elapsed time. */
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

/** Resolves when `free` returns true; rejects with BEING_DECIDED after `ms`. */
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
  // Check and take without an await in between: another caller may have taken it while this one waited.
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

/** The request was sent and no answer arrived. */
const mayArrive = (error: unknown): boolean =>
  error instanceof ServiceError && error.effect === 'unclear' && error.status === 0;

const beingDecided = () =>
  new ServiceError({
    ...problemText('BEING_DECIDED'),
    effect: 'unreached',
    status: 409,
    retryAfterS: lockWaitMs / 1_000,
  });

/** Requests with a body that do not change the listing; `hydrateListing` does. */
const harmless: readonly RouteName[] = readsWithBody.filter((route) => route !== 'hydrateListing');

/** Returns the listing that a request writes to; null if it writes to none. */
export const writtenListing = (route: RouteName, input: object): string | null => {
  if (!writes(route) && route !== 'hydrateListing') return null;
  if (harmless.includes(route)) return null;
  return listingIdOf(input);
};

const locked = Symbol('locked');
/** A client whose writes wait for locked listings. Everything except approved requests uses such a client. */
export type LockedClient = ServiceClient & { readonly [locked]: true };

/** `quoteFees` with `confirm` is a write, but it always needs approval and changes no listing. */
export const lockClient = (client: ServiceClient, locks: ListingLocks): LockedClient => ({
  [locked]: true,
  send: (route, input, options) => {
    const listingId = writtenListing(route, input);
    if (listingId === null) return client.send(route, input, options);
    // Aborting does not undo a request that was already sent: the lock waits for it.
    const { signal, ...rest } = options ?? {};
    return abortable(
      locks.write(listingId, () => client.send(route, input, rest)),
      signal,
    );
  },
});

/** Sends an approved request. Throws if its lock does not cover the listing of the request. */
export type SendApproved = <N extends RouteName>(
  hold: Hold,
  route: N,
  input: ParsedInput<N>,
  options: SendOptions,
) => Promise<ServiceAnswer<N>>;

/** Creates the only sender that bypasses the locks, for the owner of a lock. */
export const approvedSender =
  (client: ServiceClient, locks: ListingLocks): SendApproved =>
  (hold, route, input, options) => {
    const listingId = writtenListing(route, input);
    if (listingId !== null && (listingId !== hold.listingId || !locks.holds(hold)))
      throw new Error(`${route} was to be sent around the lock of its listing.`);
    return client.send(route, input, options);
  };
