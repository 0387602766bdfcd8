/** A place in the room; leaving twice is harmless. */
export type Place = { leave(): void };

type Waiting = { amount: number; enter: (place: Place) => void };

/**
 * Bounds how much is in work at once. Who comes first enters first; what is larger than the whole room enters alone.
 */
export const createWeightedSemaphore = (size: number) => {
  let taken = 0;
  const line: Waiting[] = [];

  const letIn = (): void => {
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
          letIn();
        },
      });
    }
  };

  return {
    /** Calls `entered` when there is room, maybe at once. The answer gives the place up, before or after that. */
    ask(amount: number, entered: () => void): Place {
      let place: Place | undefined;
      const waiting: Waiting = {
        amount,
        enter: (got) => {
          place = got;
          entered();
        },
      };
      line.push(waiting);
      letIn();
      return {
        leave: () => {
          const at = line.indexOf(waiting);
          if (at >= 0) line.splice(at, 1);
          if (place) place.leave();
          else letIn();
        },
      };
    },
  };
};
export type WeightedSemaphore = ReturnType<typeof createWeightedSemaphore>;
