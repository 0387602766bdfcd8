import type { core } from '../i18n/english.ts';

/** Why a photo cannot be used, as a stable code. */
export type RefusalCode = keyof typeof core.refusals;

/** Thrown inside preparation; turned into a refusal with its sentence at its edge. */
export class RefusedPhoto extends Error {
  readonly code: RefusalCode;
  constructor(code: RefusalCode, cause?: unknown) {
    super(code, { cause });
    this.name = 'RefusedPhoto';
    this.code = code;
  }
}

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
