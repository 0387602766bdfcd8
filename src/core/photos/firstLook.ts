import { byName } from './byName.ts';
import type { SkippedFile } from './groupFiles.ts';
import { headBytes, isPicture, looksLike, startsLikePhoto } from './looksLike.ts';
import { NotOpened, openInside, type Roots } from './openInside.ts';

/** What a first look says: a photo (or what promises to be one, to be refused with a sentence), or why it is passed over. */
export type Verdict = 'photo' | SkippedFile['why'];

/** Looks at the start of files, one after the other, always with the same bytes of memory. */
export const createFirstLook = () => {
  const memory = Buffer.alloc(headBytes);
  const headOf = async (path: string, roots: Roots): Promise<Buffer> => {
    const file = await openInside(roots, path);
    try {
      const { bytesRead } = await file.read(memory, 0, headBytes, 0);
      return memory.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  };
  /**
   * Judges a file by its content. Side files of systems are known by their names alone. What is no picture but has a name
   * that promises one stays, so that preparation can refuse it with a sentence; so does what cannot be opened. A link that
   * leads out of `roots` is not looked at.
   */
  return async (path: string, name: string, roots: Roots): Promise<Verdict> => {
    const says = byName(name);
    if (says === 'junk') return 'junk';
    try {
      const head = await headOf(path, roots);
      if (startsLikePhoto(head)) return 'photo';
      const looks = await looksLike(head);
      if (looks === 'video') return 'video';
      if (says === 'picture' || isPicture(looks)) return 'photo';
      return says === 'video' ? 'video' : 'not_a_photo';
    } catch (error) {
      if (error instanceof NotOpened) return error.why === 'outside' ? 'outside' : 'not_a_photo';
      return says === 'picture' ? 'photo' : 'unreadable';
    }
  };
};
