export type SemaphorePermit = { leave(): void };

type WaitingEntry = { amount: number; enter: (place: SemaphorePermit) => void };

/**
 * Creates a semaphore that limits the total weight of all running jobs. A request above the limit is granted when no
 * other job is running.
 */
export const createWeightedSemaphore = (size: number) => {
  let taken = 0;
  const line: WaitingEntry[] = [];

  const admitWaitingEntries = (): void => {
    for (let next = line[0]; next && (taken === 0 || taken + next.amount <= size); next = line[0]) {
      const { amount, enter } = next;
      line.shift();
      taken += amount;
      let inside = true;
      enter({
        leave: () => {
          if (!inside) return;
          inside = false;
          taken -= amount;
          admitWaitingEntries();
        },
      });
    }
  };

  return {
    ask(amount: number, entered: () => void): SemaphorePermit {
      let place: SemaphorePermit | undefined;
      const waiting: WaitingEntry = {
        amount,
        enter: (got) => {
          place = got;
          entered();
        },
      };
      line.push(waiting);
      admitWaitingEntries();
      return {
        leave: () => {
          const at = line.indexOf(waiting);
          if (at >= 0) line.splice(at, 1);
          if (place) place.leave();
          else admitWaitingEntries();
        },
      };
    },
  };
};
export type WeightedSemaphore = ReturnType<typeof createWeightedSemaphore>;
