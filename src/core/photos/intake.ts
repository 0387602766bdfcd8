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

/** The maximum size of a photo from an assistant. */
export const mostPhotoBytes = 64 * 2 ** 20;

const tooLarge = () => problem('PHOTO_TOO_LARGE', { field: 'body' });

/** The bytes of one photo as a stream, and their declared number, if any. */
export type PhotoBody = { bytes: AsyncIterable<Buffer>; length: number | null };

/** Throws `PHOTO_TOO_LARGE` if the declared length exceeds the limit, before any byte is read. */
export const checkLength = ({ length }: PhotoBody): void => {
  if (length !== null && length > mostPhotoBytes) throw tooLarge();
};

/** Passes the bytes through. Throws `PHOTO_TOO_LARGE` at the first byte over the limit. */
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
 * Reads a photo into one buffer of the declared or maximum size. The system commits only the memory pages that are
 * written. Concatenating chunks at the end would need twice the memory.
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

/** The number of photos from assistants received at a time, and the number that may wait. */
const bodiesAtOnce = 3;
const mostWaiting = 60;

/** The queue for all photos received from assistants, over any route. */
export type UploadLine = ReturnType<typeof createUploadLine>;

export const createUploadLine = () => {
  const places = createSemaphore(bodiesAtOnce);
  let inLine = 0;
  return {
    /** Runs `work` once a place is free. Throws `TOO_MANY_UPLOADS`, and the signal's reason while waiting. */
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

/** The store of uploaded photos that have no local path (from a browser), kept until they are prepared. */
export type Intake = ReturnType<typeof createIntake>;

export const createIntake = (dir: string, disk: Disk = systemDisk) => {
  const place = (uploadId: string): string => join(dir, uploadId);
  return {
    /** Writes one photo to disk. It gets its final name only once it is complete. Throws the error of the stream. */
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
    /** Removes the file of an abandoned upload. */
    drop: (file: string): Promise<void> => discardFile(file, disk),
    /** Returns the path of an upload. Throws INTAKE_MISSING if it does not exist. */
    find: async (uploadId: string): Promise<string> => {
      const path = place(uploadId);
      if (!(await stat(path).catch(() => null))) throw problem('INTAKE_MISSING');
      return path;
    },
  };
};
