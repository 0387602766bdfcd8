import { core } from '../i18n/english.ts';
import type { RefusalCode } from './refusedPhoto.ts';

const sentences = core.refusals;

export type Refusal = { ok: false; code: RefusalCode; sentence: string };

export const refusalCodes = Object.keys(sentences).filter((code): code is RefusalCode =>
  Object.hasOwn(sentences, code),
);

export const getRefusalSentence = (code: RefusalCode): string => sentences[code];

export const createRefusal = (code: RefusalCode): Refusal => ({ ok: false, code, sentence: sentences[code] });

const codeByErrno: Record<string, RefusalCode> = {
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

/** Returns whether a photo file is temporarily unavailable, for example because its drive was removed. */
export const isUnreadableNow = (code: string | null): boolean => code !== null && unreadableNow.has(code);

/** Returns the code for a file system error, or `otherwise` if the error is unknown. */
export const getFileErrorCode = (error: unknown, otherwise: RefusalCode): RefusalCode => {
  const errno = error instanceof Error && 'code' in error ? String(error.code) : '';
  return codeByErrno[errno] ?? otherwise;
};
