import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import {
  startsNewItem,
  estimateItemBorders,
  isUncertainBorder,
} from '../../../../src/core/photos/borders/itemBorders.ts';
import type { BorderPhoto } from '../../../../src/core/photos/borders/comparePhotos.ts';
import { groupShotsByPause } from '../../../../src/core/photos/splitGroups.ts';
import { corpus, whyNoCorpus } from '../../../helpers/photos/corpus.ts';
import {
  createCorpusMix,
  createDrawnMix,
  measureLooks,
  preparedLooks,
  type Mix,
} from '../../../helpers/photos/mixes.ts';
import { drawnPhoto } from '../../../helpers/practice.ts';
import { sampleSize } from '../../../helpers/sample.ts';

if (!corpus) console.log(whyNoCorpus);

/** The weights were fitted to other folders. Do not tune to the seeds below. */
const heldOut = Array.from({ length: sampleSize(12, 6) }, (_, at) => 201 + at);

const shotsOf = (photos: readonly BorderPhoto[]) =>
  photos.map(({ takenAt }) => ({ takenAt: takenAt ?? undefined, camera: 'A' }));

/** Finds item starts by pauses only, as a drop is split before its photos are analysed. */
const findStartsByPauses = (photos: readonly BorderPhoto[]): boolean[] => {
  const firsts = new Set(groupShotsByPause(shotsOf(photos), 'flat').map(([at]) => at));
  return photos.map((_, at) => firsts.has(at));
};

/** Finds item starts in the two steps of a real drop: first by long pauses, then by all features. */
const findStarts = (photos: readonly BorderPhoto[]): boolean[] => {
  const borders = estimateItemBorders(photos);
  return findStartsByPauses(photos).map((isCut, at) => {
    const border = borders[at - 1];
    return isCut || (border !== undefined && startsNewItem(border));
  });
};

/** Computes the F1 score of the borders between items, without the first photo, which always starts an item. */
const computeF1 = (mixes: readonly Mix[], find: (photos: readonly BorderPhoto[]) => boolean[]): number => {
  let [both, found, wanted] = [0, 0, 0];
  for (const { photos, starts } of mixes)
    for (const [at, isFound] of find(photos).entries()) {
      if (at === 0) continue;
      both += isFound && starts[at] ? 1 : 0;
      found += isFound ? 1 : 0;
      wanted += starts[at] ? 1 : 0;
    }
  return (2 * both) / (found + wanted);
};

const reportF1 = (what: string, mixes: readonly Mix[]): number => {
  const f1 = computeF1(mixes, findStarts);
  const unsure = mixes.flatMap(({ photos }) => estimateItemBorders(photos)).filter(isUncertainBorder).length;
  const gaps = mixes.reduce((sum, { photos }) => sum + photos.length - 1, 0);
  console.log(
    `${what}: F1 of borders ${f1.toFixed(3)} (pauses alone ${computeF1(mixes, findStartsByPauses).toFixed(3)}), ` +
      `${unsure} of ${gaps} gaps marked unsure`,
  );
  return f1;
};

describe('borders between items in photo sets not used for tuning', () => {
  test('are found with the photo features that the photo process computes', async () => {
    const shoots = (corpus?.files ?? []).filter(({ format, group }) => format === 'jpeg' && group).slice(0, 4);
    const real = shoots.map(({ path }) => readFile(join(corpus?.dir ?? '', path)));
    const drawn = sharp(await drawnPhoto(3))
      .resize(640)
      .toBuffer();
    for (const jpeg of await Promise.all([drawn, ...real]))
      expect(await measureLooks(jpeg)).toEqual(await preparedLooks(jpeg));
  });

  test('are found between drawn items on one table', { timeout: 120_000 }, async () => {
    const mixes: Mix[] = [];
    for (const seed of heldOut) mixes.push(await createDrawnMix(seed));
    expect(reportF1('drawn items, held-out seeds', mixes)).toBeGreaterThanOrEqual(0.9);
  });

  test.skipIf(!corpus)(
    'are found in real photos, mostly of shoes on a white background',
    { timeout: 120_000 },
    async () => {
      const mixes: Mix[] = [];
      for (const seed of heldOut) if (corpus) mixes.push(await createCorpusMix(corpus, seed));
      expect(reportF1('real photos, held-out seeds', mixes)).toBeGreaterThanOrEqual(0.9);
    },
  );
});
