import { setImmediate as immediate } from 'node:timers/promises';

/** Returns how often other work could run while this work ran, and the result of the work. */
export const countTurns = async <T>(work: () => Promise<T>): Promise<{ turns: number; result: T }> => {
  let [turns, isOver] = [0, false];
  const count = async (): Promise<void> => {
    for (; !isOver; turns += 1) await immediate();
  };
  const counting = count();
  const result = await work().finally(() => (isOver = true));
  await counting;
  return { turns, result };
};
