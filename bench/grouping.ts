import { estimateItemBorders, isUncertainBorder, startsNewItem } from '../src/core/photos/borders/itemBorders.ts';
import { countDifferingBits } from '../src/core/photos/photoLikeness.ts';
import { groupShotsByPause } from '../src/core/photos/splitGroups.ts';
import type { BorderPhoto } from '../src/core/photos/borders/comparePhotos.ts';
import type { Mix } from '../test/helpers/photos/mixes.ts';
import { createSellerFolder, sellerHabits, type SellerFolderName } from '../test/helpers/photos/sellerFolders.ts';
import { against, type Compared } from './compare.ts';

/** The weights were fitted to seeds 100 to 119. Do not tune to these seeds. */
const seeds = [301, 302, 303, 304];

const goals: Record<SellerFolderName, number> = {
  clothes: 0.92,
  labelFirst: 0.95,
  barcodeLast: 0.95,
  shoes: 0.88,
  noTimes: 0.86,
};
const minMarkedShare = 80;

/** Photos of other angles differ in 20 bits or more, so a border needs more. */
const minBorderBits = 26;

/** Returns for each gap whether a new item begins. */
type FindBorders = (photos: readonly BorderPhoto[]) => boolean[];

const findByPauses: FindBorders = (photos) => {
  const shots = photos.map(({ takenAt }) => ({ takenAt: takenAt ?? undefined, camera: undefined }));
  const firsts = new Set(groupShotsByPause(shots, 'flat').map(([at]) => at));
  return photos.slice(1).map((_, before) => firsts.has(before + 1));
};

const findByHashes: FindBorders = (photos) =>
  photos
    .slice(1)
    .map(({ hash64 }, before) => countDifferingBits(photos[before]?.hash64 ?? '', hash64 ?? '') >= minBorderBits);

const findBorders: FindBorders = (photos) => estimateItemBorders(photos).map(startsNewItem);

const listWrongGaps = (found: readonly boolean[], starts: readonly boolean[]): number[] =>
  found.flatMap((isFound, gap) => (isFound === starts[gap + 1] ? [] : [gap]));

const computeF1 = (folders: readonly Mix[], find: FindBorders): number => {
  let [wrong, borders] = [0, 0];
  for (const { photos, starts } of folders) {
    const found = find(photos);
    wrong += listWrongGaps(found, starts).length;
    borders += found.filter(Boolean).length + starts.filter(Boolean).length - 1;
  }
  return 1 - wrong / borders;
};

/** Returns how many of the wrong gaps and of all gaps are marked for the person, in percent. */
const computeMarkedShares = (folders: readonly Mix[]): { wrong: number; all: number } => {
  const gaps = folders.flatMap(({ photos, starts }) =>
    estimateItemBorders(photos).map((border, gap) => ({
      isMarked: isUncertainBorder(border),
      isWrong: startsNewItem(border) !== starts[gap + 1],
    })),
  );
  const wrong = gaps.filter(({ isWrong }) => isWrong);
  const computePercent = (some: typeof gaps): number =>
    (100 * some.filter(({ isMarked }) => isMarked).length) / Math.max(1, some.length);
  return { wrong: computePercent(wrong), all: computePercent(gaps) };
};

const countRepairs = (folders: readonly Mix[], find: FindBorders): number =>
  folders.reduce((sum, { photos, starts }) => sum + listWrongGaps(find(photos), starts).length, 0) / folders.length;

const benchFolders = (name: SellerFolderName, folders: readonly Mix[]): Compared[] => {
  const f1 = computeF1(folders, findBorders);
  const { hasTimes } = sellerHabits[name];
  return [
    ...(hasTimes
      ? [against(`${name}: F1 of the borders`, '', f1, 'pauses alone', computeF1(folders, findByPauses))]
      : []),
    against(`${name}: F1 of the borders`, '', f1, 'hashes alone', computeF1(folders, findByHashes)),
    against(`${name}: F1 of the borders`, '', f1, 'the goal', goals[name]),
    against(
      `${name}: repairs per folder`,
      'gaps',
      countRepairs(folders, findBorders),
      'pauses alone',
      countRepairs(folders, findByPauses),
    ),
  ];
};

/** Groups camera folders of about 45 items that were never used for tuning, and counts the wrong borders. */
export const benchGrouping = async (): Promise<Compared[]> => {
  const rows: Compared[] = [];
  const all: Mix[] = [];
  for (const name of Object.keys(sellerHabits) as SellerFolderName[]) {
    const folders: Mix[] = [];
    for (const seed of seeds) folders.push(await createSellerFolder(name, seed));
    rows.push(...benchFolders(name, folders));
    all.push(...folders);
  }
  const marked = computeMarkedShares(all);
  return [
    ...rows,
    against('wrong gaps that are marked as unsure', '%', marked.wrong, 'the goal', minMarkedShare),
    against('gaps that are marked as unsure', '%', marked.all, 'all gaps', 100),
  ];
};
