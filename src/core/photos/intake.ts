import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { diskProblem, Problem, problem } from '../base/problem.ts';

/** Bytes of photos that came without a path (a browser has none), kept until they are prepared. */
export type Intake = ReturnType<typeof createIntake>;

export const createIntake = (dir: string) => {
  const place = (uploadId: string): string => join(dir, uploadId);
  return {
    /** Writes one photo to disk; it has its final name only when all of it is there. Throws what `bytes` ends with. */
    receive: async (bytes: Readable): Promise<{ uploadId: string }> => {
      const uploadId = randomUUID();
      const partial = `${place(uploadId)}.part`;
      try {
        await mkdir(dir, { recursive: true });
        await pipeline(bytes, createWriteStream(partial, { mode: 0o600 }));
        await rename(partial, place(uploadId));
      } catch (error) {
        await rm(partial, { force: true });
        throw diskProblem(error) ?? (error instanceof Problem ? error : problem('INTAKE_FAILED', { cause: error }));
      }
      return { uploadId };
    },
    /** The file of an upload. Throws when it never came. */
    find: async (uploadId: string): Promise<string> => {
      const path = place(uploadId);
      if (!(await stat(path).catch(() => null))) throw problem('INTAKE_MISSING');
      return path;
    },
  };
};
