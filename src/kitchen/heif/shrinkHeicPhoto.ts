import { createShrinkOptions } from '../encode.ts';
import { HeifError, openHeifPhoto, type HeifPhoto } from './heifDecoder.ts';
import { convertLabelledColours, needsColourConversion } from '../labelledColours.ts';
import {
  toPixels,
  toRawInputOptions,
  type DecodeLimits,
  type Pixels,
  type ShrunkPhoto,
  type DeepPixels,
} from '../pixels.ts';
import type { Sharp } from '../sharpBackend.ts';
import { parsePhotoExif } from '../../photoContract/exif.ts';
import { isHeifTruncated, readHeifPrimaryFacts, type HeifColourLabel } from '../../photoContract/heifBoxes.ts';
import { maxPhonePixels, RefusedPhoto, refuseUnusableSize } from '../../photoContract/refusedPhoto.ts';

/**
 * `label` is null if the colours need no conversion by it. `orientation` is the EXIF orientation that is still to be
 * applied.
 */
export type HeifView = { label: HeifColourLabel | null; orientation: number };

const chooseLabel = (label: HeifColourLabel | null): HeifColourLabel | null =>
  label && needsColourConversion(label) ? label : null;

/** Reads the colour label of an AVIF file, which sharp rotates itself; null if its colours need no conversion. */
export const readAvifLabel = (bytes: Uint8Array): HeifColourLabel | null =>
  chooseLabel(readHeifPrimaryFacts(bytes).label);

/**
 * Reads how a HEIC file is to be shown. The decoder applies the container's own rotation, so the EXIF
 * orientation counts only if the container has none. It counts only for photos of cameras, because other programs often
 * leave it unchanged after they have rotated the pixels.
 */
export const readHeifView = (bytes: Uint8Array): HeifView => {
  const { label, isRotated } = readHeifPrimaryFacts(bytes);
  const { make, model, orientation = 1 } = isRotated ? {} : parsePhotoExif(bytes);
  const isFromCamera = make !== undefined && model !== undefined;
  return {
    label: chooseLabel(label),
    orientation: isFromCamera && orientation >= 1 && orientation <= 8 ? orientation : 1,
  };
};

/** Copies the raw samples of 16 bits that sharp returned, because their buffer might not be aligned. */
export const toDeepPixels = (data: Buffer, info: Parameters<typeof toPixels>[1], maxValue: number): DeepPixels => ({
  ...toPixels(data, info),
  data: new Uint16Array(new Uint8Array(data).buffer),
  maxValue,
});

/** The rotation in degrees and the mirroring after it, by EXIF orientation. */
const orientationSteps: Partial<Record<number, [degrees: number, isMirrored: boolean]>> = {
  2: [0, true],
  3: [180, false],
  4: [180, true],
  5: [90, true],
  6: [90, false],
  7: [270, true],
  8: [270, false],
};

const applyOrientation = async (sharp: Sharp, pixels: Pixels, orientation: number): Promise<Pixels> => {
  const steps = orientationSteps[orientation];
  if (!steps) return pixels;
  const [degrees, isMirrored] = steps;
  const rotated = await sharp(pixels.data, toRawInputOptions(pixels))
    .rotate(degrees)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const upright = toPixels(rotated.data, rotated.info);
  if (!isMirrored) return upright;
  const { data, info } = await sharp(upright.data, toRawInputOptions(upright))
    .flop()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return toPixels(data, info);
};

const toEightBitPixels = ({ data, width, height, channels }: DeepPixels): Pixels => {
  if (!(data instanceof Uint8Array)) throw new Error('Only labelled pixels keep more than eight bits.');
  return { data, width, height, channels };
};

/** Converts the labelled colours of decoded pixels of a HEIC file to sRGB and rotates them upright. */
export const applyHeifView = (sharp: Sharp, pixels: DeepPixels, { label, orientation }: HeifView): Promise<Pixels> => {
  const plain = label ? convertLabelledColours(pixels, label) : toEightBitPixels(pixels);
  return applyOrientation(sharp, plain, orientation);
};

const blockPx = 32;

/**
 * A block that was never decoded has zero luma and chroma, which become one of these green values. The value depends on
 * the matrix (BT.601, BT.2020, BT.709) and the range (full, limited).
 */
const isUndecodedColour = (red: number, green: number, blue: number): boolean =>
  red === 0 && blue === 0 && [135, 136, 154, 94, 95, 84, 83, 77, 76].includes(green);

const isFlatBlock = ({ data, width, channels }: DeepPixels, left: number, top: number): boolean => {
  const first = (top * width + left) * channels;
  for (let y = top; y < top + blockPx; y++) {
    for (let at = (y * width + left) * channels, x = 0; x < blockPx; x++, at += channels) {
      if (data[at] !== data[first] || data[at + 1] !== data[first + 1] || data[at + 2] !== data[first + 2])
        return false;
    }
  }
  return true;
};

/** Returns whether a part of the picture was never decoded. The decoder stops at damaged data without an error. */
const hasUndecodedBlocks = (pixels: DeepPixels): boolean => {
  const { data, width, height, channels, maxValue } = pixels;
  for (let top = 0; top + blockPx <= height; top += blockPx) {
    for (let left = 0; left + blockPx <= width; left += blockPx) {
      const at = (top * width + left) * channels;
      const green = Math.round(((data[at + 1] ?? 0) / maxValue) * 255);
      const suspicious = isUndecodedColour(data[at] ?? 1, green, data[at + 2] ?? 1);
      if (suspicious && isFlatBlock(pixels, left, top)) return true;
    }
  }
  return false;
};

const decodeAndShrinkHeic = async (
  sharp: Sharp,
  photo: HeifPhoto,
  longEdgePx: number,
  view: HeifView,
): Promise<Pixels> => {
  const pixels = photo.decode(view.label !== null);
  if (hasUndecodedBlocks(pixels)) throw new RefusedPhoto('DAMAGED');
  const shrinking = sharp(pixels.data, toRawInputOptions(pixels)).resize(createShrinkOptions(longEdgePx));
  if (pixels.data instanceof Uint16Array) {
    const { data, info } = await shrinking
      .toColourspace('rgb16')
      .raw({ depth: 'ushort' })
      .toBuffer({ resolveWithObject: true });
    return applyHeifView(sharp, toDeepPixels(data, info, pixels.maxValue), view);
  }
  const { data, info } = await shrinking.raw().toBuffer({ resolveWithObject: true });
  return applyHeifView(sharp, { ...toPixels(data, info), maxValue: pixels.maxValue }, view);
};

/** Decodes a HEIC photo to small upright pixels. Throws `RefusedPhoto`. */
export const shrinkHeicPhoto = async (sharp: Sharp, bytes: Uint8Array, asked: DecodeLimits): Promise<ShrunkPhoto> => {
  if (isHeifTruncated(bytes)) throw new RefusedPhoto('TRUNCATED');
  const view = readHeifView(bytes);
  let photo: HeifPhoto | undefined;
  try {
    photo = openHeifPhoto(bytes);
    const { width, height } = photo;
    const original = view.orientation > 4 ? { width: height, height: width } : { width, height };
    refuseUnusableSize(original.width, original.height, maxPhonePixels);
    await asked.admit(original.width * original.height);
    const pixels = await decodeAndShrinkHeic(sharp, photo, asked.longEdgeOf(original), view);
    return { pixels, icc: view.label ? null : photo.icc, original };
  } catch (error) {
    if (error instanceof HeifError) throw new RefusedPhoto('HEIC_UNREADABLE', error);
    throw error;
  } finally {
    photo?.close();
  }
};
