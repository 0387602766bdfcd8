/** `waitForTurn` blocks the thread until the turn is free or the time is over, and `rest` until the time is over. */
type TurnParts = {
  elapsedMs: () => number;
  waitForTurn: (turn: Int32Array, ms: number) => void;
  rest: (ms: number) => void;
};

/** `pause` is called after each step of a few ms, and `end` at the end of the work. */
type ProcessorTurns = { pause: () => void; end: () => void };

export const noTurns: ProcessorTurns = { pause: () => undefined, end: () => undefined };

const minWorkMs = 8;
/** The time of work also contains the sleep of the machine. */
const maxRestMs = 200;
/** A thread that was ended during its turn never gives it back. */
const maxWaitMs = 200;

const free = 0;
const taken = 1;

export const waitForTurn: TurnParts['waitForTurn'] = (turn, ms) => void Atomics.wait(turn, 0, taken, ms);

/**
 * Waits for a turn. Threads with the same `turn`, a shared cell, work one after another, and each rests as long as it
 * worked. So all of them together need little more than half of one processor, and windows and assistants rarely wait for it.
 */
export const takeProcessorTurns = (
  turn: Int32Array,
  { elapsedMs, waitForTurn: wait, rest }: TurnParts,
): ProcessorTurns => {
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
      rest(Math.min(workedMs, maxRestMs));
      begin();
    },
    end,
  };
};
