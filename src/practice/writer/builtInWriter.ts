import { createPhotoReader, type PhotoReader } from './photoReader.ts';
import { readPhotos, unreadable } from './readPhotos.ts';
import type { Writer } from './writer.ts';

/**
 * The writer that comes with the practice service: it reads barcodes, printed text and colours itself,
 * needs no network, and says what it cannot know. `workerUrl` is where `worker.ts` (or its bundle) lies;
 * a reader that is given instead is closed with the writer.
 */
export const createBuiltInWriter = (from: { workerUrl: URL } | { reader: PhotoReader }): Writer => {
  const reader = 'reader' in from ? from.reader : createPhotoReader(from);
  return {
    write: async ({ photos, ...input }, signal) => {
      const paths = photos.map(({ path }) => path);
      const readings = await readPhotos(reader, paths, signal);
      signal?.throwIfAborted();
      if (readings.length === 0) return unreadable(paths.length);
      // Loaded with the first listing: its words and patterns would be a good part of what a start takes.
      const { compose } = await import('./compose.ts');
      return compose(readings, input);
    },
    close: () => reader.close(),
  };
};
