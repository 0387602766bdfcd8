import { core } from '../i18n/english.ts';
import type { RefusalCode } from './refusedPhoto.ts';

const sentences = core.refusals;

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

const byErrno: Record<string, RefusalCode> = {
  ENOENT: 'MISSING_FILE',
  ENOTDIR: 'MISSING_FILE',
  EISDIR: 'NOT_A_PHOTO',
  ENOSPC: 'NO_SPACE',
  EDQUOT: 'NO_SPACE',
  EMFILE: 'MACHINE_BUSY',
  ENFILE: 'MACHINE_BUSY',
  ENOMEM: 'MACHINE_BUSY',
  EAGAIN: 'MACHINE_BUSY',
};

const unreadableNow: ReadonlySet<string> = new Set<RefusalCode>(['MISSING_FILE', 'UNREADABLE_FILE']);

/** Whether a code says that a photo cannot be read where it lies now: its folder was renamed, say, or its drive is away. */
export const isUnreadableNow = (code: string | null): boolean => code !== null && unreadableNow.has(code);

/** The code for an error of the file system, or the given one when it says nothing more precise. */
export const codeOfFileError = (error: unknown, otherwise: RefusalCode): RefusalCode => {
  const errno = error instanceof Error && 'code' in error ? String(error.code) : '';
  return byErrno[errno] ?? otherwise;
};

/** Original files above this are refused unread; the largest phone photos known are about 100 MB. */
export const maxFileBytes = 400e6;
