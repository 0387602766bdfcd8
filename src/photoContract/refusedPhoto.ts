import type { core } from '../i18n/english.ts';

/** Why a photo cannot be used, as a stable code. */
export type RefusalCode = keyof typeof core.refusals;

/** Thrown during preparation; the caller at its boundary converts it to a refusal. */
export class RefusedPhoto extends Error {
  readonly code: RefusalCode;
  constructor(code: RefusalCode, cause?: unknown) {
    super(code, { cause });
    this.name = 'RefusedPhoto';
    this.code = code;
  }
}

/** The maximum number of pixels that are decoded in full. */
export const maxPixels = 120e6;

/** The higher limit for JPEG, which is shrunk while decoded, and for HEIC, which comes from 200-megapixel phones. */
export const maxPhonePixels = 220e6;

/** The minimum long edge in pixels; a smaller picture is a preview or an icon. */
export const minLongEdgePx = 200;

/** The widest phone panoramas are about 5 : 1. */
export const maxAspect = 10;

/** Throws RefusedPhoto for a size that no listing can show, before any pixel is decoded. Sizes in pixels. */
export const checkPhotoSize = (width: number, height: number, limit: number): void => {
  if (!(width > 0 && height > 0)) throw new RefusedPhoto('DAMAGED');
  if (width * height > limit) throw new RefusedPhoto('TOO_LARGE');
  const long = Math.max(width, height);
  if (long / Math.min(width, height) > maxAspect) throw new RefusedPhoto('EXTREME_SHAPE');
  if (long < minLongEdgePx) throw new RefusedPhoto('TOO_SMALL');
};
