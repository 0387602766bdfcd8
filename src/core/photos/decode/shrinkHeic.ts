import { shrinking } from './encode.ts';
import { isCutShort } from './heifBoxes.ts';
import { HeifError, openHeif, type HeifPhoto, type HeifPixels } from './heifDecoder.ts';
import { checkSize, maxPhonePixels, RefusedPhoto } from './refusals.ts';
import { pixelsOf, rawInput, type Pixels, type Asked, type Shrunk } from './pixels.ts';
import type { Sharp } from './sharpBackend.ts';

const blockPx = 32;

/**
 * What memory that was never decoded into looks like: luma and chroma all zero, which is a green outside of what RGB can
 * hold. Its value depends on the matrix: BT.601, BT.2020, BT.709, in full or limited range.
 */
const isUndecoded = (red: number, green: number, blue: number): boolean =>
  red === 0 && blue === 0 && [135, 136, 154, 94, 95, 84, 83, 77, 76].includes(green);

const isFlatBlock = ({ data, width, channels }: HeifPixels, left: number, top: number): boolean => {
  const first = (top * width + left) * channels;
  for (let y = top; y < top + blockPx; y++) {
    for (let at = (y * width + left) * channels, x = 0; x < blockPx; x++, at += channels) {
      if (data[at] !== data[first] || data[at + 1] !== data[first + 1] || data[at + 2] !== data[first + 2])
        return false;
    }
  }
  return true;
};

/** Whether a part of the picture was never decoded. The decoder stops at damage without an error. */
export const hasHoles = (pixels: HeifPixels): boolean => {
  const { data, width, height, channels } = pixels;
  for (let top = 0; top + blockPx <= height; top += blockPx) {
    for (let left = 0; left + blockPx <= width; left += blockPx) {
      const at = (top * width + left) * channels;
      const suspicious = isUndecoded(data[at] ?? 1, data[at + 1] ?? 0, data[at + 2] ?? 1);
      if (suspicious && isFlatBlock(pixels, left, top)) return true;
    }
  }
  return false;
};

const shrink = async (sharp: Sharp, photo: HeifPhoto, longEdgePx: number): Promise<Pixels> => {
  const pixels = photo.decode();
  if (hasHoles(pixels)) throw new RefusedPhoto('DAMAGED');
  const { data, info } = await sharp(pixels.data, rawInput(pixels))
    .resize(shrinking(longEdgePx))
    .raw()
    .toBuffer({ resolveWithObject: true });
  return pixelsOf(data, info);
};

/**
 * Decodes a HEIC photo to small upright pixels. Only the container's rotation counts: phones repeat it as EXIF
 * orientation, and applying both would turn the photo twice. Throws RefusedPhoto.
 */
export const shrinkHeic = async (sharp: Sharp, bytes: Uint8Array, asked: Asked): Promise<Shrunk> => {
  if (isCutShort(bytes)) throw new RefusedPhoto('TRUNCATED');
  let photo: HeifPhoto | undefined;
  try {
    photo = openHeif(bytes);
    const original = { width: photo.width, height: photo.height };
    checkSize(original.width, original.height, maxPhonePixels);
    await asked.admit(original.width * original.height);
    const pixels = await shrink(sharp, photo, asked.longEdgeOf(original));
    return { pixels, icc: photo.icc, original };
  } catch (error) {
    if (error instanceof HeifError) throw new RefusedPhoto('HEIC_UNREADABLE', error);
    throw error;
  } finally {
    photo?.close();
  }
};
