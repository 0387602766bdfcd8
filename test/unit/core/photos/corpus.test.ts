import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countDifferingBits } from '../../../../src/core/photos/photoLikeness.ts';
import { findPhotosInPaths } from '../../../../src/core/photos/findPhotos.ts';
import { createPhotoWorkers } from '../../../../src/core/photos/photoWorkers.ts';
import { corpus, whyNoCorpus, type CorpusFile } from '../../../helpers/photos/corpus.ts';
import { measureColourDifference } from '../../../helpers/photos/measureColourDifference.ts';
import { readMetadata, hasExiftool, countTrailingBytes } from '../../../helpers/photos/exiftool.ts';
import { listMetadata, expectPrepared } from '../../../helpers/photos/photoWorld.ts';
import { startKitchen } from '../../../helpers/photos/startKitchen.ts';
import { isWhole, sampledBy, drawSample } from '../../../helpers/sample.ts';

if (!corpus) console.log(whyNoCorpus);

/** Half of the photos of each item, but all rotated photos, which are compared with each other. */
const halfOf = (files: readonly CorpusFile[]): CorpusFile[] => {
  const isHalved = ({ path }: CorpusFile): boolean => /^items\/(?!orientation)/.test(path);
  const folders = Map.groupBy(files.filter(isHalved), ({ path }) => dirname(path));
  const chosen = new Set([...folders].flatMap(([name, of]) => drawSample(name, of, Math.ceil(of.length / 2))));
  return files.filter((file) => !isHalved(file) || chosen.has(file));
};

describe.skipIf(!corpus)(`real photos (${sampledBy})`, () => {
  const { dir, files: all } = corpus ?? { dir: '', files: [] };
  const files = halfOf(all);
  const source = (path: string): string => join(dir, path);
  const workers = createPhotoWorkers({ startKitchen });
  // All tests share one folder, so that each photo is prepared only once.
  let outDir = '';

  beforeAll(async () => {
    outDir = await mkdtemp(join(tmpdir(), 'corpus-'));
  });
  afterAll(async () => {
    await workers.close();
    await rm(outDir, { recursive: true, force: true });
  });

  test('ignorable files are skipped and all other files are found', async () => {
    const found = await findPhotosInPaths(['items', 'barcodes', 'bad'].map(source));
    const photos = found.groups.flatMap((group) => group.photos.map((photo) => photo.path));
    const wanted = all.filter((file) => file.expected.outcome !== 'ignore').map((file) => source(file.path));
    expect(photos.sort()).toEqual(wanted.sort());
    const ignored = all.filter((file) => file.expected.outcome === 'ignore').map((file) => basename(file.path));
    expect(found.skipped.map((file) => file.name).sort()).toEqual(ignored.sort());
  });

  test('every good photo is prepared upright, in reduced size and without metadata', { timeout: 600_000 }, async () => {
    const good = files.filter((file) => file.expected.outcome === 'ok');
    await Promise.all(
      good.map(async (file) => {
        const photo = expectPrepared(await workers.prepare({ source: source(file.path), outDir }));
        const [width, height] = [file.displayWidth ?? 0, file.displayHeight ?? 0];
        const shrink = Math.min(1, 1600 / Math.max(width, height));
        const off = Math.max(Math.abs(photo.width - width * shrink), Math.abs(photo.height - height * shrink));
        expect(off, file.path).toBeLessThanOrEqual(1);
        expect(photo.original, file.path).toMatchObject({ width, height });
        expect(await listMetadata(photo.path), file.path).toEqual([]);
        expect(await listMetadata(photo.thumbPath), file.path).toEqual([]);
      }),
    );
    expect(good.length).toBeGreaterThan(isWhole ? 100 : 75);
  });

  test.skipIf(!hasExiftool)('exiftool finds no metadata in prepared photos', { timeout: 600_000 }, async () => {
    const good = files.filter((file) => file.expected.outcome === 'ok');
    const made = await Promise.all(good.map(({ path }) => workers.prepare({ source: source(path), outDir })));
    const paths = made.flatMap((photo) => [expectPrepared(photo).path, expectPrepared(photo).thumbPath]);
    const found = await readMetadata(paths);
    expect(paths.filter((path) => (found[path] ?? ['not read']).length > 0)).toEqual([]);
    for (const path of paths) expect(await countTrailingBytes(path)).toBe(0);
  });

  test('a prepared photo has the same orientation as in another image reader', { timeout: 600_000 }, async () => {
    const pixels = (picture: Sharp) =>
      picture.flatten().toColourspace('srgb').resize(24, 24, { fit: 'fill' }).greyscale().raw().toBuffer();
    const readable = files.filter(({ expected, format }) => expected.outcome === 'ok' && !/hei/.test(format));
    await Promise.all(
      readable.map(async ({ path }) => {
        const photo = expectPrepared(await workers.prepare({ source: source(path), outDir }));
        const [ours, theirs] = await Promise.all([pixels(sharp(photo.path)), pixels(sharp(source(path)).autoOrient())]);
        const off = ours.reduce((sum, value, at) => sum + Math.abs(value - (theirs[at] ?? 0)), 0) / ours.length;
        expect(off, path).toBeLessThan(8);
      }),
    );
    for (const folder of ['items/orientation-landscape/', 'items/orientation-portrait/']) {
      const eight = files.filter(({ path }) => path.startsWith(folder));
      const made = await Promise.all(eight.map(({ path }) => workers.prepare({ source: source(path), outDir })));
      const [first = '', ...others] = made.map((photo) => expectPrepared(photo).hash64);
      for (const other of others) expect(countDifferingBits(first, other)).toBeLessThanOrEqual(6);
    }
  });

  test('no good photo is reported as blurred, too dark or too bright', { timeout: 300_000 }, async () => {
    const good = files.filter(({ expected, path }) => expected.outcome === 'ok' && path.startsWith('items/'));
    const made = await Promise.all(good.map(({ path }) => workers.prepare({ source: source(path), outDir })));
    const called = made.flatMap((photo, at) =>
      expectPrepared(photo)
        .warnings.filter((warning) => warning !== 'small')
        .map((warning) => `${good[at]?.path} ${warning}`),
    );
    expect(called).toEqual([]);
  });

  test('photos in every colour space stay within ΔE 2 of a plain conversion', { timeout: 600_000 }, async () => {
    const kinds = files.filter(
      ({ path, format, expected }) =>
        expected.outcome === 'ok' && /^items\/(colour|scooter|fox-figurine)\//.test(path) && !/hei/.test(format),
    );
    expect(kinds.length).toBeGreaterThan(isWhole ? 15 : 8);
    for (const { path } of kinds) {
      const photo = expectPrepared(await workers.prepare({ source: source(path), outDir }));
      const { mean, most } = await measureColourDifference(photo.path, source(path));
      expect(Math.max(mean, most), path).toBeLessThan(2);
    }
  });

  test('most barcodes are read, and no barcode is found in a photo without one', { timeout: 600_000 }, async () => {
    const readIn = async (path: string) => {
      const first = expectPrepared(await workers.prepare({ source: source(path), outDir })).barcodes;
      return (first.length > 0 ? first : await workers.readBarcodes({ source: source(path) })).map(
        ({ value }) => value,
      );
    };
    const coded = files.filter((file) => file.barcode);
    const found = await Promise.all(
      coded.map(async (file) => (await readIn(file.path)).includes(file.barcode?.text ?? '')),
    );
    expect(found.filter(Boolean).length).toBeGreaterThanOrEqual(24);
    const others = files.filter(
      ({ path, barcode, expected }) => path.startsWith('items/') && !barcode && expected.outcome === 'ok',
    );
    const wrong = await Promise.all(
      others
        .filter((file) => /jpe?g/.test(file.format))
        .map(async ({ path }) => expectPrepared(await workers.prepare({ source: source(path), outDir })).barcodes),
    );
    expect(wrong.flat()).toEqual([]);
  });

  // The workers have prepared good photos before: an incomplete decode must not show one of these.
  test('every bad photo is refused', { timeout: 300_000 }, async () => {
    for (const file of files.filter(({ expected }) => expected.outcome === 'reject')) {
      const photo = await workers.prepare({ source: source(file.path), outDir });
      expect([file.path, photo.ok]).toEqual([file.path, false]);
    }
  });
});
