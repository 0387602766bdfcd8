import { type Pixels, toPixels } from './pixels.ts';
import type { Sharp } from './sharpBackend.ts';
import { releaseBytes } from '../isolated/releasableBuffer.ts';

const tag = { width: 256, height: 257, bits: 258, compression: 259, photometric: 262, stripOffset: 273 } as const;
const more = { samples: 277, rows: 278, stripBytes: 279, extraSamples: 338, icc: 34675 } as const;
const [short, long, undefinedBytes] = [3, 4, 7];

/**
 * Writes the pixels and their colour profile into an uncompressed TIFF, because sharp does not accept a profile for raw
 * pixels.
 */
const wrapInTiff = ({ data, width, height, channels }: Pixels, icc: Uint8Array | null): Buffer => {
  const bitsAt = 8;
  const pixelsAt = bitsAt + channels * 2;
  const iccAt = pixelsAt + data.length;
  const entriesAt = (iccAt + (icc?.length ?? 0) + 1) & ~1;
  const entries: [id: number, type: number, count: number, value: number][] = [
    [tag.width, long, 1, width],
    [tag.height, long, 1, height],
    [tag.bits, short, channels, bitsAt],
    [tag.compression, short, 1, 1],
    [tag.photometric, short, 1, 2],
    [tag.stripOffset, long, 1, pixelsAt],
    [more.samples, short, 1, channels],
    [more.rows, long, 1, height],
    [more.stripBytes, long, 1, data.length],
  ];
  if (channels === 4) entries.push([more.extraSamples, short, 1, 2]);
  if (icc) entries.push([more.icc, undefinedBytes, icc.length, iccAt]);
  const file = Buffer.alloc(entriesAt + 2 + entries.length * 12 + 4);
  file.write('II*\0', 'latin1');
  file.writeUInt32LE(entriesAt, 4);
  for (let i = 0; i < channels; i++) file.writeUInt16LE(8, bitsAt + i * 2);
  file.set(data, pixelsAt);
  if (icc) file.set(icc, iccAt);
  file.writeUInt16LE(entries.length, entriesAt);
  entries.forEach(([id, type, count, value], index) => {
    const at = entriesAt + 2 + index * 12;
    file.writeUInt16LE(id, at);
    file.writeUInt16LE(type, at + 2);
    file.writeUInt32LE(count, at + 4);
    file.writeUInt32LE(value, at + 8);
  });
  return file;
};

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

const applyColourProfile = async (sharp: Sharp, pixels: Pixels, icc: Uint8Array | null): Promise<Pixels> => {
  const tiff = wrapInTiff(pixels, icc);
  const readTiffPixels = async (ignoreIcc: boolean): Promise<Pixels> => {
    const { data, info } = await sharp(tiff, { ignoreIcc, limitInputPixels: false })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    return toPixels(data, info);
  };
  // If the colour profile is unusable, the values are used as sRGB.
  const converted = await readTiffPixels(false).catch(() => readTiffPixels(true));
  releaseBytes(tiff);
  return converted;
};

const maxKnown = 8;
let known: { icc: Uint8Array; same: boolean }[] = [];

/**
 * Returns whether the profile changes each colour of a test cube by at most 1 of 255. Known profiles are compared byte
 * by byte, because loading Node's crypto for hashes takes longer.
 */
const isSrgbProfile = async (sharp: Sharp, icc: Uint8Array): Promise<boolean> => {
  const before = known.find((entry) => Buffer.compare(entry.icc, icc) === 0);
  if (before) return before.same;
  const { data } = await applyColourProfile(sharp, cube, icc);
  const same = data.every((value, at) => Math.abs(value - (cube.data[at] ?? 0)) <= 1);
  // The bytes are copied, because sharp might reuse their memory.
  known = [{ icc: new Uint8Array(icc), same }, ...known].slice(0, maxKnown);
  return same;
};

/** Converts pixels to sRGB on white. `icc` is their colour profile; null if they are sRGB. */
export const convertToSrgb = async (sharp: Sharp, pixels: Pixels, icc: Uint8Array | null): Promise<Pixels> => {
  const same = icc === null || (await isSrgbProfile(sharp, icc));
  return same && pixels.channels === 3 ? pixels : applyColourProfile(sharp, pixels, same ? null : icc);
};
