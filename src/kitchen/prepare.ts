import { type Pixels, toGreyPixels, halveGreyPixels, type DecodeTurn } from './pixels.ts';
import { readLabelTexts, readLinearCodes } from './barcodes.ts';
import { convertToSrgb } from './colour.ts';
import { computeColourHistogram, computeColourPalette } from './colourFacts.ts';
import { computeDifferenceHash } from './differenceHash.ts';
import { brightenPixels, applyGeometryEdits, computeWholeLongEdge } from './edits.ts';
import { encodePhoto, encodeThumbnail } from './encode.ts';
import { detectFormat } from '../photoContract/detectFormat.ts';
import type { PreparationOptions, PhotoAnalysis } from '../photoContract/messages.ts';
import type { Sharp } from './sharpBackend.ts';
import { decodeAndShrink } from './decodeAndShrink.ts';
import { parseTakenAt } from '../photoContract/exif.ts';
import { showsPlainPaper } from './plainPaper.ts';
import { assessPhotoQuality } from './quality.ts';
import { releaseBytes } from '../isolated/releasableBuffer.ts';

/**
 * A QR code in a larger photo is still readable after the photo is halved, which saves three quarters of the time. A
 * small label in Code 128 or Code 39 is not, so these are read at full size as well.
 */
const minHalvedPx = 1_000;

const measurePhotoFacts = async (pixels: Pixels): Promise<Omit<PhotoAnalysis, 'original'>> => {
  const grey = toGreyPixels(pixels);
  const half = halveGreyPixels(grey);
  const { width, height } = pixels;
  const { barcodes, labelTexts: fullSizeTexts } = await readLinearCodes(grey);
  const halvedTexts = await readLabelTexts(Math.max(width, height) < minHalvedPx ? grey : half);
  const facts = {
    width,
    height,
    hash64: computeDifferenceHash(half),
    colours: computeColourHistogram(pixels),
    palette: computeColourPalette(pixels),
    ...assessPhotoQuality(half, Math.max(width, height)),
    sheet: showsPlainPaper(pixels),
    barcodes,
    labelTexts: [...new Set([...fullSizeTexts, ...halvedTexts])],
  };
  for (const { data } of [grey, half]) releaseBytes(data);
  return facts;
};

const makeUploadPicture = async (
  sharp: Sharp,
  bytes: Buffer,
  { longEdgePx, format, edits }: PreparationOptions,
  turn: DecodeTurn,
) => {
  const looks = await detectFormat(bytes);
  const shrunk = await decodeAndShrink(sharp, looks, bytes, {
    ...turn,
    longEdgeOf: (original) => computeWholeLongEdge(original, edits, longEdgePx),
  });
  const shaped = await applyGeometryEdits(sharp, shrunk.pixels, edits, longEdgePx);
  const coloured = await convertToSrgb(sharp, shaped, shrunk.icc);
  const pixels = brightenPixels(coloured, edits.brighten);
  for (const { data } of [shrunk.pixels, shaped, coloured]) if (data !== pixels.data) releaseBytes(data);
  return { looks, shrunk, pixels, photo: await encodePhoto(sharp, pixels, format) };
};

/**
 * Converts an original to an upload-ready picture and a thumbnail, without metadata. Throws `RefusedPhoto` if the photo
 * is unusable.
 */
export const preparePhotoUpload = async (
  sharp: Sharp,
  bytes: Buffer,
  recipe: PreparationOptions,
  turn: DecodeTurn,
): Promise<{ facts: PhotoAnalysis; photo: Buffer; thumb: Buffer }> => {
  const { looks, shrunk, pixels, photo } = await makeUploadPicture(sharp, bytes, recipe, turn);
  const thumb = await encodeThumbnail(sharp, pixels);
  const taken = parseTakenAt(shrunk.exif ?? bytes);
  const original = { format: looks, ...shrunk.original, ...(taken === undefined ? {} : { takenAt: taken }) };
  const facts = { ...(await measurePhotoFacts(pixels)), original };
  releaseBytes(pixels.data);
  return { facts, photo, thumb };
};

/**
 * Creates the upload-ready picture only, which saves a third of the time. Throws `RefusedPhoto` if the photo is
 * unusable.
 */
export const preparePicture = async (
  sharp: Sharp,
  bytes: Buffer,
  recipe: PreparationOptions,
  turn: DecodeTurn,
): Promise<{ width: number; height: number; photo: Buffer }> => {
  const { pixels, photo } = await makeUploadPicture(sharp, bytes, recipe, turn);
  releaseBytes(pixels.data);
  return { width: pixels.width, height: pixels.height, photo };
};
