import { problem, diskProblem, Problem } from '../base/problem.ts';
import { createSemaphore } from '../base/semaphore.ts';
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { discardFile, putInPlace } from '../../disk/changeFiles.ts';
import { systemDisk, type Disk } from '../../disk/disk.ts';

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

/** Photos of assistants whose bytes are taken at a time, and how many more may wait for that. */
const bodiesAtOnce = 3;
const mostWaiting = 60;

/** The line before everything that takes the bytes of a photo from an assistant, however they come. */
export type UploadLine = ReturnType<typeof createUploadLine>;

export const createUploadLine = () => {
  const places = createSemaphore(bodiesAtOnce);
  let inLine = 0;
  return {
    /** Runs `work` once there is a place for its bytes. Throws `TOO_MANY_UPLOADS`, and the signal's reason while it waits. */
    run: async <T>(id: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
      if (inLine >= bodiesAtOnce + mostWaiting) throw problem('TOO_MANY_UPLOADS', { retryAfterS: 2 });
      inLine += 1;
      try {
        const leave = await places.take(id, signal);
        try {
          return await work();
        } finally {
          leave();
        }
      } finally {
        inLine -= 1;
      }
    },
  };
};

/** Bytes of photos that came without a path (a browser has none), kept until they are prepared. */
export type Intake = ReturnType<typeof createIntake>;

export const createIntake = (dir: string, disk: Disk = systemDisk) => {
  const place = (uploadId: string): string => join(dir, uploadId);
  return {
    /** Writes one photo to disk; it has its final name only when all of it is there. Throws what `bytes` ends with. */
    receive: async (bytes: Readable): Promise<{ uploadId: string }> => {
      const uploadId = randomUUID();
      const partial = `${place(uploadId)}.part`;
      try {
        await mkdir(dir, { recursive: true });
        await pipeline(bytes, createWriteStream(partial, { mode: 0o600 }));
        await putInPlace(partial, place(uploadId), disk);
      } catch (error) {
        await discardFile(partial, disk);
        throw diskProblem(error) ?? (error instanceof Problem ? error : problem('INTAKE_FAILED', { cause: error }));
      }
      return { uploadId };
    },
    /** Removes the file of an upload that comes to nothing. */
    drop: (file: string): Promise<void> => discardFile(file, disk),
    /** The file of an upload. Throws when it never came. */
    find: async (uploadId: string): Promise<string> => {
      const path = place(uploadId);
      if (!(await stat(path).catch(() => null))) throw problem('INTAKE_MISSING');
      return path;
    },
  };
};
