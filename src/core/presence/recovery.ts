import type { Clock } from '../base/ports.ts';
import type { StoredAgeTracker } from '../base/storedAges.ts';
import type { ProofStore } from './proofStore.ts';

/** How long a recovery waits, so that the person can cancel one that another program started. */
const recoveryMs = 24 * 3_600_000;

export type Recovery = {
  /** Returns the ms until the proofs are removed; null if no recovery runs. */
  readLeftMs: () => number | null;
  start: () => void;
  /** Returns false if no recovery runs. */
  cancel: () => boolean;
  stop: () => void;
};

type RecoveryContext = {
  store: ProofStore;
  clock: Clock;
  ages: Pick<StoredAgeTracker, 'ageMs'>;
  /** Called when the 24 hours are over. */
  onOver: () => void;
};

/** Counts the 24 hours in elapsed time; between two runs, only the wall clock can count them. */
export const createRecovery = ({ store, clock, ages, onOver }: RecoveryContext): Recovery => {
  let dueAtMs: number | null = null;
  let waiting = new AbortController();
  const readLeftMs = (): number | null => (dueAtMs === null ? null : Math.max(0, dueAtMs - clock.elapsedMs()));

  const waitUntilOver = async (signal: AbortSignal): Promise<void> => {
    for (let leftMs = readLeftMs(); leftMs !== null && leftMs > 0; leftMs = readLeftMs())
      await clock.sleep(leftMs, signal);
    signal.throwIfAborted();
    dueAtMs = null;
    onOver();
  };
  const schedule = (leftMs: number): void => {
    waiting.abort();
    waiting = new AbortController();
    dueAtMs = clock.elapsedMs() + leftMs;
    // The wait ends early if the recovery is cancelled or the companion stops.
    waitUntilOver(waiting.signal).catch(() => undefined);
  };
  const { recoveryStartedAt } = store.read();
  if (recoveryStartedAt !== null) schedule(recoveryMs - ages.ageMs('recovery of the proofs', recoveryStartedAt));
  return {
    readLeftMs,
    start: () => {
      store.change({ recoveryStartedAt: clock.now() });
      schedule(recoveryMs);
    },
    cancel: () => {
      if (dueAtMs === null) return false;
      store.change({ recoveryStartedAt: null });
      waiting.abort();
      dueAtMs = null;
      return true;
    },
    stop: () => waiting.abort(),
  };
};
