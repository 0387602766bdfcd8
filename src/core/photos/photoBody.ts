import { problem } from '../base/problem.ts';

/** A photo of an assistant may have so many bytes. */
export const mostPhotoBytes = 64 * 2 ** 20;

const tooLarge = () => problem('PHOTO_TOO_LARGE', { field: 'body' });

/** The bytes of one photo as they come, and how many there are to be, where that was said before. */
export type PhotoBody = { bytes: AsyncIterable<Buffer>; length: number | null };

/** Throws `PHOTO_TOO_LARGE` for a photo that is said to be larger than it may be, before any of it is read. */
export const checkLength = ({ length }: PhotoBody): void => {
  if (length !== null && length > mostPhotoBytes) throw tooLarge();
};

/** The same bytes, at most as many as a photo may have. Throws `PHOTO_TOO_LARGE` at the first one more. */
export const capped = async function* (body: PhotoBody): AsyncGenerator<Buffer> {
  checkLength(body);
  let count = 0;
  for await (const piece of body.bytes) {
    count += piece.length;
    if (count > mostPhotoBytes) throw tooLarge();
    yield piece;
  }
};

/**
 * Reads a photo into one piece of memory, which is as large as the photo says that it is, or may be; what is not written
 * to is never taken from the system. Nothing is held twice, as it would be if pieces were put together in the end.
 */
export const wholeBody = async (body: PhotoBody): Promise<Buffer> => {
  let held: Buffer | null = null;
  let count = 0;
  for await (const piece of capped(body)) {
    held ??= Buffer.allocUnsafeSlow(body.length ?? mostPhotoBytes);
    if (count + piece.length > held.length) throw tooLarge();
    piece.copy(held, count);
    count += piece.length;
  }
  return held?.subarray(0, count) ?? Buffer.alloc(0);
};
