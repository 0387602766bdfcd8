import { createBuiltInWriter } from '../src/practice/writer/chooseWriter.ts';
import { startReader } from '../test/helpers/practice/startReader.ts';
import { compare, type Compared } from './compare.ts';
import { drawPhonePhotos } from './photos/phonePhotos.ts';
import { inWorkshop, prepareAll, rate } from './photos/workshop.ts';

const count = 6;

export const benchWriter = (): Promise<Compared> =>
  inWorkshop(async (folder, workers) => {
    const photos = await drawPhonePhotos(folder, count);
    const writer = createBuiltInWriter({ startReader });
    const writeAll = async (): Promise<void> => {
      const write = (path: string) =>
        writer.write({ photos: [{ path }], words: '', quantity: 1, marketplaceId: 'MKT_US', language: 'en-US' });
      await Promise.all(photos.map(write));
    };
    try {
      return await compare(
        { what: 'photos read and written about (12 MP)', unit: 'photos/min', peer: 'the same photos prepared' },
        async () => 60 * (await rate(count, writeAll)),
        async () => 60 * (await rate(count, () => prepareAll(workers, photos, folder))),
      );
    } finally {
      await writer.close();
    }
  });
