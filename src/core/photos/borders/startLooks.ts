import type { ComparedPhotos } from './comparePhotos.ts';

/** With this many photos to compare with, the result hardly changes any more. */
const maxCompared = 250;
/** The photos beside a photo often look like it, whether or not they show the same item. */
const leftOutNearby = 2;
/** At this share of the usual difference, a photo says less by a factor of e. */
const range = 0.27;
/** With this many first photos, they count as much as all photos together, so that a few photos do not decide. */
const priorPhotos = 6;
/** The likeness of a photo that resembles no other one. It has the weight of one photo. */
const minLikeness = 0.05;
const maxScore = 1;

/**
 * Many people begin each item with the same view, for example of the whole item from above. Returns for each photo how
 * much more its outline resembles the first photos of items than the others, as a logarithm. `startChances` are the
 * probabilities that a photo is the first one of an item; null for photos that show no item.
 */
export const measureStartLooks = (
  startChances: readonly (number | null)[],
  { countOutlineBits, usualOutlineBits }: ComparedPhotos,
): number[] => {
  const likenessByBits = Array.from({ length: 65 }, (_, bits) => Math.exp(-bits / usualOutlineBits / range));
  const step = Math.ceil(startChances.length / maxCompared);
  const others = startChances.flatMap((chance, at) => (chance !== null && at % step === 0 ? [{ at, chance }] : []));
  return startChances.map((own, photo) => {
    if (own === null) return 0;
    let [starts, startLikeness, rest, restLikeness] = [0, 0, 0, 0];
    for (const { at, chance } of others) {
      const bits = Math.abs(at - photo) <= leftOutNearby ? null : countOutlineBits(photo, at);
      if (bits === null) continue;
      const likeness = likenessByBits[bits] ?? 0;
      starts += chance;
      startLikeness += chance * likeness;
      rest += 1 - chance;
      restLikeness += (1 - chance) * likeness;
    }
    const mean = (startLikeness + restLikeness + minLikeness) / (starts + rest + 1);
    const computeLikeness = (sum: number, count: number): number => (sum + priorPhotos * mean) / (count + priorPhotos);
    const score = Math.log(computeLikeness(startLikeness, starts) / computeLikeness(restLikeness, rest));
    return Math.min(maxScore, Math.max(-maxScore, score));
  });
};
