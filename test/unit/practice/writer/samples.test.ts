import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { createBuiltInWriter } from '../../../../src/practice/writer/chooseWriter.ts';
import { createPhotoReader } from '../../../../src/practice/writer/reading/photoReader.ts';
import { createCachingReader } from '../../../helpers/practice/createCachingReader.ts';
import { sampleListings } from '../../../helpers/practice/sampleListings.ts';
import { sharedReader } from '../../../helpers/practice/sharedReader.ts';

const samples = fileURLToPath(new URL('../../../../resources/samples/', import.meta.url));
const reader = createPhotoReader({ startReader: sharedReader });
const writer = createBuiltInWriter({ reader: createCachingReader(reader) });
afterAll(() => reader.close());

for (const { item, title, categoryName } of sampleListings) {
  const folder = join(samples, item);
  test.skipIf(!existsSync(folder)).each([
    ['without any text of the seller', ''],
    ['with the name of its folder', item],
  ])(`the sample item “${item}” gets the expected listing %s`, async (_how, words) => {
    const names = readdirSync(folder).filter((name) => name.endsWith('.jpg'));
    const photos = names.sort().map((name) => ({ path: join(folder, name) }));
    const input = { photos, words, quantity: 1, marketplaceId: 'MKT_US', language: 'en-US' };
    const listing = await writer.write(input);
    expect(listing).toMatchObject({ ok: true, title, categoryName });
    expect(listing.ok && listing.notes.filter(({ blocks }) => blocks)).toEqual([]);
  });
}
