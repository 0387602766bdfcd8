import { createPlaces } from '../base/semaphore.ts';
import { problem } from '../base/problem.ts';

/** Photos of assistants whose bytes are taken at a time, and how many more may wait for that. */
const bodiesAtOnce = 3;
const mostWaiting = 60;

/** The line before everything that takes the bytes of a photo from an assistant, however they come. */
export type UploadLine = ReturnType<typeof createUploadLine>;

export const createUploadLine = () => {
  const places = createPlaces(bodiesAtOnce);
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
