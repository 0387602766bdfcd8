import { core } from '../i18n/english.ts';

const sentences = core.refusals;

/** Why a photo cannot be used, as a stable code. */
export type RefusalCode = keyof typeof sentences;

/** A refused photo: the code for programs, the sentence for the seller. */
export type Refusal = { ok: false; code: RefusalCode; sentence: string };

/** All codes, for validating messages that carry one. */
export const refusalCodes = Object.keys(sentences).filter((code): code is RefusalCode =>
  Object.hasOwn(sentences, code),
);

/** The sentence a seller reads for a code. */
export const sentenceOf = (code: RefusalCode): string => sentences[code];

/** Builds the refusal of one photo. */
export const refuse = (code: RefusalCode): Refusal => ({ ok: false, code, sentence: sentences[code] });

/** Thrown inside preparation; turned into a Refusal at its edge. */
export class RefusedPhoto extends Error {
  readonly code: RefusalCode;
  constructor(code: RefusalCode, cause?: unknown) {
    super(sentences[code], { cause });
    this.name = 'RefusedPhoto';
    this.code = code;
  }
}

const byErrno: Record<string, RefusalCode> = {
  ENOENT: 'MISSING_FILE',
  ENOTDIR: 'MISSING_FILE',
  EISDIR: 'NOT_A_PHOTO',
  ENOSPC: 'NO_SPACE',
  EDQUOT: 'NO_SPACE',
};

/** The code for an error of the file system, or the given one when it says nothing more precise. */
export const codeOfFileError = (error: unknown, otherwise: RefusalCode): RefusalCode => {
  const errno = error instanceof Error && 'code' in error ? String(error.code) : '';
  return byErrno[errno] ?? otherwise;
};

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
