import { readFile, stat } from 'node:fs/promises';
import { maxFileBytes } from './limits.ts';
import { codeOfFileError, RefusedPhoto } from './refusals.ts';

/** Reads an original whole. Throws RefusedPhoto when it is gone, too large, or cannot be opened. */
export const readOriginal = async (source: string): Promise<Buffer> => {
  try {
    const found = await stat(source);
    // Pipes and devices could be read forever.
    if (!found.isFile()) throw new RefusedPhoto('NOT_A_PHOTO');
    if (found.size > maxFileBytes) throw new RefusedPhoto('FILE_TOO_LARGE');
    return await readFile(source);
  } catch (error) {
    if (error instanceof RefusedPhoto) throw error;
    throw new RefusedPhoto(codeOfFileError(error, 'UNREADABLE_FILE'), error);
  }
};
