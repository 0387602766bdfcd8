import { RefusedPhoto } from './refusals.ts';

/** Original files above this are refused unread; the largest phone photos known are about 100 MB. */
export const maxFileBytes = 400e6;

/** Pixels that may be decoded in full. */
export const maxPixels = 120e6;

/** JPEGs are shrunk while decoded and HEIC comes from phones with 200-megapixel cameras, so both may be larger. */
export const maxPhonePixels = 220e6;

/** Shorter than this is a preview or an icon, not a photo of an item. Pixels of the long edge. */
export const minLongEdgePx = 200;

/** The widest panoramas of phones are about 5 : 1. */
export const maxAspect = 10;

/** Refuses what no listing can show, from the header, before a pixel is decoded. Sizes in pixels. */
export const checkSize = (width: number, height: number, limit: number): void => {
  if (!(width > 0 && height > 0)) throw new RefusedPhoto('DAMAGED');
  if (width * height > limit) throw new RefusedPhoto('TOO_LARGE');
  const long = Math.max(width, height);
  if (long / Math.min(width, height) > maxAspect) throw new RefusedPhoto('EXTREME_SHAPE');
  if (long < minLongEdgePx) throw new RefusedPhoto('TOO_SMALL');
};
