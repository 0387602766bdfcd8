import { hash } from 'node:crypto';
import { pixelsOf, type Pixels } from './pixels.ts';
import type { Sharp } from './sharpBackend.ts';
import { tiffOf } from './tiffOf.ts';

/** Steps of a colour cube that shows what a profile does. */
const steps = 9;

const cube: Pixels = {
  data: Uint8Array.from({ length: steps ** 3 * 3 }, (_, at) => {
    const [colour, channel] = [Math.floor(at / 3), at % 3];
    return Math.round((Math.floor(colour / steps ** channel) % steps) * (255 / (steps - 1)));
  }),
  width: steps,
  height: steps ** 2,
  channels: 3,
};

const convert = async (sharp: Sharp, pixels: Pixels, icc: Uint8Array | null): Promise<Pixels> => {
  const read = async (ignoreIcc: boolean): Promise<Pixels> => {
    const { data, info } = await sharp(tiffOf(pixels, icc), { ignoreIcc, limitInputPixels: false })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    return pixelsOf(data, info);
  };
  // A colour profile that cannot be used is no reason to refuse a photo: its numbers are then taken as sRGB.
  return read(false).catch(() => read(true));
};

const known = new Map<string, boolean>();

/** Whether a profile is sRGB by another name, of which there are dozens: none of its colours moves by more than 1 of 255. */
const changesNothing = async (sharp: Sharp, icc: Uint8Array): Promise<boolean> => {
  const key = hash('sha256', icc);
  const before = known.get(key);
  if (before !== undefined) return before;
  const { data } = await convert(sharp, cube, icc);
  const same = data.every((value, at) => Math.abs(value - (cube.data[at] ?? 0)) <= 1);
  known.set(key, same);
  return same;
};

/** Turns pixels of a colour profile (null: sRGB) into sRGB on white. Answers the same pixels when there is nothing to do. */
export const toSrgb = async (sharp: Sharp, pixels: Pixels, icc: Uint8Array | null): Promise<Pixels> => {
  const same = icc === null || (await changesNothing(sharp, icc));
  return same && pixels.channels === 3 ? pixels : convert(sharp, pixels, same ? null : icc);
};
