import sharp from 'sharp';
import { showsPlainPaper } from '../../../src/kitchen/plainPaper.ts';
import type { BorderPhoto } from '../../../src/core/photos/borders/comparePhotos.ts';
import { createRandom, pickBetween, pickLogNormal, pickWhole, type Random } from '../createRandom.ts';
import { createDrawnGarments, type DrawView, type Light, type PickItem, type View } from './garmentPictures.ts';
import { measureLooks, type Mix } from './mixes.ts';

/** How a seller works. `alike`: how often an item resembles the previous one. */
type SellerHabit = {
  alike: number;
  hasTimes: boolean;
  mark: 'labelFirst' | 'barcodeLast' | null;
};

export const sellerHabits = {
  clothes: { alike: 0.15, hasTimes: true, mark: null },
  labelFirst: { alike: 0.15, hasTimes: true, mark: 'labelFirst' },
  barcodeLast: { alike: 0.15, hasTimes: true, mark: 'barcodeLast' },
  shoes: { alike: 0.4, hasTimes: true, mark: null },
  noTimes: { alike: 0.15, hasTimes: false, mark: null },
} as const satisfies Record<string, SellerHabit>;
export type SellerFolderName = keyof typeof sellerHabits;

const markCoverage = 0.9;

/** The views of one item. Most sellers take about as many photos of each item. */
const pickViews = (random: Random, usual: number): View[] => {
  const count = Math.max(
    1,
    Math.min(10, usual + pickWhole(random, -1, 1) + (random() < 0.12 ? pickWhole(random, -2, 4) : 0)),
  );
  const later: View[] = ['back', 'brand', 'close', 'defect', 'close', 'front', 'brand', 'close', 'back'];
  const views = later
    .slice(0, Math.max(0, count - 1))
    .map((view) =>
      random() < 0.3 ? ((['close', 'brand', 'back', 'front'] as const)[pickWhole(random, 0, 3)] ?? view) : view,
    );
  return ['front', ...views];
};

/** Seconds since the previous photo. A seller can be interrupted inside an item, and can be quick between two. */
const pickPauseS = (random: Random, isStart: boolean): number => {
  if (!isStart) return random() < 0.05 ? pickBetween(random, 40, 240) : Math.max(3, pickLogNormal(random, 12, 0.55));
  if (random() < 0.03) return pickBetween(random, 600, 2_400);
  return random() < 0.15 ? pickBetween(random, 6, 14) : Math.max(5, pickLogNormal(random, 48, 0.8));
};

const drawPaperLabel = (random: Random, { level }: Light): Promise<Buffer> => {
  const size = pickBetween(random, 0.75, 1.3);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="427"><rect width="320" height="427" fill="#8a7a66"/>
    <g transform="translate(160 213) rotate(${pickBetween(random, -8, 8)}) scale(${size})"><rect x="-140" y="-180" width="280" height="360" fill="#f4f3ee"/>
    <text y="30" font-size="${pickWhole(random, 50, 90)}" text-anchor="middle" fill="#222">${pickWhole(random, 1, 99)}</text></g></svg>`;
  return sharp(Buffer.from(svg)).removeAlpha().linear(level, 0).jpeg({ quality: 82 }).toBuffer();
};

const measurePhoto = async (jpeg: Buffer): Promise<Pick<BorderPhoto, 'hash64' | 'colours' | 'palette' | 'sheet'>> => {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  return { ...(await measureLooks(jpeg)), sheet: showsPlainPaper({ data, ...info, channels: info.channels as 3 }) };
};

const createDrift = (random: Random): ((at: number) => Light) => {
  const [phase, speed, warm] = [pickBetween(random, 0, 6), pickBetween(random, 0.02, 0.06), pickBetween(random, -1, 1)];
  return (at) => ({
    level: 0.95 + 0.12 * Math.sin(phase + speed * at),
    warmth: warm + 0.5 * Math.sin(phase + 0.7 * speed * at),
  });
};

type Shot = { draw: (light: Light) => Promise<Buffer>; isStart: boolean; barcodes: string[] };

const listShotsOfItem = (random: Random, views: readonly View[], draw: DrawView, { mark }: SellerHabit): Shot[] => {
  const isMarked = mark !== null && random() < markCoverage;
  const shots = views.map((view): Shot => ({
    draw: (light) => draw(random, view, light),
    isStart: false,
    barcodes: [],
  }));
  // A barcode is on the box or on the tag, so its photo shows the item, too.
  if (isMarked && mark === 'barcodeLast')
    shots.push({
      draw: (light) => draw(random, 'brand', light),
      isStart: false,
      barcodes: random() < 0.9 ? ['4006381333931'] : [],
    });
  if (isMarked && mark === 'labelFirst')
    shots.unshift({ draw: (light) => drawPaperLabel(random, light), isStart: false, barcodes: [] });
  return shots.map((shot, at) => ({ ...shot, isStart: at === 0 }));
};

/** Creates the facts of a camera folder of about 45 items. The same seed gives the same folder. */
export const createSellerFolder = async (
  name: SellerFolderName,
  seed: number,
  { items = 45, pickItem }: { items?: number; pickItem?: PickItem } = {},
): Promise<Mix> => {
  const random = createRandom((seed + 1_000 * Object.keys(sellerHabits).indexOf(name)) * 15_485_863);
  const habit: SellerHabit = sellerHabits[name];
  const pick = pickItem ?? createDrawnGarments(random, name === 'shoes' ? 4 : undefined);
  const usual = pickWhole(random, 3, 5);
  const light = createDrift(random);
  const mix: Mix = { photos: [], starts: [] };
  let [takenAt, number] = [Date.UTC(2026, 4, 18, 12), pickWhole(random, 1_000, 8_000)];
  for (let nth = 0; nth < items; nth += 1) {
    const draw = await pick(random, random() < habit.alike);
    for (const shot of listShotsOfItem(random, pickViews(random, usual), draw, habit)) {
      takenAt += Math.round(pickPauseS(random, shot.isStart)) * 1_000;
      number += random() < (shot.isStart ? 0.06 : 0.03) ? 2 : 1;
      const facts = await measurePhoto(await shot.draw(light(mix.photos.length)));
      const time = habit.hasTimes ? takenAt : null;
      mix.photos.push({ ...facts, takenAt: time, name: `IMG_${number}.JPG`, barcodes: shot.barcodes, isLabel: false });
      mix.starts.push(shot.isStart);
    }
  }
  return mix;
};
