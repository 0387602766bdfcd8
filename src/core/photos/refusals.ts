/** Why a photo cannot be used, as a stable code. */
export type RefusalCode = keyof typeof sentences;

/** What the seller reads: what is wrong with this photo, and what to do about it. */
const sentences = {
  EMPTY_FILE: 'This file is empty. Copy it from the phone or camera again.',
  NOT_A_PHOTO: 'This file is not a photo. Leave it out, or add the photo it was made from.',
  TRUNCATED: 'The end of this photo is missing, so part of it cannot be shown. Copy it from the phone or camera again.',
  DAMAGED: 'This photo is damaged and parts of it cannot be shown. Copy it again, or take a new one.',
  TOO_LARGE: 'This photo has too many pixels to be prepared here. Save a smaller copy and add that.',
  FILE_TOO_LARGE: 'This file is too large to be prepared here. Save a smaller copy and add that.',
  TOO_SMALL: 'This picture is too small for a listing. Use the original photo, not a preview of it.',
  EXTREME_SHAPE: 'This picture is far too long and narrow for a listing. Cut out the part that shows the item.',
  ANIMATED: 'This picture moves. Buyers see a still photo: save one frame as JPEG or PNG and add that.',
  SVG: 'This is a drawing (SVG), not a photo. Save it as JPEG or PNG and add that.',
  PDF: 'This is a PDF, not a photo. Save the page as JPEG or PNG and add that.',
  VIDEO: 'This is a video, not a photo. Save a still picture from it and add that.',
  CAMERA_RAW: 'This is a raw camera file. Save it as JPEG with the camera’s program and add that.',
  OTHER_PICTURE: 'This kind of picture file cannot be read here. Save it as JPEG or PNG and add that.',
  HEIC_UNREADABLE: 'This iPhone-style photo (HEIC) cannot be read here. Save it as JPEG and add that.',
  MISSING_FILE: 'This photo is no longer where it was. Put it back, or add it again from its new place.',
  UNREADABLE_FILE:
    'This photo cannot be opened. Check that you may read it and that its disk is connected, then try again.',
  NO_SPACE: 'The disk is full, so this photo could not be prepared. Free some space, then try again.',
  CANNOT_WRITE:
    'The prepared photo could not be saved. Check that the companion’s folder may be written to, then try again.',
  WORKER_DIED: 'Preparing this photo failed twice. Save a copy of it as JPEG and add that.',
} as const;

/** A refused photo: the code for programs, the sentence for the seller. */
export type Refusal = { ok: false; code: RefusalCode; sentence: string };

/** All codes, for validating messages that carry one. */
export const refusalCodes = Object.keys(sentences) as [RefusalCode, ...RefusalCode[]];

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
