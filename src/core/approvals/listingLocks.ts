import type { ParsedInput, RouteName } from '../../contract/index.ts';
import { readRoutesWithBody, isWriteRoute } from '../service/throttle/floors.ts';
import { findListingId } from '../base/json.ts';
import { createBoundedMap } from '../base/boundedMap.ts';
import type { Clock } from '../base/ports.ts';
import { createProblemText } from '../base/problem.ts';
import { raceWithAbort } from '../base/raceWithAbort.ts';
import type { SendOptions, ServiceAnswer, ServiceClient } from '../service/serviceClient.ts';
import { ServiceError } from '../service/serviceError.ts';

/** How long a write waits for a locked listing before it is refused. */
const lockWaitMs = 5_000;

const maxRemembered = 2_000;
/** How long a new lock waits for writes in flight. The limit is high, because the service might be slow. */
const maxWriterWaitMs = 30_000;
/** For this long, a write whose answer was lost can still change the listing. */
const lostWriteArrivalMs = 30_000;

/** The key of the lock on the whole account. */
const accountWideKey = '';

/** A lock on a listing, or on the account if `listingId` is null. Only its owner may write. */
export type ListingLock = {
  approvalId: string;
  listingId: string | null;
  release: () => void;
  /** To be called if the outcome is unknown. Keeps a lock on a listing, but releases a lock on the account. */
  keepLockedUnsettled: () => void;
};

/** While an approved request is checked and sent, only this request may write to its listing. */
export type ListingLockRegistry = {
  /** Locks the listing, or the account if `listingId` is null, after other locks and writes have ended. */
  acquire: (listingId: string | null, approvalId: string) => Promise<ListingLock>;
  /** Locks a listing again at the start of a run, because the outcome of an approval is still unknown. */
  restore: (listingId: string, approvalId: string) => ListingLock;
  release: (listingId: string | null, approvalId: string) => void;
  /** Runs the write as soon as the listing is unlocked. Throws BEING_DECIDED if the listing stays locked too long. */
  runWrite: <T>(listingId: string, work: () => Promise<T>) => Promise<T>;
  stop: () => void;
  /** Returns how many ms ago the listing was last written to; null if there was no write in this run. */
  wroteAgoMs: (listingId: string) => number | null;
  isLockValid: (hold: ListingLock) => boolean;
};

type LocksContext = {
  clock: Clock;
  /** `rests` means that the request was sent and its outcome is unknown. */
  owners: Map<string, { approvalId: string; rests: boolean }>;
  writers: Map<string, number>;
  /** Called after each change of the locks. */
  waiters: Set<() => void>;
  /** When a listing was last written to, in ms on the monotonic clock. */
  wroteAtMs: { get: (listingId: string) => number | undefined; set: (listingId: string, at: number) => void };
  ended: AbortController;
};

export const createListingLockRegistry = (clock: Clock): ListingLockRegistry => {
  const owners: LocksContext['owners'] = new Map();
  const wroteAtMs = createBoundedMap<string, number>(maxRemembered);
  const ended = new AbortController();
  const context: LocksContext = { clock, owners, writers: new Map(), waiters: new Set(), wroteAtMs, ended };
  return {
    acquire: (listingId, approvalId) => acquireLock(context, listingId, approvalId),
    restore: (listingId, approvalId) => {
      owners.set(listingId, { approvalId, rests: true });
      return createLock(context, listingId, approvalId);
    },
    release: (listingId, approvalId) => releaseLock(context, listingId, approvalId),
    runWrite: (listingId, work) => runListingWrite(context, listingId, work),
    stop: () => ended.abort(),
    wroteAgoMs: (listingId) => {
      const at = wroteAtMs.get(listingId);
      return at === undefined ? null : clock.elapsedMs() - at;
    },
    isLockValid: (lock) => owners.get(lock.listingId ?? accountWideKey)?.approvalId === lock.approvalId,
  };
};

const wakeWaiters = ({ waiters }: LocksContext): void => {
  for (const look of [...waiters]) look();
};

/** Resolves when `isNowFree` returns true; rejects with BEING_DECIDED after `ms`. */
const waitUntilFree = async ({ waiters, clock }: LocksContext, isNowFree: () => boolean, ms: number): Promise<void> => {
  if (isNowFree()) return;
  const over = new AbortController();
  const freed = Promise.withResolvers<void>();
  const resolveIfFree = (): void => {
    if (isNowFree()) freed.resolve();
  };
  waiters.add(resolveIfFree);
  try {
    await Promise.race([
      freed.promise,
      clock.sleep(ms, over.signal).then(() => {
        if (!isNowFree()) throw createBeingDecidedError();
      }),
    ]);
  } finally {
    waiters.delete(resolveIfFree);
    over.abort();
  }
};

const isLockFree = ({ owners }: LocksContext, key: string, approvalId: string): boolean => {
  const others = [...owners].filter(([, holder]) => holder.approvalId !== approvalId);
  if (key === accountWideKey) return others.every(([, { rests }]) => rests);
  return !others.some(([lockedKey]) => lockedKey === key || lockedKey === accountWideKey);
};

const releaseLock = (context: LocksContext, listingId: string | null, approvalId: string): void => {
  const { owners } = context;
  const key = listingId ?? accountWideKey;
  if (owners.get(key)?.approvalId !== approvalId) return;
  owners.delete(key);
  wakeWaiters(context);
};

const createLock = (context: LocksContext, listingId: string | null, approvalId: string): ListingLock => ({
  approvalId,
  listingId,
  release: () => releaseLock(context, listingId, approvalId),
  keepLockedUnsettled: () => {
    const { owners } = context;
    if (listingId === null) return releaseLock(context, listingId, approvalId);
    if (owners.get(listingId)?.approvalId === approvalId) owners.set(listingId, { approvalId, rests: true });
    wakeWaiters(context);
  },
});

const acquireLock = async (
  context: LocksContext,
  listingId: string | null,
  approvalId: string,
): Promise<ListingLock> => {
  const { owners, writers } = context;
  const key = listingId ?? accountWideKey;
  const isKeyFree = (): boolean => isLockFree(context, key, approvalId);
  // There is no await between the check and the set, because another caller might take the lock.
  while (!isKeyFree()) await waitUntilFree(context, isKeyFree, lockWaitMs);
  owners.set(key, { approvalId, rests: false });
  try {
    await waitUntilFree(context, () => (writers.get(key) ?? 0) === 0, maxWriterWaitMs);
  } catch (error) {
    releaseLock(context, listingId, approvalId);
    throw error;
  }
  return createLock(context, listingId, approvalId);
};

const endWrite = (context: LocksContext, listingId: string): void => {
  const { writers } = context;
  const left = (writers.get(listingId) ?? 1) - 1;
  if (left === 0) writers.delete(listingId);
  else writers.set(listingId, left);
  wakeWaiters(context);
};

const runListingWrite = async <T>(context: LocksContext, listingId: string, work: () => Promise<T>): Promise<T> => {
  const { clock, owners, writers, wroteAtMs, ended } = context;
  while (owners.has(listingId)) await waitUntilFree(context, () => !owners.has(listingId), lockWaitMs);
  writers.set(listingId, (writers.get(listingId) ?? 0) + 1);
  wroteAtMs.set(listingId, clock.elapsedMs());
  try {
    const done = await work();
    endWrite(context, listingId);
    return done;
  } catch (error) {
    if (!mightServiceProcessWrite(error)) endWrite(context, listingId);
    else
      void clock.sleep(lostWriteArrivalMs, ended.signal).then(
        () => endWrite(context, listingId),
        () => undefined,
      );
    throw error;
  }
};

/** Returns whether the service might still process the write, because it was sent but no answer arrived. */
const mightServiceProcessWrite = (error: unknown): boolean =>
  error instanceof ServiceError && error.effect === 'unclear' && error.status === 0;

const createBeingDecidedError = () =>
  new ServiceError({
    ...createProblemText('BEING_DECIDED'),
    effect: 'unreached',
    status: 409,
    retryAfterS: lockWaitMs / 1_000,
  });

/** Routes that send a body but change no listing. `hydrateListing` is excluded, because it changes a listing. */
const nonWritingRoutes: readonly RouteName[] = readRoutesWithBody.filter((route) => route !== 'hydrateListing');

/** Returns the id of the listing that a request writes to; null if it writes to no listing. */
export const findWrittenListingId = (route: RouteName, input: object): string | null => {
  if (!isWriteRoute(route) && route !== 'hydrateListing') return null;
  if (nonWritingRoutes.includes(route)) return null;
  return findListingId(input);
};

const lockedMark = Symbol('locked');
/** A client whose writes wait for locked listings. All requests except approved requests use it. */
export type LockedClient = ServiceClient & { readonly [lockedMark]: true };

/** Creates a client whose writes wait for locked listings. `quoteFees` never waits, because it changes no listing. */
export const createLockedClient = (client: ServiceClient, locks: ListingLockRegistry): LockedClient => ({
  [lockedMark]: true,
  send: (route, input, options) => {
    const listingId = findWrittenListingId(route, input);
    if (listingId === null) return client.send(route, input, options);
    // Aborting does not undo a request that was already sent, so the write stays in flight until it ends.
    const { signal, ...rest } = options ?? {};
    return raceWithAbort(
      locks.runWrite(listingId, () => client.send(route, input, rest)),
      signal,
    );
  },
});

/** Sends an approved request. Throws if the lock does not cover the listing of the request. */
export type SendApproved = <N extends RouteName>(
  hold: ListingLock,
  route: N,
  input: ParsedInput<N>,
  options: SendOptions,
) => Promise<ServiceAnswer<N>>;

/** Creates the only sender that bypasses the locks. */
export const createApprovedSender =
  (client: ServiceClient, locks: ListingLockRegistry): SendApproved =>
  (lock, route, input, options) => {
    const listingId = findWrittenListingId(route, input);
    if (listingId !== null && (listingId !== lock.listingId || !locks.isLockValid(lock)))
      throw new Error(`${route} was to be sent around the lock of its listing.`);
    return client.send(route, input, options);
  };
