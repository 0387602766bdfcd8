import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { findPhotosInPaths } from '../../../../src/core/photos/findPhotos.ts';
import { encodeWithCurve, type ColourSpace, type Curve } from '../../../helpers/photos/encodeWithCurve.ts';
import { getFixtureFolder } from '../../../helpers/photos/getFixtureFolder.ts';
import { labelHeif } from '../../../helpers/photos/labelHeif.ts';
import { measureColourDifference } from '../../../helpers/photos/measureColourDifference.ts';
import { createTempDir, expectPrepared, startWorkers } from '../../../helpers/photos/photoWorld.ts';

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

/** Adds a comment to a JPEG, so that no two photos have the same bytes. */
const commentJpeg = (jpeg: Buffer, comment: number): Buffer =>
  insertStrayBytes(jpeg, 2, Buffer.from([0xff, 0xfe, 0, 3, comment]));

const createTiffWithOldJpeg = async (jpeg: Buffer): Promise<Buffer> => {
  const tiff = await sharp(jpeg).tiff({ compression: 'none' }).toBuffer();
  tiff[tiff.indexOf(Buffer.from([3, 1, 3, 0, 1, 0, 0, 0, 1, 0])) + 8] = 6;
  return tiff;
};

test('of twelve good and twelve broken photos at once, each good one is prepared and each broken one gets its own reason', async () => {
  const [dir, fixtures] = [await createTempDir(), await getFixtureFolder()];
  const readFixture = (name: string): Promise<Buffer> => readFile(join(fixtures, name));
  const jpeg = await readFixture('good/photo.jpg');
  const harmless = insertStrayBytes(jpeg, jpeg.indexOf(Buffer.from([0xff, 0xdb])), Buffer.from([0xff, 0, 0xff, 0]));
  const progressive = await sharp(jpeg).jpeg({ progressive: true }).toBuffer();
  const lastTable = progressive.lastIndexOf(Buffer.from([0xff, 0xc4]));
  const photos: [code: string, bytes: Buffer][] = [
    ['prepared', jpeg],
    ['prepared', await readFixture('good/photo.webp')],
    ['TRUNCATED', await readFixture('bad/truncated.png')],
    ['TRUNCATED', await readFixture('bad/truncated.webp')],
    ['OTHER_PICTURE', await createTiffWithOldJpeg(jpeg)],
  ];
  const [cut, damaged] = [await readFixture('bad/truncated.jpg'), await readFixture('bad/damaged.jpg')];
  for (let nth = 0; nth < 10; nth++) photos.push(['prepared', commentJpeg(harmless, nth)]);
  for (let nth = 0; nth < 3; nth++) {
    photos.push(['TRUNCATED', commentJpeg(cut, nth)], ['DAMAGED', commentJpeg(damaged, nth)]);
    photos.push(['DAMAGED', commentJpeg(insertStrayBytes(progressive, lastTable, Buffer.alloc(40, 7)), nth)]);
  }
  const sources = photos.map((_, at) => join(dir, `${at}.jpg`));
  await Promise.all(photos.map(([, bytes], at) => writeFile(sources[at] ?? '', bytes)));
  const { workers, outDir } = await startWorkers();
  for (let round = 0; round < 5; round++) {
    const made = await Promise.all(
      sources.map((source) => workers.prepare({ source, outDir, longEdgePx: 320 + round })),
    );
    expect(made.map((photo) => (photo.ok ? 'prepared' : photo.code))).toEqual(photos.map(([code]) => code));
  }
});

const readDrawnPixels = async () => {
  const drawn = join(await getFixtureFolder(), 'good/photo.jpg');
  const { data, info } = await sharp(drawn).raw().toBuffer({ resolveWithObject: true });
  return { drawn, data, width: info.width, height: info.height };
};

const labels: [space: ColourSpace, curve: Curve, codes: Parameters<typeof labelHeif>[1]][] = [
  ['p3', 'srgb', { primaries: 12, transfer: 13, matrix: 6 }],
  ['bt2020', 'srgb', { primaries: 9, transfer: 14, matrix: 6 }],
  ['bt2020', 'pq', { primaries: 9, transfer: 16, matrix: 6 }],
  ['p3', 'pq', { primaries: 12, transfer: 16, matrix: 6 }],
  ['bt2020', 'hlg', { primaries: 9, transfer: 18, matrix: 6 }],
];

test.each(labels)('an AVIF with %s colours and the curve %s looks like its sRGB twin', async (space, curve, codes) => {
  const dir = await createTempDir();
  const { drawn, data, width, height } = await readDrawnPixels();
  const { workers, outDir } = await startWorkers({ size: 1 });
  const source = join(dir, 'labelled.avif');
  const avif = await sharp(encodeWithCurve(data, space, curve), { raw: { width, height, channels: 3 } })
    .toColourspace('rgb16')
    .avif({ quality: 95, bitdepth: 10, chromaSubsampling: '4:4:4' })
    .toBuffer();
  await writeFile(source, labelHeif(avif, codes));
  const photo = expectPrepared(await workers.prepare({ source, outDir }));
  expect((await measureColourDifference(photo.path, drawn)).mean00).toBeLessThan(2);
});

test('light above white paper keeps its shades, and the brightest becomes white', async () => {
  const dir = await createTempDir();
  const { workers, outDir } = await startWorkers({ size: 1 });
  // Stripes of grey with 100, 203, 400 and 1,000 nits.
  const codes = [0.508, 0.58, 0.652, 0.752];
  const [width, height] = [400, 300];
  const data = Uint16Array.from({ length: width * height * 3 }, (_, at) =>
    Math.round((codes[Math.floor((Math.floor(at / 3) % width) / 100)] ?? 0) * 65_535),
  );
  const avif = await sharp(data, { raw: { width, height, channels: 3 } })
    .toColourspace('rgb16')
    .avif({ quality: 95, bitdepth: 10 })
    .toBuffer();
  const source = join(dir, 'bright.avif');
  await writeFile(source, labelHeif(avif, { primaries: 9, transfer: 16, matrix: 6 }));
  const photo = expectPrepared(await workers.prepare({ source, outDir }));
  const picture = await sharp(photo.path).raw().toBuffer();
  const shades = [50, 150, 250, 350].map((x) => picture[(150 * width + x) * 3] ?? 0);
  expect(shades[3]).toBeGreaterThanOrEqual(252);
  for (const [at, darker] of shades.slice(0, 3).entries()) expect(shades[at + 1]).toBeGreaterThan(darker + 12);
});

const hasHeifEncoder = spawnSync('heif-enc', ['--help']).error === undefined;

test.skipIf(!hasHeifEncoder).each([8, 10])(
  'a HEIC of %i bits with a PQ label looks like its sRGB twin',
  async (bits) => {
    const dir = await createTempDir();
    const { drawn, data, width, height } = await readDrawnPixels();
    const { workers, outDir } = await startWorkers({ size: 1 });
    const [png, heic] = [join(dir, 'pq.png'), join(dir, 'pq.heic')];
    await sharp(encodeWithCurve(data, 'bt2020', 'pq'), { raw: { width, height, channels: 3 } })
      .toColourspace('rgb16')
      .png()
      .toFile(png);
    execFileSync('heif-enc', ['-q', '95', ...(bits > 8 ? ['-b', `${bits}`] : []), '-o', heic, png], {
      stdio: 'ignore',
    });
    await writeFile(heic, labelHeif(await readFile(heic), { primaries: 9, transfer: 16, matrix: 6 }));
    const photo = expectPrepared(await workers.prepare({ source: heic, outDir }));
    expect((await measureColourDifference(photo.path, drawn)).mean00).toBeLessThan(4);
  },
);

/** Returns a HEIC whose EXIF alone states an orientation. */
const encodeExifHeic = async (dir: string, orientation: number, camera: Record<string, string>): Promise<string> => {
  const [jpeg, heic] = [join(dir, `${orientation}.jpg`), join(dir, `${orientation}.heic`)];
  const { drawn } = await readDrawnPixels();
  await sharp(drawn).withExif({ IFD0: camera }).withMetadata({ orientation: 1 }).toFile(jpeg);
  execFileSync('heif-enc', ['-q', '90', '-o', heic, jpeg], { stdio: 'ignore' });
  const bytes = await readFile(heic);
  const tag = bytes.indexOf(Buffer.from([0x12, 1, 3, 0, 1, 0, 0, 0, 1, 0]));
  if (tag < 0) throw new Error('The EXIF has no orientation.');
  bytes[tag + 8] = orientation;
  await writeFile(heic, bytes);
  return heic;
};

test.skipIf(!hasHeifEncoder)('a HEIC of a camera without its own rotation is rotated by its EXIF', async () => {
  const dir = await createTempDir();
  const { workers, outDir } = await startWorkers({ size: 1 });
  const { drawn } = await readDrawnPixels();
  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const source = await encodeExifHeic(dir, orientation, { Make: 'Apple', Model: 'iPhone 7' });
    const upright = join(dir, 'upright.png');
    await sharp(await sharp(drawn).withMetadata({ orientation }).toBuffer())
      .autoOrient()
      .toFile(upright);
    const photo = expectPrepared(await workers.prepare({ source, outDir }));
    expect((await measureColourDifference(photo.path, upright)).mean, `orientation ${orientation}`).toBeLessThan(3);
  }
  const edited = await encodeExifHeic(dir, 6, { Software: 'Paint' });
  expect(await workers.prepare({ source: edited, outDir })).toMatchObject({ ok: true, width: 400, height: 300 });
});

test('an intact picture of an uncommon kind is refused by its kind, and not as damaged', async () => {
  const dir = await createTempDir();
  const { drawn } = await readDrawnPixels();
  const { workers, outDir } = await startWorkers({ size: 1 });
  const jpeg = await readFile(drawn);
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  const setByte = (bytes: Buffer, at: number, value: number): Buffer => {
    const changed = Buffer.from(bytes);
    changed[at] = value;
    return changed;
  };
  const tiff = await sharp(drawn).tiff({ compression: 'none' }).toBuffer();
  const compression = tiff.indexOf(Buffer.from([3, 1, 3, 0, 1, 0, 0, 0, 1, 0]));
  const grey = await sharp(drawn).greyscale().toColourspace('b-w').tiff({ compression: 'none' }).toBuffer();
  const bits = grey.indexOf(Buffer.from([2, 1, 3, 0, 1, 0, 0, 0, 8, 0]));
  const files: Record<string, Buffer> = {
    'lossless.jpg': setByte(jpeg, frame + 1, 0xc3),
    'twelve-bit.jpg': setByte(setByte(jpeg, frame + 1, 0xc1), frame + 4, 12),
    'old-jpeg.tif': setByte(tiff, compression + 8, 6),
    'twelve-bit.tif': setByte(grey, bits + 8, 12),
    'mini.heif': Buffer.concat([Buffer.from('\0\0\0\x10ftypmif3heic\0\0\0\xf0mini', 'latin1'), Buffer.alloc(232, 9)]),
  };
  for (const [name, bytes] of Object.entries(files)) {
    await writeFile(join(dir, name), bytes);
    expect(await workers.prepare({ source: join(dir, name), outDir }), name).toMatchObject({ code: 'OTHER_PICTURE' });
  }
  const found = await findPhotosInPaths([dir]);
  expect(found.groups[0]?.photos.map(({ name }) => name)).toContain('mini.heif');
});

test('a truncated image sequence is refused as truncated, and an intact one as animated', async () => {
  const dir = await createTempDir();
  const { workers, outDir } = await startWorkers({ size: 1 });
  const toBox = (type: string, body: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + body.length);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, body]);
  };
  const sequence = Buffer.concat([
    toBox('ftyp', Buffer.from('avis\0\0\0\0avisavif', 'latin1')),
    toBox('moov', Buffer.alloc(400)),
    toBox('mdat', Buffer.alloc(4000, 5)),
  ]);
  const [whole, cut] = [join(dir, 'whole.avif'), join(dir, 'cut.avif')];
  await writeFile(whole, sequence);
  await writeFile(cut, sequence.subarray(0, -900));
  expect(await workers.prepare({ source: whole, outDir })).toMatchObject({ code: 'ANIMATED' });
  expect(await workers.prepare({ source: cut, outDir })).toMatchObject({ code: 'TRUNCATED' });
});

/** Photos of public repositories beside this repository. Without them, their tests are skipped. */
const publicPhotos = fileURLToPath(new URL('../../../../../shared/photos/public', import.meta.url));
const hasPublicPhotos = existsSync(publicPhotos);

const expectedResults: [name: string, result: object][] = [
  ['photopris__iphone_7.heic', { ok: true, width: 1200, height: 1600 }],
  ['immich-ap__10bit-HDR-P3-nclx.avif', { ok: true, width: 1053, height: 1600 }],
  ['AOMediaCo__colors_hdr_rec2020.avif', { ok: true }],
  ['sindresor__fixture-sequence.avif', { code: 'ANIMATED' }],
  ['sindresor__fixture-msf1.heic', { code: 'ANIMATED' }],
  ['python-pi__jpeg_ff00_header.jpg', { ok: true }],
  ['haraldk__foto_0001.tif', { code: 'OTHER_PICTURE' }],
  ['python-pi__12bit.cropped.tif', { code: 'OTHER_PICTURE' }],
  ['struktura__hevc32-mini.heif', { code: 'OTHER_PICTURE' }],
  // These four are the same bytes without a colour label.
  ...['p3', 'bt2020pq', 'bt2020hlg', 'srgb'].map((name): [string, object] => [`nclx-${name}.heic`, { ok: true }]),
];

test.skipIf(!hasPublicPhotos).each(expectedResults)(
  '%s of a public repository is prepared or named',
  async (name, result) => {
    const { workers, outDir } = await startWorkers({ size: 1 });
    expect(await workers.prepare({ source: join(publicPhotos, name), outDir }), name).toMatchObject(result);
  },
);

test.skipIf(!hasPublicPhotos)(
  'a public HDR photo looks like its SDR twin, and labels change the colours of a HEIC',
  async () => {
    const dir = await createTempDir();
    const { workers, outDir } = await startWorkers({ size: 1 });
    const prepareFile = async (source: string) => expectPrepared(await workers.prepare({ source, outDir })).path;
    const hdr = await prepareFile(join(publicPhotos, 'AOMediaCo__colors_hdr_rec2020.avif'));
    const twin = join(publicPhotos, 'AOMediaCo__colors_sdr_srgb.avif');
    expect((await measureColourDifference(hdr, twin)).mean00).toBeLessThan(6);
    const fox = await readFile(join(publicPhotos, 'nclx-srgb.heic'));
    const plain = await prepareFile(join(publicPhotos, 'nclx-srgb.heic'));
    await writeFile(join(dir, 'p3.heic'), labelHeif(fox, { primaries: 12, transfer: 13, matrix: 6 }));
    await writeFile(join(dir, 'srgb.heic'), labelHeif(fox, { primaries: 1, transfer: 13, matrix: 6 }));
    const measureSaturation = async (file: string): Promise<number> => {
      const picture = await sharp(file).raw().toBuffer();
      let sum = 0;
      for (let at = 0; at < picture.length; at += 3) {
        const channels = picture.subarray(at, at + 3);
        sum += Math.max(...channels) - Math.min(...channels);
      }
      return sum;
    };
    const vivid = await prepareFile(join(dir, 'p3.heic'));
    expect(await measureSaturation(vivid)).toBeGreaterThan((await measureSaturation(plain)) * 1.03);
    expect(await readFile(await prepareFile(join(dir, 'srgb.heic')))).toEqual(await readFile(plain));
  },
);
