import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { preparePhotoUpload } from '../../../../src/kitchen/prepare.ts';
import { noEdits } from '../../../../src/photoContract/constants.ts';
import { refusalCodes, getRefusalSentence } from '../../../../src/photoContract/refusals.ts';
import { getFixtureFolder } from '../../../helpers/photos/getFixtureFolder.ts';
import {
  readColour,
  measureDifference,
  listMetadata,
  expectPrepared,
  startWorkers,
} from '../../../helpers/photos/photoWorld.ts';

describe('usable photos', () => {
  test('in all eight orientations are prepared upright and look the same', async () => {
    const dir = await getFixtureFolder();
    const { workers, outDir } = await startWorkers();
    const sources = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => join(dir, `good/orientation-${n}.jpg`));
    const photos = (await Promise.all(sources.map((source) => workers.prepare({ source, outDir })))).map(
      expectPrepared,
    );
    const first = expectPrepared(photos[0] ?? { ok: false, code: 'EMPTY_FILE', sentence: '' });
    for (const photo of photos) {
      expect([photo.width, photo.height]).toEqual([400, 300]);
      expect(await measureDifference(first.path, photo.path)).toBeLessThan(3);
    }
    expect(await readColour(first.path, 0.05, 0.05)).toEqual(
      [200, 50, 50].map((value) => expect.closeTo(value, -1) as number),
    );
  });

  test('in every format become a JPEG of the same picture without metadata', async () => {
    const dir = join(await getFixtureFolder(), 'good');
    const { workers, outDir } = await startWorkers();
    const names = (await readdir(dir)).filter((name) => !/^(alpha|large)/.test(name));
    const truth = expectPrepared(await workers.prepare({ source: join(dir, 'photo.png'), outDir }));
    expect(names.length).toBeGreaterThan(15);
    for (const name of names) {
      const photo = expectPrepared(await workers.prepare({ source: join(dir, name), outDir }));
      expect([name, photo.width, photo.height]).toEqual([name, 400, 300]);
      expect(await measureDifference(truth.path, photo.path), name).toBeLessThan(5);
      expect(await listMetadata(photo.path), name).toEqual([]);
      expect(await listMetadata(photo.thumbPath), name).toEqual([]);
      expect((await sharp(photo.path).metadata()).format).toBe('jpeg');
      expect((await stat(photo.path)).size).toBe(photo.bytes);
    }
  });

  test('are shrunk to the requested size and get a small thumbnail', async () => {
    const dir = await getFixtureFolder();
    const { workers, outDir } = await startWorkers();
    const large = expectPrepared(await workers.prepare({ source: join(dir, 'good/large.jpg'), outDir }));
    expect([large.width, large.height]).toEqual([1600, 1200]);
    expect(large.original).toMatchObject({ format: 'jpeg', width: 2400, height: 1800 });
    const less = expectPrepared(
      await workers.prepare({ source: join(dir, 'good/large.jpg'), outDir, longEdgePx: 800 }),
    );
    expect([less.width, less.height]).toEqual([800, 600]);
    const thumb = await sharp(large.thumbPath).metadata();
    expect([thumb.width, thumb.height]).toEqual([320, 240]);
  });

  test('get a white background instead of transparency', async () => {
    const dir = await getFixtureFolder();
    const { workers, outDir } = await startWorkers();
    const photo = expectPrepared(await workers.prepare({ source: join(dir, 'good/alpha.png'), outDir }));
    expect(await readColour(photo.path, 0.02, 0.02)).toEqual([255, 255, 255]);
  });

  test('have a palette with the share of each colour in the photo and at its edge', async () => {
    const red = { create: { width: 200, height: 300, channels: 3, background: '#c83232' } } as const;
    const bytes = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#6e7882' } })
      .composite([{ input: await sharp(red).png().toBuffer(), left: 0, top: 0 }])
      .png()
      .toBuffer();
    const recipe = { longEdgePx: 320, format: 'jpeg', edits: noEdits } as const;
    const { facts } = await preparePhotoUpload(sharp, bytes, recipe, { admit: async () => undefined, isAlone: true });
    expect(facts.palette.match(/.{10}/g)).toEqual(['c832328080', '6e78828080']);
  });

  test('have the time at which they were taken, including the time zone', async () => {
    const dir = await getFixtureFolder();
    const { workers, outDir } = await startWorkers();
    for (const name of ['photo.jpg', 'photo.webp', 'photo.avif']) {
      const photo = expectPrepared(await workers.prepare({ source: join(dir, 'good', name), outDir }));
      expect(photo.original.takenAt, name).toBe(Date.parse('2024-05-18T10:20:30+02:00'));
    }
  });

  test.for([
    ['srgb.jpg', 6],
    ['p3.jpg', 6],
    ['adobe-rgb.jpg', 6],
    ['adobe-rgb.png', 6],
    ['sixteen-bit.png', 6],
    ['lab.tif', 6],
    // Printing inks cannot show every colour, so the tolerance is larger.
    ['cmyk.jpg', 70],
  ] as const)('keep their colours in sRGB: %s', async ([name, tolerance]) => {
    const dir = await getFixtureFolder();
    const { workers, outDir } = await startWorkers({ size: 1 });
    const photo = expectPrepared(await workers.prepare({ source: join(dir, 'colour', name), outDir }));
    const truth = ['c83232', '32a050', '3250c8', 'e6c832', '808080', 'd8d4cc'];
    for (const [index, hex] of truth.entries()) {
      const found = await readColour(photo.path, (index + 0.5) / truth.length, 0.5);
      const wanted = [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
      const off = Math.max(...wanted.map((value, channel) => Math.abs(value - (found[channel] ?? -999))));
      expect(off, `${hex} became ${found.join(' ')}`).toBeLessThanOrEqual(tolerance);
    }
  });
});

describe('unusable photos', () => {
  test('are refused without an exception if the prepared file cannot be written', async () => {
    const dir = await getFixtureFolder();
    const { workers } = await startWorkers({ size: 1 });
    const source = join(dir, 'good/photo.jpg');
    expect(await workers.prepare({ source, outDir: source })).toMatchObject({ ok: false, code: 'CANNOT_WRITE' });
  });

  test('are refused with a complete, calm sentence for every reason', () => {
    for (const code of refusalCodes) {
      const sentence = getRefusalSentence(code);
      expect(sentence).toMatch(/^[A-Z].*\.$/);
      expect(sentence).not.toMatch(/!|oops|sorry|please/i);
      expect(sentence.length).toBeLessThan(140);
    }
  });
});

describe('the second preparation of an original photo', () => {
  test('reuses the first result unless a file is missing', async () => {
    const dir = await getFixtureFolder();
    const { workers, outDir } = await startWorkers({ size: 1 });
    const source = join(dir, 'good/photo.jpg');
    const once = expectPrepared(await workers.prepare({ source, outDir }));
    const written = (await stat(once.path)).mtimeMs;
    const copy = expectPrepared(await workers.prepare({ source: join(dir, 'good/no-ending'), outDir }));
    expect(copy).toEqual(once);
    expect((await stat(once.path)).mtimeMs).toBe(written);
    expect(await readdir(outDir)).toHaveLength(3);
    await rm(once.thumbPath);
    expect(expectPrepared(await workers.prepare({ source, outDir }))).toEqual(once);
    expect((await stat(once.thumbPath)).size).toBeGreaterThan(0);
  });
});
