import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWriterFromSettings } from '../../../../src/practice/writer/chooseWriter.ts';
import type { Writer, Written } from '../../../../src/practice/writer/writer.ts';
import { drawingFolder, type Drawn } from '../../../helpers/practice/drawnItems.ts';
import { answerError, startModelEndpoint, type ModelEndpoint } from '../../../helpers/practice/modelEndpoint.ts';
import { sharedReader } from '../../../helpers/practice/sharedReader.ts';

let drawn: Drawn;
let endpoint: ModelEndpoint;

beforeEach(async () => {
  drawn = await drawingFolder();
  endpoint = await startModelEndpoint();
  endpoint.answers(answerError(503));
});
afterEach(async () => {
  await endpoint.close();
  await drawn.remove();
});

const chooseForEnv = (env: Record<string, string | undefined>): Promise<Writer> =>
  createWriterFromSettings({ startReader: sharedReader, env });

const writeListing = async (writer: Writer): Promise<Written> => {
  const path = join(drawn.folder, 'green.png');
  await sharp({ create: { width: 40, height: 30, channels: 3, background: '#22aa44' } }).toFile(path);
  const input = { photos: [{ path }], words: 'mug', quantity: 1, marketplaceId: 'MKT_US', language: 'en-US' };
  const listing = await writer.write(input);
  await writer.close();
  return listing;
};

test('no model is called unless both its address and its name are set', async () => {
  for (const env of [
    {},
    { PRACTICE_WRITER_ADDRESS: endpoint.address },
    { PRACTICE_WRITER_MODEL: 'seer-1', PRACTICE_WRITER_KEY: 'sk-1' },
    { PRACTICE_WRITER_ADDRESS: endpoint.address, PRACTICE_WRITER_MODEL: ' ' },
  ]) {
    const listing = await writeListing(await chooseForEnv(env));
    expect(listing.ok && listing.notes.some(({ field }) => field === 'writer')).toBe(false);
  }
  expect(endpoint.asked).toEqual([]);
});

test('if the configured model fails, the built-in writer is used', async () => {
  const env = {
    PRACTICE_WRITER_ADDRESS: `${endpoint.address}/`,
    PRACTICE_WRITER_MODEL: 'seer-1',
    PRACTICE_WRITER_KEY: 'sk-1',
  };
  const listing = await writeListing(await chooseForEnv(env));
  expect(endpoint.asked).toMatchObject([
    { path: '/v1/chat/completions', model: 'seer-1', authorization: 'Bearer sk-1' },
  ]);
  expect(listing).toMatchObject({ ok: true, categoryName: 'Mugs & Cups' });
  expect(listing.ok && listing.notes).toContainEqual(expect.objectContaining({ field: 'writer' }));
});

test('the error for an invalid setting names its variable but not its value', async () => {
  const model = { PRACTICE_WRITER_MODEL: 'seer-1' };
  const plainHttp = chooseForEnv({ ...model, PRACTICE_WRITER_ADDRESS: 'http://models.example/v1' });
  await expect(plainHttp).rejects.toThrow(
    /^PRACTICE_WRITER_ADDRESS cannot be used\. The address of the model has to begin/,
  );
  const address = { PRACTICE_WRITER_ADDRESS: endpoint.address };
  const badKey = (): Promise<Writer> => chooseForEnv({ ...model, ...address, PRACTICE_WRITER_KEY: 'sk secret' });
  await expect(badKey()).rejects.toThrow(/^PRACTICE_WRITER_KEY cannot be used\./);
  await expect(badKey()).rejects.not.toThrow('secret');
});
