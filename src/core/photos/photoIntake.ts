import { createProblem, findDiskProblem, Problem } from '../base/problem.ts';
import { createSemaphore } from '../base/semaphore.ts';
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { discardFile, replaceFile } from '../../disk/changeFiles.ts';
import { isMissingFileError, systemDisk, type Disk } from '../../disk/disk.ts';

export const maxPhotoBytes = 64 * 2 ** 20;

const createTooLargeProblem = () => createProblem('PHOTO_TOO_LARGE', { field: 'body' });

/** `length` is the declared number of bytes; null if the sender declared none. */
export type PhotoBody = { bytes: AsyncIterable<Buffer>; length: number | null };

/** Throws `PHOTO_TOO_LARGE` if the declared length is above the limit. */
export const refuseTooLargeBody = ({ length }: PhotoBody): void => {
  if (length !== null && length > maxPhotoBytes) throw createTooLargeProblem();
};

/** Yields the bytes unchanged. Throws `PHOTO_TOO_LARGE` when their number exceeds the limit. */
export const limitPhotoBytes = async function* (body: PhotoBody): AsyncGenerator<Buffer> {
  refuseTooLargeBody(body);
  let count = 0;
  for await (const piece of body.bytes) {
    count += piece.length;
    if (count > maxPhotoBytes) throw createTooLargeProblem();
    yield piece;
  }
};

/**
 * Reads a photo into one buffer of the declared or maximum size, because joining chunks would need twice the memory.
 */
export const readWholeBody = async (body: PhotoBody): Promise<Buffer> => {
  let buffer: Buffer | null = null;
  let count = 0;
  for await (const piece of limitPhotoBytes(body)) {
    buffer ??= Buffer.allocUnsafeSlow(body.length ?? maxPhotoBytes);
    if (count + piece.length > buffer.length) throw createTooLargeProblem();
    piece.copy(buffer, count);
    count += piece.length;
  }
  return buffer?.subarray(0, count) ?? Buffer.alloc(0);
};

const maxParallelBodies = 3;
const maxWaiting = 60;

export type UploadQueue = ReturnType<typeof createUploadQueue>;

export const createUploadQueue = () => {
  const places = createSemaphore(maxParallelBodies);
  let inLine = 0;
  return {
    /** Runs `work` after enough earlier uploads have ended. Throws `TOO_MANY_UPLOADS` or the signal's reason. */
    run: async <T>(id: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
      if (inLine >= maxParallelBodies + maxWaiting) throw createProblem('TOO_MANY_UPLOADS', { retryAfterS: 2 });
      inLine += 1;
      try {
        const leave = await places.acquire(id, signal);
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

export type PhotoIntake = ReturnType<typeof createPhotoIntake>;

export const createPhotoIntake = (dir: string, disk: Disk = systemDisk) => {
  const getUploadPath = (uploadId: string): string => join(dir, uploadId);
  return {
    /** Writes one photo to disk. Throws the stream's error or `INTAKE_FAILED`. */
    receive: async (bytes: Readable): Promise<{ uploadId: string }> => {
      const uploadId = randomUUID();
      const partial = `${getUploadPath(uploadId)}.part`;
      try {
        await mkdir(dir, { recursive: true });
        await pipeline(bytes, createWriteStream(partial, { mode: 0o600 }));
        await replaceFile(partial, getUploadPath(uploadId), disk);
      } catch (error) {
        await discardFile(partial, disk);
        throw (
          findDiskProblem(error) ??
          (error instanceof Problem ? error : createProblem('INTAKE_FAILED', { cause: error }))
        );
      }
      return { uploadId };
    },
    drop: (file: string): Promise<void> => discardFile(file, disk),
    /**
     * Gives an uploaded photo a new name and returns its path. Each upload can be taken once, so that no two items share
     * a file, which would disappear with the first of them. Throws `INTAKE_MISSING`.
     */
    take: async (uploadId: string): Promise<string> => {
      const path = getUploadPath(randomUUID());
      await replaceFile(getUploadPath(uploadId), path, disk).catch((error: unknown) => {
        throw isMissingFileError(error) ? createProblem('INTAKE_MISSING') : (findDiskProblem(error) ?? error);
      });
      return path;
    },
  };
};
