import {
  createPhotoReader,
  type PhotoReader,
  type ReaderOptions,
  readPhotos,
  createUnreadableAnswer,
} from './reading/photoReader.ts';
import type { Writer } from './writer.ts';
import * as z from 'zod';
import { modelSettings } from './model/endpoint.ts';

/**
 * Creates the writer that reads barcodes, printed text and colours without a network. Closing the writer also closes
 * its photo reader.
 */
export const createBuiltInWriter = (from: ReaderOptions | { reader: PhotoReader }): Writer => {
  const reader = 'reader' in from ? from.reader : createPhotoReader(from);
  return {
    write: async ({ photos, ...input }, signal) => {
      const paths = photos.map(({ path }) => path);
      const readings = await readPhotos(reader, paths, signal);
      signal?.throwIfAborted();
      if (readings.length === 0) return createUnreadableAnswer(paths.length);
      // The first listing loads this module, because its word lists would slow down the start.
      const { composeListing: compose } = await import('./compose.ts');
      return compose(readings, input);
    },
    close: () => reader.close(),
  };
};

const optionalText = z
  .string()
  .trim()
  .transform((text) => (text === '' ? undefined : text))
  .optional();

const environment = z.object({
  PRACTICE_WRITER_ADDRESS: optionalText,
  PRACTICE_WRITER_MODEL: optionalText,
  PRACTICE_WRITER_KEY: optionalText,
});

type Options = Pick<ReaderOptions, 'startReader' | 'log'> & { env: Readonly<Record<string, string | undefined>> };

/**
 * Creates the vision writer if `PRACTICE_WRITER_ADDRESS` and `PRACTICE_WRITER_MODEL` are set, else the built-in writer.
 * Rejects with a sentence that names an invalid variable.
 */
export const createWriterFromSettings = async ({ env, ...options }: Options): Promise<Writer> => {
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
