import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { createBuiltInWriter } from '../../../src/practice/writer/chooseWriter.ts';
import { createPhotoReader, type PhotoReader } from '../../../src/practice/writer/reading/photoReader.ts';
import { createVisionWriter, type VisionWriterOptions } from '../../../src/practice/writer/model/visionWriter.ts';
import type { Writer, Written, WrittenListing, WritingInput } from '../../../src/practice/writer/writer.ts';
import { drawingFolder, type Drawn } from './drawnItems.ts';
import { startModelEndpoint, type ModelEndpoint } from './modelEndpoint.ts';
import { createCachingReader } from './createCachingReader.ts';
import { sharedReader } from './sharedReader.ts';

export const key = 'sk-very-secret-0123456789';

/** A model's correct answer about a teapot. */
export const goodAnswer = {
  title: 'Teekanne aus Porzellan, blau',
  description: 'Angeboten wird eine Teekanne.\nFarbe: blau',
  categoryId: '4001',
  condition: 'USED_GOOD',
  conditionDescription: 'Kleine Macke am Deckel',
  itemSpecifics: [
    { name: 'Brand', value: 'Arvenhof' },
    { name: 'Farbe', value: 'Blau' },
    { name: 'Size', value: 'unknown' },
  ],
  suggestedPriceMinor: 1_299,
  unknown: [{ field: 'Volume', message: 'How much it holds cannot be seen.' }],
};

const createWorld = async () => {
  const drawn: Drawn = await drawingFolder();
  // Too small to contain readable text.
  const photo = join(drawn.folder, 'blue.jpg');
  await sharp({ create: { width: 40, height: 30, channels: 3, background: '#2244cc' } }).toFile(photo);
  return { drawn, photo };
};

export type VisionWorld = {
  readonly folder: string;
  readonly endpoint: ModelEndpoint;
  /** Returns a writer that asks the endpoint; it is closed after the test. */
  writer(options?: Partial<VisionWriterOptions>): Writer;
  input(wanted?: Partial<WritingInput>): WritingInput;
  /** Returns what the writer writes about the teapot. */
  listing(wanted?: Partial<WritingInput>, options?: Partial<VisionWriterOptions>): Promise<WrittenListing>;
  /** Expects the built-in writer's listing and returns its note, which says why the model was not used. */
  fallenBack(options?: Partial<VisionWriterOptions>): Promise<string>;
};

/** Returns the note of a listing that was written without the model. */
export const getNote = (listing: WrittenListing): string | undefined =>
  listing.notes.find(({ field }) => field === 'writer')?.message;

// Everything except the note is as the built-in writer writes it.
const checkAllButNote = (listing: WrittenListing, own: Written): string => {
  const note = getNote(listing) ?? '';
  const added = { field: 'writer', message: note, blocks: false };
  const expected: Written = own.ok ? { ...own, notes: [...own.notes, added] } : own;
  expect(listing).toEqual(expected);
  expect(JSON.stringify(listing)).not.toContain(key);
  return note;
};

/** Creates a model endpoint on loopback and writers for every test, with one small photo for all. */
export const useVisionWorld = (): VisionWorld => {
  let started: Awaited<ReturnType<typeof createWorld>>;
  let endpoint: ModelEndpoint;
  let real: PhotoReader;
  let reader: PhotoReader;
  let builtIn: Writer;
  let writers: Writer[] = [];

  const input: VisionWorld['input'] = (wanted = {}) => ({
    photos: [{ path: started.photo }],
    words: 'teapot, small chip on the lid',
    quantity: 1,
    marketplaceId: 'MKT_DE',
    language: 'de-DE',
    ...wanted,
  });

  const world: VisionWorld = {
    get folder() {
      return started.drawn.folder;
    },
    get endpoint() {
      return endpoint;
    },
    input,
    writer: (options = {}) => {
      const { address } = endpoint;
      const writer = createVisionWriter({ address, model: 'seer-1', key, reader, ...options });
      writers.push(writer);
      return writer;
    },
    listing: async (wanted, options) => {
      const written = await world.writer(options).write(input(wanted));
      if (!written.ok) throw new Error(written.sentence);
      return written;
    },
    fallenBack: async (options) => {
      const listing = await world.listing({}, options);
      return checkAllButNote(listing, await builtIn.write(input()));
    },
  };

  beforeAll(async () => {
    started = await createWorld();
    real = createPhotoReader({ startReader: sharedReader });
    reader = createCachingReader(real);
  });
  beforeEach(async () => {
    endpoint = await startModelEndpoint();
    builtIn = createBuiltInWriter({ reader });
  });
  afterEach(async () => {
    await Promise.all([builtIn, ...writers].map((each) => each.close()));
    writers = [];
    await endpoint.close();
  });
  afterAll(async () => {
    await real.close();
    await started.drawn.remove();
  });
  return world;
};
