import type { Clock, ServiceTime } from '../base/ports.ts';
import type { ProofStore } from './proofStore.ts';

/** How long a recovery waits, so that the person can cancel one that another program started. */
const recoveryMs = 24 * 3_600_000;
/** How often the time that has passed is stored. */
const storedEveryMs = 60_000;

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
  readServiceTime: () => ServiceTime | null;
  /** Called when the 24 hours are over. */
  onOver: () => void;
};

/**
 * Counts the 24 hours in time that no program can set: the time that the companion has run, or the time by the
 * service's clock since the start, whichever is longer. The clock of this machine is ignored.
 */
export const createRecovery = ({ store, clock, readServiceTime, onOver }: RecoveryContext): Recovery => {
  /** Null if no recovery runs. */
  let run: { ranMs: number; sinceMs: number; waiting: AbortController } | null = null;

  const readRanMs = (): number => (run === null ? 0 : run.ranMs + clock.elapsedMs() - run.sinceMs);
  const readServiceMs = (): number => {
    const { recoveryService: start } = store.read();
    const now = readServiceTime();
    return start !== null && now?.service === start.service ? now.at - start.at : 0;
  };
  const readLeftMs = (): number | null =>
    run === null ? null : Math.max(0, Math.ceil(recoveryMs - Math.max(readRanMs(), readServiceMs())));
  const storeProgress = (): void => {
    const { recoveryService } = store.read();
    const now = readServiceTime();
    const ranMs = Math.floor(readRanMs());
    const start = now && { service: now.service, at: now.at - ranMs };
    try {
      store.change({ recoveryRanMs: ranMs, recoveryService: recoveryService ?? start });
    } catch {
      // On a full disk, only the time since the last stored progress is lost after a restart.
    }
  };
  const waitUntilOver = async (signal: AbortSignal): Promise<void> => {
    for (let leftMs = readLeftMs(); leftMs !== null && leftMs > 0; leftMs = readLeftMs()) {
      await clock.sleep(Math.min(leftMs, storedEveryMs), signal);
      storeProgress();
    }
    signal.throwIfAborted();
    run = null;
    onOver();
  };
  const begin = (ranMs: number): void => {
    run = { ranMs, sinceMs: clock.elapsedMs(), waiting: new AbortController() };
    // The wait ends early if the recovery is cancelled or the companion stops.
    waitUntilOver(run.waiting.signal).catch(() => undefined);
  };
  const { recoveryStartedAt, recoveryRanMs } = store.read();
  if (recoveryStartedAt !== null) begin(recoveryRanMs);
  return {
    readLeftMs,
    start: () => {
      store.change({ recoveryStartedAt: clock.now(), recoveryRanMs: 0, recoveryService: readServiceTime() });
      begin(0);
    },
    cancel: () => {
      if (run === null) return false;
      run.waiting.abort();
      run = null;
      store.change({ recoveryStartedAt: null, recoveryRanMs: 0, recoveryService: null });
      return true;
    },
    stop: () => {
      if (run === null) return;
      run.waiting.abort();
      storeProgress();
    },
  };
};
