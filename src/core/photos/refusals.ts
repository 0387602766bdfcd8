import { core } from '../../i18n/english.ts';

const sentences = core.refusals;

/** Why a photo cannot be used, as a stable code. */
export type RefusalCode = keyof typeof sentences;

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
