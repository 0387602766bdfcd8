import { createRandom } from './createRandom.ts';

/** Whether large matrices run whole (`npm run test:all`); `npm test` runs a sample of each. */
export const isWhole = process.env['COMPANION_MATRICES'] === 'whole';

/** The seed of all samples: COMPANION_SEED=n repeats a sample. `npm test` chooses and prints a seed. */
export const sampleSeed = Number(process.env['COMPANION_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** Part of a sampled test's title, so that a failure says how to repeat it. */
export const sampledBy = isWhole ? 'all of them' : `a sample by COMPANION_SEED=${sampleSeed}`;

/** Returns the first number in a whole run, and the second in a sampled run. */
export const sampleSize = (whole: number, sampled: number): number => (isWhole ? whole : sampled);

/** Each word has a different stream, so that lists do not all skip the same positions. */
const createNumbers = (word: string) =>
  createRandom([...word].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, sampleSeed));

/** Returns this many entries in the list's order, chosen by the seed and the word; all entries in a whole run. */
export const drawSample = <T>(word: string, list: readonly T[], count: number): T[] => {
  if (isWhole) return [...list];
  const random = createNumbers(word);
  // The first numbers of streams with similar seeds are similar.
  for (let turn = 0; turn < 5; turn += 1) random();
  const drawn = list.map((_, at) => ({ at, by: random() })).sort((a, b) => a.by - b.by);
  const chosen = new Set(drawn.slice(0, count).map(({ at }) => at));
  return list.filter((_, at) => chosen.has(at));
};
