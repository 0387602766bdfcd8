import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPhotoWorkers } from '../../../src/core/photos/photoWorkers.ts';
import { getFixtureFolder } from '../../helpers/photos/getFixtureFolder.ts';
import { prependToKitchen, watchKitchens } from '../../helpers/photos/kitchens.ts';
import { createTempDir } from '../../helpers/photos/photoWorld.ts';
import { sampledBy, drawSample } from '../../helpers/sample.ts';

/** Code with which a compromised kitchen changes its answer; `head` and `parts` are the correct answer. */
const lies = {
  'a result of another type': "head = { type: 'barcodes', id: head.id, result: [] }; parts = [];",
  'a message of an unknown type': "head = { type: 'constructor', __proto__: 1, id: head.id };",
  'a photo that was not requested': 'head = { ...head, id: head.id + 7 };',
  'no picture': 'parts = [];',
  'a web page as the picture': "parts = [Buffer.from('<html><script>'), parts[1]];",
  'a web page as the thumbnail': "parts = [parts[0], Buffer.from('<html><script>')];",
  'a picture of another format': "parts = [Buffer.from('RIFF    WEBPVP8 '), parts[1]];",
  'an oversized picture': 'parts = [Buffer.concat([parts[0], Buffer.alloc(30e6)]), parts[1]];',
  'an oversized thumbnail': 'parts = [parts[0], Buffer.concat([parts[1], Buffer.alloc(30e6)])];',
  'a wrong size': 'head.result.facts.width = 1e9;',
  'an invalid time': 'head.result.facts.original.takenAt = 1e300;',
  'too many barcodes':
    "head.result.facts.barcodes = Array.from({ length: 9_000 }, () => ({ value: '4006381333931', format: 'EAN-13' }));",
};

/** Code that changes the answers of the kitchen before they are sent. */
const createLyingCode = (lie: string): string => `
  const { Socket } = await import('node:net');
  const write = Socket.prototype.write;
  let parts = [];
  let isGreeted = false;
  let left = null;
  Socket.prototype.write = function (piece, ...rest) {
    if (!isGreeted) return (isGreeted = true), write.call(this, piece, ...rest);
    if (left === null) {
      const { head, sizes } = JSON.parse(Buffer.from(piece).subarray(4).toString());
      left = { head, count: sizes.length };
      parts = [];
    } else parts.push(piece);
    if (parts.length < left.count) return true;
    let { head } = left;
    left = null;
    ${lie}
    const words = Buffer.from(JSON.stringify({ head, sizes: parts.map(({ length }) => length) }));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(words.length);
    return write.call(this, Buffer.concat([length, words, ...parts]));
  };`;

// Each case starts two processes, so only a sample runs by default.
test.each(drawSample('lies', Object.entries(lies), 4))(
  `a photo process that answers with %s is ended, and its photo is refused (${sampledBy})`,
  async (_what, lie) => {
    const { startKitchen, started } = watchKitchens(await prependToKitchen(createLyingCode(lie)));
    const lines: string[] = [];
    const workers = createPhotoWorkers({
      startKitchen,
      log: (level, sentence) => void (level === 'warn' && lines.push(sentence)),
    });
    onTestFinished(() => workers.close());
    const outDir = await createTempDir();
    const source = join(await getFixtureFolder(), 'good', 'photo.jpg');
    expect(await workers.prepare({ source, outDir })).toMatchObject({ ok: false, code: 'WORKER_DIED' });
    // Each attempt had its own kitchen, which has ended.
    expect(started.length).toBe(2);
    expect(lines).toEqual(Array(2).fill('The process that decodes photos ended.'));
    expect(await readdir(outDir)).toEqual([]);
  },
);

test('the photo process of these tests prepares the photo if no test falsifies its answers', async () => {
  const { startKitchen } = watchKitchens(await prependToKitchen(createLyingCode('')));
  const workers = createPhotoWorkers({ startKitchen });
  onTestFinished(() => workers.close());
  const source = join(await getFixtureFolder(), 'good', 'photo.jpg');
  expect(await workers.prepare({ source, outDir: await createTempDir() })).toMatchObject({ ok: true });
});
