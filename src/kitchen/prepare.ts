import { type Pixels, greyOf, halved, type Asked } from './pixels.ts';
import { readBarcodesIn } from './barcodes.ts';
import { toSrgb } from './colour.ts';
import { colourHistogram } from './colourHistogram.ts';
import { differenceHash } from './differenceHash.ts';
import { brightened, reshape, wholeLongEdge } from './edits.ts';
import { encodePhoto, encodeThumbnail } from './encode.ts';
import { detectFormat } from '../photoContract/detectFormat.ts';
import type { Recipe, SeenFacts } from '../photoContract/messages.ts';
import type { Sharp } from './sharpBackend.ts';
import { shrink } from './shrink.ts';
import { takenAt } from '../photoContract/exif.ts';
import { assessQuality } from './quality.ts';
import { release } from '../isolated/releasableBuffer.ts';

/** The middle of the picture is sampled: every fourth pixel of every fourth row. */
const margin = 0.2;
const stride = 4;

/** The maximum difference between the channels of a colour that counts as paper. */
const mostTint = 40;
const mostShade = 0.75;

/**
 * Whether the middle of a picture is a sheet of paper: one light, nearly colourless shade with little writing. Items on
 * a white background have the item in the middle.
 */
const showsSheet = ({ data, width, height, channels }: Pixels): boolean => {
  const counts = new Uint32Array(256);
  let [looked, colourless] = [0, 0];
  for (let y = Math.round(height * margin); y < height * (1 - margin); y += stride) {
    for (let x = Math.round(width * margin); x < width * (1 - margin); x += stride) {
      const at = (y * width + x) * channels;
      const [red, green, blue] = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
      looked += 1;
      if (Math.max(red, green, blue) - Math.min(red, green, blue) >= mostTint) continue;
      counts[green] = (counts[green] ?? 0) + 1;
      colourless += 1;
    }
  }
  let seen = 0;
  const usual = counts.findIndex((count) => (seen += count) > colourless * 0.7);
  const paper = counts.reduce((sum, count, light) => (light > usual * mostShade ? sum + count : sum), 0);
  return usual > 140 && paper > looked * 0.88;
};

const factsOf = async (pixels: Pixels): Promise<Omit<SeenFacts, 'original'>> => {
  const grey = greyOf(pixels);
  const half = halved(grey);
  const { width, height } = pixels;
  const facts = {
    width,
    height,
    hash64: differenceHash(half),
    colours: colourHistogram(pixels),
    ...assessQuality(half, Math.max(width, height)),
    sheet: showsSheet(pixels),
    barcodes: await readBarcodesIn(grey),
  };
  for (const { data } of [grey, half]) release(data);
  return facts;
};

/** Makes the upload-ready picture of an original. Returns the intermediate results, too. */
const pictureOf = async (sharp: Sharp, bytes: Buffer, { longEdgePx, format, edits }: Recipe, admit: Asked['admit']) => {
  const looks = await detectFormat(bytes);
  const shrunk = await shrink(sharp, looks, bytes, {
    admit,
    longEdgeOf: (original) => wholeLongEdge(original, edits, longEdgePx),
  });
  const shaped = await reshape(sharp, shrunk.pixels, edits, longEdgePx);
  const coloured = await toSrgb(sharp, shaped, shrunk.icc);
  const pixels = brightened(coloured, edits.brighten);
  for (const { data } of [shrunk.pixels, shaped, coloured]) if (data !== pixels.data) release(data);
  return { looks, shrunk, pixels, photo: await encodePhoto(sharp, pixels, format) };
};

/**
 * Converts an original to an upload-ready JPEG or WebP and a thumbnail: upright, edited, sRGB, on white, small enough,
 * without metadata. Throws RefusedPhoto for unusable photos; any other error is not the photo's fault. `admit` grants
 * permission before pixels are decoded.
 */
export const prepare = async (
  sharp: Sharp,
  bytes: Buffer,
  recipe: Recipe,
  admit: Asked['admit'],
): Promise<{ facts: SeenFacts; photo: Buffer; thumb: Buffer }> => {
  const { looks, shrunk, pixels, photo } = await pictureOf(sharp, bytes, recipe, admit);
  const thumb = await encodeThumbnail(sharp, pixels);
  const taken = takenAt(shrunk.exif ?? bytes);
  const original = { format: looks, ...shrunk.original, ...(taken === undefined ? {} : { takenAt: taken }) };
  const facts = { ...(await factsOf(pixels)), original };
  release(pixels.data);
  return { facts, photo, thumb };
};

/**
 * Makes only the upload-ready picture of an original: skipping the thumbnail, the quality and the barcodes saves a
 * third of the time. Throws RefusedPhoto for unusable photos.
 */
export const preparePicture = async (
  sharp: Sharp,
  bytes: Buffer,
  recipe: Recipe,
  admit: Asked['admit'],
): Promise<{ width: number; height: number; photo: Buffer }> => {
  const { pixels, photo } = await pictureOf(sharp, bytes, recipe, admit);
  release(pixels.data);
  return { width: pixels.width, height: pixels.height, photo };
};
