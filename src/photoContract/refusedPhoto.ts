import type { core } from '../i18n/english.ts';

export type RefusalCode = keyof typeof core.refusals;

export class RefusedPhoto extends Error {
  readonly code: RefusalCode;
  constructor(code: RefusalCode, cause?: unknown) {
    super(code, { cause });
    this.name = 'RefusedPhoto';
    this.code = code;
  }
}

export const maxPixels = 120e6;

/**
 * JPEG and HEIC photos have this higher limit: JPEG photos because they are shrunk during decoding, HEIC photos because
 * some phones make 200-megapixel photos.
 */
export const maxPhonePixels = 220e6;

/** A smaller picture is a preview or an icon. */
export const minLongEdgePx = 200;

/** The widest panoramas from phones are about 5:1, so this limit leaves ample room. */
export const maxAspect = 10;

/** Throws `RefusedPhoto` if no listing can show a picture of this size in pixels. */
export const refuseUnusableSize = (width: number, height: number, limit: number): void => {
  if (!(width > 0 && height > 0)) throw new RefusedPhoto('DAMAGED');
  if (width * height > limit) throw new RefusedPhoto('TOO_LARGE');
  const long = Math.max(width, height);
  if (long / Math.min(width, height) > maxAspect) throw new RefusedPhoto('EXTREME_SHAPE');
  if (long < minLongEdgePx) throw new RefusedPhoto('TOO_SMALL');
};
