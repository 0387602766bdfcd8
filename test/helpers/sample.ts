import { randomFrom } from './randomFrom.ts';

/** Whether large matrices are run whole (`npm run test:all`); `npm test` runs a sample of each. */
export const isWhole = process.env['COMPANION_MATRICES'] === 'whole';

/** What the samples are taken by: COMPANION_SEED=n takes the same ones again. `npm test` chooses one and prints it. */
export const sampleSeed = Number(process.env['COMPANION_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** What stands in the title of a sampled test, so that a failure names how to have it again. */
export const sampledBy = isWhole ? 'all of them' : `a sample by COMPANION_SEED=${sampleSeed}`;

/** So many things are done in a whole run, and so many in a sampled one. */
export const sampleSize = (whole: number, sampled: number): number => (isWhole ? whole : sampled);

/** Each word begins a stream of its own, so that not every list loses the same places. */
const numbersFor = (word: string) =>
  randomFrom([...word].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, sampleSeed));

/** So many of a list, in the list's order, chosen by the seed and a word that names the list; all of them in a whole run. */
export const sampleOf = <T>(word: string, list: readonly T[], count: number): T[] => {
  if (isWhole) return [...list];
  const random = numbersFor(word);
  // The first numbers of streams that begin close to each other are close as well.
  for (let turn = 0; turn < 5; turn += 1) random();
  const drawn = list.map((_, at) => ({ at, by: random() })).sort((a, b) => a.by - b.by);
  const chosen = new Set(drawn.slice(0, count).map(({ at }) => at));
  return list.filter((_, at) => chosen.has(at));
};
