import { maxFileBytes } from './limits.ts';
import { NotOpened, openInside, type Roots } from './openInside.ts';
import { codeOfFileError, RefusedPhoto, type RefusalCode } from './refusals.ts';

const codes: Record<NotOpened['why'], RefusalCode> = { outside: 'OUTSIDE_FOLDER', no_file: 'NOT_A_PHOTO' };

/** An original: where it is, and what it was given with; null for one of the companion's own copies. */
export type Original = { source: string; root?: string | null | undefined };

/** What an original may be read from. */
export const rootsOf = ({ root }: Original): Roots => (typeof root === 'string' ? [root] : null);

/** Reads an original whole. Throws RefusedPhoto when it is gone, elsewhere by now, too large, or cannot be opened. */
export const readOriginal = async (original: Original): Promise<Buffer> => {
  try {
    const file = await openInside(rootsOf(original), original.source);
    try {
      if ((await file.stat()).size > maxFileBytes) throw new RefusedPhoto('FILE_TOO_LARGE');
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof RefusedPhoto) throw error;
    if (error instanceof NotOpened) throw new RefusedPhoto(codes[error.why]);
    throw new RefusedPhoto(codeOfFileError(error, 'UNREADABLE_FILE'), error);
  }
};
