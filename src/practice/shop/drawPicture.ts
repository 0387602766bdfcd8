import { crc32, deflateSync } from 'node:zlib';

const tones = ['ground', 'main', 'dark', 'light'] as const;
type Tone = (typeof tones)[number];
/** A shape on a canvas of 100 by 100 units. */
export type Shape = { contains: (x: number, y: number) => boolean; tone: Tone };

type PointPair = readonly [number, number];

export const createEllipse = ([cx, cy]: PointPair, [rx, ry]: PointPair, tone: Tone): Shape => ({
  contains: (x, y) => ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 <= 1,
  tone,
});
export const createRectangle = ([left, top]: PointPair, [width, height]: PointPair, tone: Tone): Shape => ({
  contains: (x, y) => x >= left && x <= left + width && y >= top && y <= top + height,
  tone,
});

const sizePx = 480;
const shadesPerTone = 48;

/** Hues in degrees. */
export type PictureHues = { thing: number; ground: number };

const convertHslToRgb = (hue: number, saturation: number, lightness: number): [number, number, number] => {
  const computeRgbChannel = (n: number): number => {
    const k = (n + hue / 30) % 12;
    return Math.round(
      255 * (lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1))),
    );
  };
  return [computeRgbChannel(0), computeRgbChannel(8), computeRgbChannel(4)];
};

const toneColours: Readonly<Record<Tone, (hues: PictureHues, down: number) => [number, number, number]>> = {
  ground: ({ ground }, down) => convertHslToRgb(ground, 0.24, 0.9 - 0.2 * down),
  main: ({ thing }, down) => convertHslToRgb(thing, 0.5, 0.56 - 0.16 * down),
  dark: ({ thing }, down) => convertHslToRgb(thing, 0.4, 0.28 - 0.08 * down),
  light: ({ thing }, down) => convertHslToRgb(thing, 0.45, 0.88 - 0.12 * down),
};

const buildPngPalette = (hues: PictureHues): Buffer =>
  Buffer.from(
    tones
      .flatMap((tone) =>
        Array.from({ length: shadesPerTone }, (_, shade) => toneColours[tone](hues, shade / (shadesPerTone - 1))),
      )
      .flat(),
  );

/** Each line of pixels starts with the PNG filter byte 0. */
const rasteriseShapes = (shapes: readonly Shape[]): Buffer => {
  const scale = 100 / sizePx;
  const lines = Buffer.alloc(sizePx * (sizePx + 1));
  for (let line = 0; line < sizePx; line += 1) {
    const shade = Math.floor((line / sizePx) * shadesPerTone);
    for (let column = 0; column < sizePx; column += 1) {
      const [x, y] = [(column + 0.5) * scale, (line + 0.5) * scale];
      const tone = shapes.findLast(({ contains }) => contains(x, y))?.tone ?? 'ground';
      lines[line * (sizePx + 1) + 1 + column] = tones.indexOf(tone) * shadesPerTone + shade;
    }
  }
  return lines;
};

const encodePngChunk = (name: string, data: Buffer): Buffer => {
  const nameAndData = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(nameAndData), 4);
  return Buffer.concat([frame.subarray(0, 4), nameAndData, frame.subarray(4)]);
};

const header = Buffer.alloc(13);
header.writeUInt32BE(sizePx, 0);
header.writeUInt32BE(sizePx, 4);
header.set([8, 3], 8);

/**
 * Returns a function that encodes the shapes as a PNG in given hues. The shapes are drawn only once, because only the
 * palette differs.
 */
export const createPictureEncoder = (shapes: readonly Shape[]): ((hues: PictureHues) => Buffer) => {
  const pixels = deflateSync(rasteriseShapes(shapes));
  return (hues) =>
    Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      encodePngChunk('IHDR', header),
      encodePngChunk('PLTE', buildPngPalette(hues)),
      encodePngChunk('IDAT', pixels),
      encodePngChunk('IEND', Buffer.alloc(0)),
    ]);
};
