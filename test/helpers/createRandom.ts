/** Creates a stream of numbers from 0 to 1 that depends only on the seed. */
export const createRandom = (seed: number) => {
  let state = seed >>> 0 || 1;
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};
