import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { getFixtureFolder } from '../../../helpers/photos/getFixtureFolder.ts';
import { createTempDir, startWorkers } from '../../../helpers/photos/photoWorld.ts';

const insertStrayBytes = (jpeg: Buffer, at: number, stray: Buffer): Buffer =>
  Buffer.concat([jpeg.subarray(0, at), stray, jpeg.subarray(at)]);

test('a JPEG with stray bytes before a table is prepared, and one with stray bytes between its scans is refused', async () => {
  const dir = await createTempDir();
  const jpeg = await readFile(join(await getFixtureFolder(), 'good/photo.jpg'));
  const { workers, outDir } = await startWorkers({ size: 1 });
  const [stray, damaged] = [join(dir, 'stray.jpg'), join(dir, 'damaged.jpg')];
  await writeFile(
    stray,
    insertStrayBytes(jpeg, jpeg.indexOf(Buffer.from([0xff, 0xdb])), Buffer.from([0xff, 0, 0xff, 0])),
  );
  const progressive = await sharp(jpeg).jpeg({ progressive: true }).toBuffer();
  await writeFile(
    damaged,
    insertStrayBytes(progressive, progressive.lastIndexOf(Buffer.from([0xff, 0xc4])), Buffer.alloc(40, 7)),
  );
  expect(await workers.prepare({ source: stray, outDir })).toMatchObject({ ok: true });
  expect(await workers.prepare({ source: damaged, outDir })).toMatchObject({ code: 'DAMAGED' });
});

/** Photos of public repositories beside this repository. Without them, the test is skipped. */
const publicPhotos = fileURLToPath(new URL('../../../../../shared/photos/public', import.meta.url));

test.skipIf(!existsSync(publicPhotos))('unusual photos of public repositories are prepared or named', async () => {
  const { workers, outDir } = await startWorkers({ size: 1 });
  const results: [string, object][] = [
    ['python-pi__jpeg_ff00_header.jpg', { ok: true }],
    ['sindresor__fixture-sequence.avif', { code: 'ANIMATED' }],
    ['sindresor__fixture-msf1.heic', { code: 'ANIMATED' }],
  ];
  for (const [name, expected] of results)
    expect(await workers.prepare({ source: join(publicPhotos, name), outDir }), name).toMatchObject(expected);
});
