import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findPhotos } from '../../../src/core/photos/findPhotos.ts';
import { corpus, whyNoCorpus } from '../../helpers/corpus.ts';
import { metadataIn, ready, startWorkers } from './photoWorld.ts';

if (!corpus) console.log(whyNoCorpus);

describe.skipIf(!corpus)('real photos', () => {
  const { dir, files } = corpus ?? { dir: '', files: [] };
  const source = (path: string): string => join(dir, path);

  test('what is to be ignored is skipped, and all else is found', async () => {
    const found = await findPhotos(['items', 'barcodes', 'bad'].map(source));
    const photos = found.groups.flatMap((group) => group.photos.map((photo) => photo.path));
    const wanted = files.filter((file) => file.expected.outcome !== 'ignore').map((file) => source(file.path));
    expect(photos.sort()).toEqual(wanted.sort());
    const ignored = files.filter((file) => file.expected.outcome === 'ignore').map((file) => basename(file.path));
    expect(found.skipped.map((file) => file.name).sort()).toEqual(ignored.sort());
  });

  test('every good photo comes out upright, small and without metadata', { timeout: 120_000 }, async () => {
    const { workers, outDir } = await startWorkers();
    const good = files.filter((file) => file.expected.outcome === 'ok');
    await Promise.all(
      good.map(async (file) => {
        const photo = ready(await workers.prepare({ source: source(file.path), outDir }));
        const [width, height] = [file.displayWidth ?? 0, file.displayHeight ?? 0];
        const shrink = Math.min(1, 1600 / Math.max(width, height));
        const off = Math.max(Math.abs(photo.width - width * shrink), Math.abs(photo.height - height * shrink));
        expect(off, file.path).toBeLessThanOrEqual(1);
        expect(photo.original, file.path).toMatchObject({ width, height });
        expect(await metadataIn(photo.path), file.path).toEqual([]);
        expect(await metadataIn(photo.thumbPath), file.path).toEqual([]);
      }),
    );
    expect(good.length).toBeGreaterThan(100);
  });

  test('every bad photo is refused with a sentence', { timeout: 60_000 }, async () => {
    const { workers, outDir } = await startWorkers();
    for (const file of files.filter(({ expected }) => expected.outcome === 'reject')) {
      const photo = await workers.prepare({ source: source(file.path), outDir });
      expect([file.path, photo.ok]).toEqual([file.path, false]);
    }
  });
});
