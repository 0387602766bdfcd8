import { encodeJpeg, within, type Encoded } from './encode.ts';
import { isCutShort } from './heifBoxes.ts';
import { HeifError, openHeif, type HeifPhoto, type HeifPixels } from './heifDecoder.ts';
import { checkSize, maxPhonePixels } from './limits.ts';
import { RefusedPhoto } from './refusals.ts';
import type { Sharp } from './sharpBackend.ts';
import { tiffOf } from './tiffOf.ts';

/** Asks for room before pixels are decoded; resolves when there is some. */
export type Admit = (pixels: number) => Promise<void>;

/** An encoded photo, the upright size of its original in pixels, and the original's EXIF where it was read already. */
export type Prepared = Encoded & { originalWidth: number; originalHeight: number; exif?: Buffer | undefined };

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

const convert = async (sharp: Sharp, photo: HeifPhoto, longEdgePx: number): Promise<Encoded> => {
  const pixels = photo.decode();
  if (hasHoles(pixels)) throw new RefusedPhoto('DAMAGED');
  const { width, height, channels } = pixels;
  // First small, then colour: converting 12 megapixels costs more than all the rest.
  const { data, info } = await sharp(pixels.data, { raw: { width, height, channels }, limitInputPixels: false })
    .resize(within(longEdgePx))
    .raw()
    .toBuffer({ resolveWithObject: true });
  return encodeJpeg(sharp, tiffOf({ data, width: info.width, height: info.height, channels }, photo.icc));
};

/**
 * Decodes a HEIC photo. Only the container's rotation counts: phones repeat it as EXIF orientation, and applying both
 * would turn the photo twice. Throws RefusedPhoto.
 */
export const prepareHeic = async (
  sharp: Sharp,
  bytes: Uint8Array,
  longEdgePx: number,
  admit: Admit,
): Promise<Prepared> => {
  if (isCutShort(bytes)) throw new RefusedPhoto('TRUNCATED');
  let photo: HeifPhoto | undefined;
  try {
    photo = openHeif(bytes);
    checkSize(photo.width, photo.height, maxPhonePixels);
    await admit(photo.width * photo.height);
    const encoded = await convert(sharp, photo, longEdgePx);
    return { ...encoded, originalWidth: photo.width, originalHeight: photo.height };
  } catch (error) {
    if (error instanceof HeifError) throw new RefusedPhoto('HEIC_UNREADABLE', error);
    throw error;
  } finally {
    photo?.close();
  }
};
