import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { photoTypeOf } from './photoType.ts';
import { sha256 } from './keepPrepared.ts';

const hashShape = /^[0-9a-f]{64}$/;
/** What was just kept may not be known to anybody who needs it yet. */
const youngMs = 10 * 60_000;

/** A folder of photos named by the SHA-256 of their bytes. A file is what its name says, or it is not there. */
export const createKeptPhotos = (dir: string) => {
  const pathOf = (hash: string): string => join(dir, hash);

  /** The bytes of that hash; null when there are none, or when the file holds others by now. */
  const read = async (hash: string): Promise<Buffer | null> => {
    const bytes = hashShape.test(hash) ? await readFile(pathOf(hash)).catch(() => null) : null;
    return bytes !== null && sha256(bytes) === hash ? bytes : null;
  };
  const has = async (hash: string): Promise<boolean> => (await read(hash)) !== null;

  return {
    has,
    /** The photo of that hash, with what its bytes say it is; null when it is not there. */
    find: async (hash: string): Promise<{ bytes: Buffer; contentType: string } | null> => {
      const bytes = await read(hash);
      const contentType = bytes && (await photoTypeOf(bytes));
      return bytes && contentType ? { bytes, contentType } : null;
    },
    /** Keeps bytes under their hash, whole or not at all, and nobody else's to read. Throws what the disk says. */
    keep: async (hash: string, bytes: Buffer): Promise<void> => {
      if (await has(hash)) return;
      await mkdir(dir, { recursive: true, mode: 0o700 });
      const beside = `${pathOf(hash)}.${randomUUID()}.tmp`;
      try {
        await writeFile(beside, bytes, { mode: 0o600 });
        await rename(beside, pathOf(hash));
      } catch (error) {
        await rm(beside, { force: true });
        throw error;
      }
    },
    /** Removes every file but those of the given hashes, and those that were only just kept. */
    sweep: async (keep: ReadonlySet<string>): Promise<void> => {
      for (const name of await readdir(dir).catch(() => [])) {
        if (keep.has(name)) continue;
        const file = await stat(join(dir, name)).catch(() => null);
        if (file && Date.now() - file.mtimeMs > youngMs) await rm(join(dir, name), { force: true });
      }
    },
  };
};
