import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import readWholeExif from 'exif-reader';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { parsePhotoExif } from '../../../../src/photoContract/exif.ts';
import { corpus, whyNoCorpus } from '../../../helpers/photos/corpus.ts';
import { getFixtureFolder } from '../../../helpers/photos/getFixtureFolder.ts';
import { createRandom } from '../../../helpers/createRandom.ts';
import { mutate } from '../../../slow/mutate.ts';

if (!corpus) console.log(whyNoCorpus);

/** Builds EXIF with one directory of these entries, followed by zeros. */
const buildExif = (
  entries: readonly (readonly [tag: number, type: number, count: number, value: number])[],
  size = 64,
) => {
  const bytes = Buffer.alloc(Math.max(size, 14 + entries.length * 12));
  bytes.write('II*\0', 'latin1');
  bytes.writeUInt32LE(8, 4);
  bytes.writeUInt16LE(entries.length, 8);
  for (const [nth, [tag, type, count, value]] of entries.entries()) {
    const at = 10 + nth * 12;
    bytes.writeUInt16LE(tag, at);
    bytes.writeUInt16LE(type, at + 2);
    bytes.writeUInt32LE(count, at + 4);
    bytes.writeUInt32LE(value, at + 8);
  }
  return bytes;
};

/** Reads EXIF with a library, which fails if EXIF is missing or unreadable. */
const readExifWithLibrary = async (bytes: Buffer) => {
  const { exif } = await sharp(bytes, { failOn: 'none', limitInputPixels: false }).metadata();
  return readWholeExif(exif ?? Buffer.alloc(0));
};

describe('photo metadata is read from EXIF', () => {
  test.for(['jpg', 'png', 'webp', 'avif', 'heic', 'tif'])('EXIF is read from a .%s file', async (ending) => {
    const bytes = await readFile(join(await getFixtureFolder(), `good/photo.${ending}`));
    const hasExif = ending !== 'tif';
    expect(parsePhotoExif(bytes)).toEqual(
      hasExif
        ? {
            make: 'Nobody',
            model: 'Test Camera',
            takenAt: '2024:05:18 10:20:30',
            takenAtZone: '+02:00',
          }
        : {},
    );
  });

  test.skipIf(!corpus)('EXIF of real photos is read with the same result as by another reader', async () => {
    const photos = corpus?.files.filter(({ expected }) => expected.outcome === 'ok') ?? [];
    let comparedCount = 0;
    for (const { path } of photos) {
      const bytes = await readFile(join(corpus?.dir ?? '', path));
      const other = await readExifWithLibrary(bytes).catch(() => null);
      if (!other) continue;
      const { Image, Photo } = other;
      const found = parsePhotoExif(bytes);
      expect.soft(found.make, path).toBe(Image?.Make?.split('\0')[0]?.trim() || undefined);
      const takenAt = Photo?.DateTimeOriginal;
      if (takenAt)
        expect.soft(new Date(found.takenAt?.replace(/^(\d+):(\d+):(.*)/, '$1-$2-$3Z') ?? ''), path).toEqual(takenAt);
      comparedCount += takenAt ? 1 : 0;
    }
    expect(comparedCount).toBeGreaterThan(10);
  });
});

describe('malicious EXIF', () => {
  test('does not expand into gigabytes', () => {
    const size = 65_000;
    const claims = Array.from({ length: 5_000 }, (_, nth) => [1_000 + nth, 1, 0xff_ffff, 0] as const);
    expect(parsePhotoExif(buildExif(claims, size))).toEqual({});
  });

  test('is not read in a loop or beyond its end', () => {
    const camera = [0x010f, 2, 4, 0x004d_4143] as const;
    expect(parsePhotoExif(buildExif([camera, [0x8769, 4, 1, 8]]))).toMatchObject({ make: 'CAM', takenAt: undefined });
    expect(parsePhotoExif(buildExif([camera, [0x8769, 4, 1, 0xffff_fff0]]))).toMatchObject({ make: 'CAM' });
    expect(parsePhotoExif(buildExif([[0x010f, 2, 0xffff_ffff, 0xffff_fff0]])).make).toBeUndefined();
  });

  test('never makes the parser throw, even in a truncated or damaged file', async () => {
    const random = createRandom(7);
    for (const ending of ['jpg', 'png', 'webp', 'avif', 'heic']) {
      const bytes = await readFile(join(await getFixtureFolder(), `good/photo.${ending}`));
      const ended = Array.from({ length: 1_000 }, (_, end) => parsePhotoExif(bytes.subarray(0, end)).make);
      const damaged = Array.from({ length: 500 }, () => parsePhotoExif(mutate(bytes, random)).model);
      expect(ended[0]).toBeUndefined();
      // Both results must occur: otherwise the damage was too small or too large to prove anything.
      expect(damaged, ending).toEqual(expect.arrayContaining([undefined, 'Test Camera']));
    }
  });
});
