import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { computeWholeLongEdge } from '../../../../src/kitchen/edits.ts';
import { getFixtureFolder } from '../../../helpers/photos/getFixtureFolder.ts';
import { readColour, listMetadata, expectPrepared, startWorkers } from '../../../helpers/photos/photoWorld.ts';
import { photoEdits, type PhotoEdits } from '../../../../src/photoContract/messages.ts';
import { noEdits } from '../../../../src/photoContract/constants.ts';

/** The fixture has a different colour in each corner: red and green at the top, blue and grey at the bottom. */
const prepareEdited = async (name: string, edits: Partial<PhotoEdits>, more: { longEdgePx?: number } = {}) => {
  const { workers, outDir } = await startWorkers({ size: 1 });
  const source = join(await getFixtureFolder(), 'good', name);
  const original = await readFile(source);
  const photo = expectPrepared(await workers.prepare({ source, outDir, edits: { ...noEdits, ...edits }, ...more }));
  expect(await readFile(source)).toEqual(original);
  return photo;
};

const isRed = ([r, g, b]: readonly number[]) => (r ?? 0) > 150 && (g ?? 255) < 100 && (b ?? 255) < 100;
const isGreen = ([r, g, b]: readonly number[]) => (g ?? 0) > 130 && (r ?? 255) < 100 && (b ?? 255) < 130;
const isBlue = ([r, g, b]: readonly number[]) => (b ?? 0) > 150 && (r ?? 255) < 100 && (g ?? 255) < 130;

test('quarter turns rotate the upright photo clockwise', async () => {
  const once = await prepareEdited('orientation-6.jpg', { quarterTurns: 1 });
  expect([once.width, once.height]).toEqual([300, 400]);
  expect(isRed(await readColour(once.path, 0.95, 0.05))).toBe(true);
  expect(isBlue(await readColour(once.path, 0.05, 0.05))).toBe(true);
  const thrice = await prepareEdited('orientation-6.jpg', { quarterTurns: 3 });
  expect(isGreen(await readColour(thrice.path, 0.05, 0.05))).toBe(true);
});

test('a crop is cut from the original photo, not from the shrunk photo', async () => {
  const photo = await prepareEdited(
    'large.jpg',
    { crop: { left: 0.5, top: 0, width: 0.5, height: 0.5 } },
    { longEdgePx: 1000 },
  );
  // Half of 2400 pixels exceeds the requested 1000; a crop of the shrunk photo would have only 500.
  expect([photo.width, photo.height]).toEqual([1000, 750]);
  for (const [x, y] of [
    [0.02, 0.02],
    [0.98, 0.02],
    [0.98, 0.95],
  ] as const)
    expect(isGreen(await readColour(photo.path, x, y))).toBe(true);
  const tiny = await prepareEdited('photo.png', { crop: { left: 0, top: 0, width: 0.2, height: 0.2 } });
  expect([tiny.width, tiny.height]).toEqual([80, 60]);
  expect(tiny.warnings).toContain('small');
});

test('a straightened photo keeps its aspect ratio and has no empty corners', async () => {
  const photo = await prepareEdited('photo.png', { straightenDeg: 10 });
  expect(photo.width).toBeLessThan(400);
  expect(photo.width / photo.height).toBeCloseTo(4 / 3, 1);
  for (const [x, y] of [
    [0, 0],
    [0.999, 0],
    [0, 0.999],
    [0.999, 0.999],
  ] as const) {
    const corner = await readColour(photo.path, x, y);
    expect(Math.min(...corner), `corner ${x} ${y} is ${corner.join(' ')}`).toBeLessThan(225);
  }
});

test('brightening and darkening change the mean brightness', async () => {
  const mean = async (path: string) => (await sharp(path).stats()).channels[0]?.mean ?? 0;
  const [dark, plain, bright] = await Promise.all(
    [-60, 0, 60].map(async (brighten) => mean((await prepareEdited('photo.jpg', { brighten })).path)),
  );
  expect(dark).toBeLessThan((plain ?? 0) - 10);
  expect(bright).toBeGreaterThan((plain ?? 0) + 10);
});

test('all edits can be applied together to a HEIC and to a JPEG photo', async ({ skip }) => {
  const edits: PhotoEdits = {
    quarterTurns: 2,
    straightenDeg: -3,
    crop: { left: 0.1, top: 0.1, width: 0.5, height: 0.8 },
    brighten: 20,
  };
  const jpeg = await prepareEdited('photo.jpg', edits);
  expect(await listMetadata(jpeg.path)).toEqual([]);
  const heic = join(await getFixtureFolder(), 'good/photo.heic');
  if (!(await stat(heic).catch(() => null))) skip('heif-enc is not installed, so there is no HEIC fixture');
  const other = await prepareEdited('photo.heic', edits);
  expect([other.width, other.height]).toEqual([jpeg.width, jpeg.height]);
});

test('each edited version of a photo is prepared once and stored separately', async () => {
  const { workers, outDir } = await startWorkers({ size: 1 });
  const source = join(await getFixtureFolder(), 'good/photo.jpg');
  const plain = expectPrepared(await workers.prepare({ source, outDir }));
  const turned = expectPrepared(await workers.prepare({ source, outDir, edits: { ...noEdits, quarterTurns: 1 } }));
  const webp = expectPrepared(await workers.prepare({ source, outDir, format: 'webp' }));
  expect(new Set([plain.path, turned.path, webp.path]).size).toBe(3);
  const { mtimeMs } = await stat(turned.path);
  expect(expectPrepared(await workers.prepare({ source, outDir, edits: { ...noEdits, quarterTurns: 1 } }))).toEqual(
    turned,
  );
  expect((await stat(turned.path)).mtimeMs).toBe(mtimeMs);
  expect((await stat(plain.path)).size).toBe(plain.bytes);
});

test('a photo prepared as WebP is upright and has no metadata', async () => {
  const { workers, outDir } = await startWorkers({ size: 1 });
  const source = join(await getFixtureFolder(), 'good/orientation-6.jpg');
  const photo = expectPrepared(await workers.prepare({ source, outDir, format: 'webp' }));
  expect(photo.contentType).toBe('image/webp');
  expect((await sharp(photo.path).metadata()).format).toBe('webp');
  expect(await listMetadata(photo.path)).toEqual([]);
  expect(isRed(await readColour(photo.path, 0.05, 0.05))).toBe(true);
  expect((await sharp(photo.thumbPath).metadata()).format).toBe('jpeg');
});

test('edits with a crop outside the photo or a value out of range are invalid', () => {
  const bad = [
    { crop: { left: 0.6, top: 0, width: 0.5, height: 0.5 } },
    { crop: { left: 0, top: 0, width: 0, height: 1 } },
    { straightenDeg: 16 },
    { quarterTurns: 4 },
    { brighten: 101 },
  ];
  for (const change of bad) expect(photoEdits.safeParse({ ...noEdits, ...change }).success).toBe(false);
});

test('a small crop of a huge photo does not exceed the pixel limit', () => {
  const crop = { left: 0, top: 0, width: 0.05, height: 0.05 };
  const edge = computeWholeLongEdge({ width: 16_320, height: 12_240 }, { ...noEdits, crop }, 2_400);
  expect(edge * edge * 0.75).toBeLessThan(61e6);
  expect(computeWholeLongEdge({ width: 4_000, height: 3_000 }, noEdits, 1_600)).toBe(1_600);
});
