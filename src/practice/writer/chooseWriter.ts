import { modelSettings } from './model/endpoint.ts';
import { createPhotoReader, createPhotoWriter, type PhotoReader, type ReaderOptions } from './reading/photoReader.ts';
import type { Writer } from './writer.ts';

/** Creates the writer that reads barcodes, printed text and colours without a network. */
export const createBuiltInWriter = (from: ReaderOptions | { reader: PhotoReader }): Writer =>
  createPhotoWriter('reader' in from ? from.reader : createPhotoReader(from), async (readings, input) => {
    // The first listing loads this module, because its word lists would slow down the start.
    const { composeListing } = await import('./compose.ts');
    return composeListing(readings, input);
  });

type Options = Pick<ReaderOptions, 'startReader' | 'log'> & { env: Readonly<Record<string, string | undefined>> };

/**
 * Creates the vision writer if `PRACTICE_WRITER_ADDRESS` and `PRACTICE_WRITER_MODEL` are set, else the built-in writer.
 * Rejects with a sentence that names an invalid variable.
 */
export const createWriterFromSettings = async ({ env, ...options }: Options): Promise<Writer> => {
  const [address, model, key] = ['ADDRESS', 'MODEL', 'KEY'].map((name) => env[`PRACTICE_WRITER_${name}`]?.trim());
  if (!address || !model) return createBuiltInWriter(options);
  const settings = modelSettings.safeParse({ address, model, key: key || undefined });
  if (settings.success) {
    const { createVisionWriter } = await import('./model/visionWriter.ts');
    return createVisionWriter({ ...settings.data, reader: createPhotoReader(options) });
  }
  const [issue] = settings.error.issues;
  throw new Error(`PRACTICE_WRITER_${String(issue?.path[0]).toUpperCase()} cannot be used. ${issue?.message}`);
};
