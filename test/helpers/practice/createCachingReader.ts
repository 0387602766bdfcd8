import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createBoundedMap } from '../../../src/core/base/boundedMap.ts';
import type { PhotoReader } from '../../../src/practice/writer/reading/photoReader.ts';
import type { PhotoReading } from '../../../src/practice/writer/reading/photoReading.ts';

/** Enough for the drawings that stories share. */
const readings = createBoundedMap<string, PhotoReading>(500);

/**
 * Returns a reader that reads the same bytes only once per test process: stories contain the same few drawings, and
 * reading takes most of their time. The creator of the real reader closes it.
 */
export const createCachingReader = (reader: PhotoReader): PhotoReader => {
  const keyOf = async (path: string): Promise<string> =>
    createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  return {
    ...reader,
    read: async (path, signal) => {
      signal?.throwIfAborted();
      const key = await keyOf(path).catch(() => null);
      const known = key === null ? undefined : readings.get(key);
      if (known) return structuredClone(known);
      const reading = await reader.read(path, signal);
      if (key !== null && reading) readings.set(key, structuredClone(reading));
      return reading;
    },
    close: async () => undefined,
  };
};
