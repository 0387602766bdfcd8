import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { corpus, whyNoCorpus } from '../../../helpers/photos/corpus.ts';
import { fixtures } from '../../../helpers/photos/fixtures.ts';
import { ready, startWorkers } from '../../../helpers/photos/photoWorld.ts';

type Lab = [number, number, number];

const labOf = ([red, green, blue]: readonly number[]): Lab => {
  const linear = [red, green, blue].map((value) => {
    const part = (value ?? 0) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const [r = 0, g = 0, b = 0] = linear;
  const curve = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = curve((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const y = curve(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = curve((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
};

const fields = 24;

/** The picture as 24 by 24 fields of mean colour: edges and JPEG's own losses do not count, colour does. */
const fieldsOf = (picture: Sharp): Promise<Buffer> =>
  picture.resize(fields, fields, { fit: 'fill', kernel: 'cubic' }).removeAlpha().raw().toBuffer();

/** The plain way: everything in colour first, at full size, with nothing clever. */
const reference = async (source: string): Promise<Buffer> => {
  const full = await sharp(source, { limitInputPixels: false })
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .png({ compressionLevel: 1 })
    .toBuffer();
  return fieldsOf(sharp(full));
};

/** CIE76 between the prepared photo and the reference: the mean and the 95th of 100 fields. */
const difference = async (prepared: string, source: string): Promise<{ mean: number; most: number }> => {
  const [ours, theirs] = await Promise.all([reference(prepared), reference(source)]);
  const each = Array.from({ length: fields ** 2 }, (_, index) => {
    const at = index * 3;
    const [a, b] = [labOf([...ours.subarray(at, at + 3)]), labOf([...theirs.subarray(at, at + 3)])];
    return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  }).sort((one, other) => one - other);
  return {
    mean: each.reduce((sum, value) => sum + value, 0) / each.length,
    most: each[Math.floor(each.length * 0.95)] ?? 99,
  };
};

test.for(['srgb.jpg', 'p3.jpg', 'adobe-rgb.jpg', 'adobe-rgb.png', 'sixteen-bit.png', 'lab.tif', 'cmyk.jpg'])(
  '%s is within ΔE 2 of the plain conversion',
  async (name) => {
    const { workers, outDir } = await startWorkers({ size: 1 });
    const source = join(await fixtures(), 'colour', name);
    const { mean, most } = await difference(ready(await workers.prepare({ source, outDir })).path, source);
    expect(mean).toBeLessThan(1);
    expect(most).toBeLessThan(2);
  },
);

if (!corpus) console.log(whyNoCorpus);
test.skipIf(!corpus)('real photos of every colour space are within ΔE 2 of it', { timeout: 600_000 }, async () => {
  const { workers, outDir } = await startWorkers();
  const { dir, files } = corpus ?? { dir: '', files: [] };
  const kinds = files.filter(
    ({ path, format, expected }) =>
      expected.outcome === 'ok' && /^items\/(colour|scooter|fox-figurine)\//.test(path) && !/hei/.test(format),
  );
  expect(kinds.length).toBeGreaterThan(15);
  for (const { path } of kinds) {
    const source = join(dir, path);
    const { mean, most } = await difference(ready(await workers.prepare({ source, outDir })).path, source);
    expect(Math.max(mean, most), path).toBeLessThan(2);
  }
});
