import { createWindowUse } from '../../core/presence/windowSessions.ts';

/** The first cell is the turn, the second counts the reports of windows that the person uses them. */
export type SharedTurn = Int32Array;
export const createSharedTurn = (): SharedTurn =>
  new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));

/** `waitForTurn` blocks the thread until the turn is free or the time is over, and `rest` until the time is over. */
type TurnParts = {
  elapsedMs: () => number;
  waitForTurn: (turn: SharedTurn, ms: number) => void;
  rest: (ms: number) => void;
};

/** `pause` is called after each step of a few ms, and `end` at the end of the work. */
type ProcessorTurns = { pause: () => void; end: () => void };

export const noTurns: ProcessorTurns = { pause: () => undefined, end: () => undefined };

/** Shorter steps follow each other without a rest. */
const minWorkMs = 2;
/** The time of work also contains the sleep of the machine. */
const maxRestMs = 200;
/** While the person uses a window, a thread rests this many times as long as it worked. */
const restTimesInUse = 3;
/** A thread that was ended during its turn never gives it back. */
const maxWaitMs = 200;

const free = 0;
const taken = 1;

export const waitForTurn: TurnParts['waitForTurn'] = (turn, ms) => void Atomics.wait(turn, 0, taken, ms);

/** Notes that the person uses a window. */
export const noteUse = (turn: SharedTurn): void => void Atomics.add(turn, 1, 1);

/** Returns whether a report of use came within the last two seconds. Reports before the first call do not count. */
const createUseReader = (turn: SharedTurn, elapsedMs: () => number): (() => boolean) => {
  const use = createWindowUse({ elapsedMs });
  let reports = Atomics.load(turn, 1);
  return () => {
    const now = Atomics.load(turn, 1);
    if (now !== reports) use.note();
    reports = now;
    return use.isNow();
  };
};

/**
 * Waits for a turn. Threads with the same `turn` work one after another, and each rests as long as it worked, and longer
 * while the person uses a window. So all of them together need little more than half of one processor, or a quarter, and
 * windows and assistants rarely wait for it.
 */
export const takeProcessorTurns = (
  turn: SharedTurn,
  { elapsedMs, waitForTurn: wait, rest }: TurnParts,
): ProcessorTurns => {
  const isWindowInUse = createUseReader(turn, elapsedMs);
  let beganMs = 0;
  const begin = (): void => {
    const fromMs = elapsedMs();
    let leftMs = maxWaitMs;
    while (leftMs > 0 && Atomics.compareExchange(turn, 0, free, taken) === taken) {
      wait(turn, leftMs);
      leftMs = maxWaitMs - (elapsedMs() - fromMs);
    }
    Atomics.store(turn, 0, taken);
    beganMs = elapsedMs();
  };
  const end = (): void => {
    Atomics.store(turn, 0, free);
    Atomics.notify(turn, 0, 1);
  };
  begin();
  return {
    pause: (): void => {
      const workedMs = elapsedMs() - beganMs;
      if (workedMs < minWorkMs) return;
      end();
      rest(Math.min(workedMs * (isWindowInUse() ? restTimesInUse : 1), maxRestMs));
      begin();
    },
    end,
  };
};
