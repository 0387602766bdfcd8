/** `wait` blocks the thread until the cell no longer has the value, or the time is over. */
type TurnParts = {
  elapsedMs: () => number;
  wait: (cell: Int32Array, value: number, ms: number) => void;
};

/** `pause` is called after each step of a few ms, and `end` at the end of the work. */
type ProcessorTurns = { pause: () => void; end: () => void };

export const noTurns: ProcessorTurns = { pause: () => undefined, end: () => undefined };

export const blockingWait: TurnParts['wait'] = (cell, value, ms) => void Atomics.wait(cell, 0, value, ms);

const minWorkMs = 8;
/** The time of work also contains the sleep of the machine. */
const maxRestMs = 200;
/** A thread that was ended during its turn never gives it back. */
const maxWaitMs = 200;

const free = 0;
const taken = 1;

/**
 * Waits for a turn. Threads with the same `turn`, a shared cell, work one after another, and each rests as long as it
 * worked. So all of them together need little more than half of one processor, and windows and assistants rarely wait for it.
 */
export const takeProcessorTurns = (turn: Int32Array, { elapsedMs, wait }: TurnParts): ProcessorTurns => {
  const rest = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let beganMs = 0;
  const begin = (): void => {
    const fromMs = elapsedMs();
    let leftMs = maxWaitMs;
    while (leftMs > 0 && Atomics.compareExchange(turn, 0, free, taken) === taken) {
      wait(turn, taken, leftMs);
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
      wait(rest, 0, Math.min(workedMs, maxRestMs));
      begin();
    },
    end,
  };
};
