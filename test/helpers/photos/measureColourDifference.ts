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

/** Returns the hue angle in degrees. */
const computeHue = (a: number, b: number): number => ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360;

const cosine = (degrees: number): number => Math.cos((degrees * Math.PI) / 180);
const sine = (degrees: number): number => Math.sin((degrees * Math.PI) / 180);
const computeGreyShare = (chroma: number): number => Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7));

/** Returns the CIEDE2000 difference of two colours. */
const computeDeltaE00 = ([light1, red1, yellow1]: Lab, [light2, red2, yellow2]: Lab): number => {
  const stretch = 1.5 - 0.5 * computeGreyShare((Math.hypot(red1, yellow1) + Math.hypot(red2, yellow2)) / 2);
  const [a1, a2] = [red1 * stretch, red2 * stretch];
  const [chroma1, chroma2] = [Math.hypot(a1, yellow1), Math.hypot(a2, yellow2)];
  const [hue1, hue2] = [computeHue(a1, yellow1), computeHue(a2, yellow2)];
  const turn = chroma1 * chroma2 === 0 ? 0 : ((hue2 - hue1 + 540) % 360) - 180;
  const [light, chroma, hue] = [(light1 + light2) / 2, (chroma1 + chroma2) / 2, hue1 + turn / 2];
  const weight =
    1 - 0.17 * cosine(hue - 30) + 0.24 * cosine(2 * hue) + 0.32 * cosine(3 * hue + 6) - 0.2 * cosine(4 * hue - 63);
  const lightPart = (light2 - light1) / (1 + (0.015 * (light - 50) ** 2) / Math.sqrt(20 + (light - 50) ** 2));
  const chromaPart = (chroma2 - chroma1) / (1 + 0.045 * chroma);
  const huePart = (2 * Math.sqrt(chroma1 * chroma2) * sine(turn / 2)) / (1 + 0.015 * chroma * weight);
  const fromBlue = (((hue + 360) % 360) - 275) / 25;
  const bluePull = -2 * computeGreyShare(chroma) * sine(60 * Math.exp(-(fromBlue ** 2)));
  return Math.sqrt(lightPart ** 2 + chromaPart ** 2 + huePart ** 2 + bluePull * chromaPart * huePart);
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

/**
 * Returns the CIE76 difference between the prepared photo and the reference (the mean and the 95th percentile), and the
 * mean CIEDE2000 difference.
 */
export const measureColourDifference = async (
  prepared: string,
  source: string,
): Promise<{ mean: number; most: number; mean00: number }> => {
  const [ours, theirs] = await Promise.all([convertReference(prepared), convertReference(source)]);
  const pairs = Array.from({ length: fields ** 2 }, (_, index): [Lab, Lab] => {
    const at = index * 3;
    return [toLab([...ours.subarray(at, at + 3)]), toLab([...theirs.subarray(at, at + 3)])];
  });
  const each = pairs.map(([a, b]) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])).sort((one, two) => one - two);
  return {
    mean: each.reduce((sum, value) => sum + value, 0) / each.length,
    most: each[Math.floor(each.length * 0.95)] ?? 99,
    mean00: pairs.reduce((sum, [a, b]) => sum + computeDeltaE00(a, b), 0) / pairs.length,
  };
};
