import type { PhotoReader } from './photoReader.ts';
import type { PhotoReading } from './reading.ts';
import type { NotWritten } from './writer.ts';

/** The answer for an item of which no photo can be read. */
export const unreadable = (count: number): NotWritten => ({
  ok: false,
  code: 'IMAGES_UNREADABLE',
  sentence:
    count === 0
      ? 'There are no photos to read. Please add at least one photo of the item.'
      : 'None of the photos could be read. Please add JPEG, PNG or WebP photos that open on your computer.',
});

const readEach = async (reader: PhotoReader, paths: readonly string[], signal?: AbortSignal) => {
  const readings: { path: string; reading: PhotoReading }[] = [];
  for (const path of paths) {
    const reading = await reader.read(path, signal);
    if (reading) readings.push({ path, reading });
  }
  return readings;
};

// Reading at full size costs much and helps rarely: only when no photo has shown a code, and until one does.
const readBarcodesAtFullSize = async (reader: PhotoReader, paths: readonly string[], signal?: AbortSignal) => {
  for (const path of paths) {
    const reading = await reader.readFullSizeBarcodes(path, signal);
    if (reading && reading.barcodes.length > 0) return reading.barcodes;
  }
  return [];
};

/** What every photo that can be read shows; the others are passed over. */
export const readPhotos = async (
  reader: PhotoReader,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<PhotoReading[]> => {
  const read = await readEach(reader, paths, signal);
  const [first, ...others] = read.map(({ reading }) => reading);
  if (!first || [first, ...others].some(({ barcodes }) => barcodes.length > 0))
    return read.map(({ reading }) => reading);
  const barcodes = await readBarcodesAtFullSize(
    reader,
    read.filter(({ reading }) => Math.max(reading.width, reading.height) > 1600).map(({ path }) => path),
    signal,
  );
  return [{ ...first, barcodes }, ...others];
};
