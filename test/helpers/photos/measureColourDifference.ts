import sharp, { type Sharp } from 'sharp';
import { toPixels, toRawInputOptions } from '../../../src/kitchen/pixels.ts';

type Lab = [number, number, number];

const toLab = ([red, green, blue]: readonly number[]): Lab => {
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

/** Returns the mean colours of 24 × 24 fields, which ignore edges and JPEG losses but not colour. */
const averageFields = (picture: Sharp): Promise<Buffer> =>
  picture.resize(fields, fields, { fit: 'fill', kernel: 'cubic' }).removeAlpha().raw().toBuffer();

/** Converts the colours first and at full size, without optimisation. */
const convertReference = async (source: string): Promise<Buffer> => {
  const { data, info } = await sharp(source, { limitInputPixels: false })
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return averageFields(sharp(data, toRawInputOptions(toPixels(data, info))));
};

/** Returns the CIE76 difference between the prepared photo and the reference: the mean and the 95th percentile. */
export const measureColourDifference = async (
  prepared: string,
  source: string,
): Promise<{ mean: number; most: number }> => {
  const [ours, theirs] = await Promise.all([convertReference(prepared), convertReference(source)]);
  const each = Array.from({ length: fields ** 2 }, (_, index) => {
    const at = index * 3;
    const [a, b] = [toLab([...ours.subarray(at, at + 3)]), toLab([...theirs.subarray(at, at + 3)])];
    return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  }).sort((one, other) => one - other);
  return {
    mean: each.reduce((sum, value) => sum + value, 0) / each.length,
    most: each[Math.floor(each.length * 0.95)] ?? 99,
  };
};
