import {
  createPhotoReader,
  type PhotoReader,
  type ReaderOptions,
  readPhotos,
  unreadable,
} from './reading/photoReader.ts';
import type { Writer } from './writer.ts';
import * as z from 'zod';
import { modelSettings } from './model/endpoint.ts';

/**
 * The writer that comes with the practice service: it reads barcodes, printed text and colours itself,
 * needs no network, and says what it cannot know. `startReader` starts the process that reads photos;
 * a reader that is given instead is closed with the writer.
 */
export const createBuiltInWriter = (from: ReaderOptions | { reader: PhotoReader }): Writer => {
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

const setting = z
  .string()
  .trim()
  .transform((text) => (text === '' ? undefined : text))
  .optional();

const environment = z.object({
  PRACTICE_WRITER_ADDRESS: setting,
  PRACTICE_WRITER_MODEL: setting,
  PRACTICE_WRITER_KEY: setting,
});

type Options = Pick<ReaderOptions, 'startReader' | 'log'> & { env: Readonly<Record<string, string | undefined>> };

/**
 * The writer that the environment asks for: a vision model when `PRACTICE_WRITER_ADDRESS` and `PRACTICE_WRITER_MODEL`
 * are both set (`PRACTICE_WRITER_KEY` when it needs one), with the built-in writer behind it; otherwise the built-in
 * one alone, and nothing leaves the machine. Rejects with a sentence that names the variable when one cannot be used.
 */
export const chooseWriter = async ({ env, ...options }: Options): Promise<Writer> => {
  const set = environment.parse(env);
  const reader = createPhotoReader(options);
  const builtIn = createBuiltInWriter({ reader });
  const { PRACTICE_WRITER_ADDRESS: address, PRACTICE_WRITER_MODEL: model, PRACTICE_WRITER_KEY: key } = set;
  if (!address || !model) return builtIn;
  const settings = modelSettings.safeParse({ address, model, key });
  if (settings.success) {
    const { createVisionWriter } = await import('./model/visionWriter.ts');
    return createVisionWriter({ ...settings.data, reader, fallback: builtIn });
  }
  const [issue] = settings.error.issues;
  throw new Error(`PRACTICE_WRITER_${String(issue?.path[0]).toUpperCase()} cannot be used. ${issue?.message}`);
};
