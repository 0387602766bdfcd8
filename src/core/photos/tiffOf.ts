import type { Pixels } from './pixels.ts';

const tag = { width: 256, height: 257, bits: 258, compression: 259, photometric: 262, stripOffset: 273 } as const;
const more = { samples: 277, rows: 278, stripBytes: 279, extraSamples: 338, icc: 34675 } as const;
const [short, long, undefinedBytes] = [3, 4, 7];

/**
 * Wraps raw pixels and their colour profile in an uncompressed TIFF in memory. sharp cannot be told the profile of raw
 * pixels, but it reads the one of a TIFF.
 */
export const tiffOf = ({ data, width, height, channels }: Pixels, icc: Uint8Array | null): Buffer => {
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
  // 2: alpha that the colours were not multiplied with.
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
