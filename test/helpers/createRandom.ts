export type Random = () => number;

/** Creates a stream of numbers from 0 to 1 that depends only on the seed. */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

export const pickBetween = (random: Random, least: number, most: number): number => least + (most - least) * random();

export const pickWhole = (random: Random, least: number, most: number): number =>
  Math.floor(pickBetween(random, least, most + 1));

/** Returns a number whose logarithm has a normal distribution. Half of the numbers are below `median`. */
export const pickLogNormal = (random: Random, median: number, spread: number): number => {
  const normal = Array.from({ length: 12 }, random).reduce((sum, value) => sum + value, -6);
  return median * Math.exp(spread * normal);
};
