import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { computeColourHistogram, computeColourPalette } from '../../../src/kitchen/colourFacts.ts';
import { computeDifferenceHash } from '../../../src/kitchen/differenceHash.ts';
import { computeWholeLongEdge } from '../../../src/kitchen/edits.ts';
import {
  toGreyPixels,
  halveGreyPixels,
  toPixels,
  toRawInputOptions,
  type Pixels,
} from '../../../src/kitchen/pixels.ts';
import { preparePhotoUpload } from '../../../src/kitchen/prepare.ts';
import { decodeAndShrink } from '../../../src/kitchen/decodeAndShrink.ts';
import { noEdits } from '../../../src/photoContract/constants.ts';
import type { BorderPhoto } from '../../../src/core/photos/borders/comparePhotos.ts';
import { createRandom, pickBetween, pickWhole, type Random } from '../createRandom.ts';
import type { Corpus } from './corpus.ts';

/** Photos of several items from one folder; `starts[i]` is true if photo i is the first of an item. */
export type Mix = { photos: BorderPhoto[]; starts: boolean[] };

/** Returns a pause between the limits; short pauses are more likely (5 to 10 s as likely as 50 to 100 s). */
const pauseBetween = (random: Random, least: number, most: number): number => least * (most / least) ** random();

type Looks = Pick<BorderPhoto, 'hash64' | 'colours' | 'palette'>;

export const noMark: Pick<BorderPhoto, 'barcodes' | 'sheet' | 'isLabel'> = {
  barcodes: [],
  sheet: false,
  isLabel: false,
};

const longEdgePx = 320;
const turn = { admit: async () => undefined, isAlone: true };
const getLongEdge = (original: { width: number; height: number }) =>
  computeWholeLongEdge(original, noEdits, longEdgePx);

/** Returns what the photo process sees in a photo when it prepares the photo. */
export const preparedLooks = async (jpeg: Buffer): Promise<Looks> => {
  const { facts } = await preparePhotoUpload(sharp, jpeg, { longEdgePx, format: 'jpeg', edits: noEdits }, turn);
  return { hash64: facts.hash64, colours: facts.colours, palette: facts.palette };
};

/**
 * The same without writing pictures and reading barcodes, which takes ten times as long. The photo must have no
 * profile.
 */
export const measureLooks = async (jpeg: Buffer): Promise<Looks> => {
  const { pixels } = await decodeAndShrink(sharp, 'jpeg', jpeg, { ...turn, longEdgeOf: getLongEdge });
  return {
    hash64: computeDifferenceHash(halveGreyPixels(toGreyPixels(pixels))),
    colours: computeColourHistogram(pixels),
    palette: computeColourPalette(pixels),
  };
};

type Item = { hue: number; dark: number; second: number; shape: number };

const shapes: readonly string[] = [
  '<ellipse rx="95" ry="60"/><rect x="-30" y="-80" width="60" height="40"/>',
  '<rect x="-100" y="-45" width="200" height="90" rx="8"/>',
  '<path d="M-90 60 L0 -90 L90 60 Z"/>',
  '<path d="M-110 20 q60 -110 120 -20 l90 30 v30 h-210 Z"/>',
  '<rect x="-45" y="-95" width="90" height="190" rx="30"/>',
];

/**
 * Draws a photo of an item on the day's table: from another position, rotated a little, in other light, sometimes
 * close.
 */
const drawnPhoto = async (random: Random, item: Item, table: number): Promise<Buffer> => {
  const close = random() < 0.25 ? pickBetween(random, 1.5, 2.1) : pickBetween(random, 0.75, 1.3);
  const [width, height] = random() < 0.2 ? [240, 320] : [320, 240];
  const place = `translate(${width / 2 + pickBetween(random, -30, 30)} ${height / 2 + pickBetween(random, -22, 22)})`;
  const turn = `rotate(${pickBetween(random, -40, 40)}) scale(${close})`;
  const light = pickBetween(random, -7, 7);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="${width}" height="${height}" fill="hsl(${table} 18% ${72 + light}%)"/>
    <g transform="${place} ${turn}" fill="hsl(${item.hue} 55% ${item.dark + light}%)">${shapes[item.shape] ?? ''}
    <rect x="-30" y="-12" width="${30 + (item.second % 30)}" height="24" fill="hsl(${item.second} 60% ${50 + light}%)"/></g></svg>`;
  return sharp(Buffer.from(svg)).removeAlpha().jpeg({ quality: 82 }).toBuffer();
};

const drawnItem = (random: Random): Item => ({
  hue: pickWhole(random, 0, 359),
  dark: pickWhole(random, 20, 65),
  second: pickWhole(random, 0, 359),
  shape: pickWhole(random, 0, shapes.length - 1),
});

/** Creates another shot from a real photo: a part of it, in other light, rotated a little. */
const createShot = async (random: Random, photo: Pixels): Promise<Buffer> => {
  const { width, height } = photo;
  const part = pickBetween(random, 0.6, 1);
  const [wide, high] = [Math.floor(width * part), Math.floor(height * part)];
  return sharp(photo.data, toRawInputOptions(photo))
    .extract({
      left: Math.floor((width - wide) * random()),
      top: Math.floor((height - high) * random()),
      width: wide,
      height: high,
    })
    .rotate(pickBetween(random, -12, 12), { background: '#ffffff' })
    .linear(pickBetween(random, 0.88, 1.12), pickBetween(random, -8, 8))
    .resize(320, 320, { fit: 'inside' })
    .jpeg({ quality: 82 })
    .toBuffer();
};

/** Creates shots of one item; each call uses another item. */
type Shots = (random: Random, count: number) => Promise<Buffer[]>;

/** Combines shots of several items: 2 to 20 s between those of an item, 5 s to 5 min between items. */
const combineShots = async (random: Random, items: number, shotsOf: Shots): Promise<Mix> => {
  const photos: BorderPhoto[] = [];
  const starts: boolean[] = [];
  let takenAt = Date.UTC(2026, 4, 18, 12);
  let number = pickWhole(random, 1000, 8000);
  for (let nth = 0; nth < items; nth += 1) {
    for (const [at, jpeg] of (await shotsOf(random, pickWhole(random, 1, 7))).entries()) {
      const isStart = at === 0;
      const pauseS = isStart ? pauseBetween(random, 5, 300) : pauseBetween(random, 2, 20);
      // Cameras record whole seconds.
      takenAt += Math.round(pauseS) * 1_000;
      // Sometimes a photo was deleted on the camera, mostly before another item.
      number += random() < (isStart ? 0.15 : 0.04) ? 2 : 1;
      photos.push({ ...noMark, ...(await measureLooks(jpeg)), takenAt, name: `IMG_${number}.JPG` });
      starts.push(isStart);
    }
  }
  return { photos, starts };
};

/** Returns drawn items on one table. The same seed gives the same mix. */
export const createDrawnMix = (seed: number, items = 12): Promise<Mix> => {
  const random = createRandom(seed * 7_919);
  const table = pickWhole(random, 0, 359);
  return combineShots(random, items, async (next, count) => {
    const item = drawnItem(next);
    const shots: Buffer[] = [];
    for (let at = 0; at < count; at += 1) shots.push(await drawnPhoto(next, item, table));
    return shots;
  });
};

const turned = new Map<string, Promise<Pixels>>();

const rotateShot = async (path: string): Promise<Pixels> => {
  const jpeg = await sharp(await readFile(path))
    .autoOrient()
    .toBuffer();
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  return toPixels(data, info);
};

/** Decodes a photo of the corpus in upright orientation, only once because many shots are created from it. */
const decodeUpright = (path: string): Promise<Pixels> => {
  const photo = turned.get(path) ?? rotateShot(path);
  turned.set(path, photo);
  return photo;
};

/** Returns items from the corpus, most on a white background: each photo and further shots created from it. */
export const createCorpusMix = async ({ dir, files }: Corpus, seed: number, items = 12): Promise<Mix> => {
  const random = createRandom(seed * 104_729);
  const groups = [
    ...Map.groupBy(
      files.filter(({ expected, format, group }) => expected.outcome === 'ok' && format === 'jpeg' && group),
      ({ group }) => group,
    ).values(),
  ];
  const order = groups.map((group) => ({ group, place: random() })).toSorted((a, b) => a.place - b.place);
  let nth = 0;
  return combineShots(random, Math.min(items, order.length), async (next, count) => {
    const group = order[nth++]?.group ?? [];
    const shots: Buffer[] = [];
    for (let at = 0; at < count; at += 1) {
      shots.push(await createShot(next, await decodeUpright(join(dir, group[at % group.length]?.path ?? ''))));
    }
    return shots;
  });
};
