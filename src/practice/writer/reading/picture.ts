import sharp from 'sharp';
import type { ColourShare } from './photoReading.ts';

/** One decoded picture: upright, sRGB, four bytes a pixel on a white ground. */
export type Picture = { data: Buffer; width: number; height: number };

// What the service accepts, plus what a person's folder may hold when the writer runs on its own.
const readable = new Set(['jpeg', 'png', 'webp', 'heif', 'tiff']);

// A phone's largest photo; a bomb of 900 megapixels is refused from its header.
const limitInputPixels = 120e6;

sharp.cache(false);
sharp.concurrency(1);

const open = (original: Uint8Array) => sharp(original, { limitInputPixels, failOn: 'error', pages: 1 });

/**
 * The picture in a file's bytes, at most `longestSide` pixels long; rejects when they are no photo.
 * The kind is taken from the content: sharp would also draw an SVG that is named like a photo.
 */
export const openPicture = async (original: Uint8Array, longestSide?: number): Promise<Picture> => {
  const { format } = await open(original).metadata();
  if (!readable.has(format)) throw new Error(`A ${format} file is not a photo.`);
  const upright = open(original).autoOrient();
  const sized = longestSide
    ? upright.resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
    : upright;
  const { data, info } = await sized
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
};

// Enough for a model to see what the thing is; larger pictures only cost more.
const smallSide = 1024;

/** A photo as a small JPEG, upright and without the camera's notes: no place, no time, no maker. */
export const shrinkPhoto = async (original: Uint8Array): Promise<Uint8Array<ArrayBuffer>> => {
  const { data, width, height } = await openPicture(original, smallSide);
  const jpeg = await sharp(data, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .jpeg({ quality: 82 })
    .toBuffer();
  return new Uint8Array(jpeg);
};

/** The stored size of a picture, read from its header alone. */
export const readSize = async (original: Uint8Array): Promise<{ width: number; height: number }> => {
  const { width, height } = await open(original).metadata();
  return { width, height };
};

/** The picture's brightness, one byte a pixel, at most `longestSide` long. */
export const toGrey = async (picture: Picture, longestSide: number): Promise<Picture> => {
  const { data, info } = await sharp(picture.data, {
    raw: { width: picture.width, height: picture.height, channels: 4 },
  })
    .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
    .removeAlpha()
    .greyscale()
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
};

/** The picture with its noise smoothed away: some codes printed on film or foil are read only so. */
export const blurPicture = async (picture: Picture): Promise<Picture> => ({
  ...picture,
  data: await sharp(picture.data, { raw: { width: picture.width, height: picture.height, channels: 4 } })
    .blur(0.8)
    .raw()
    .toBuffer(),
});

/** The picture shrunk to a small square of RGB triples. */
export const toTiles = async (picture: Picture, side: number): Promise<Buffer> =>
  sharp(picture.data, { raw: { width: picture.width, height: picture.height, channels: 4 } })
    .removeAlpha()
    .resize(side, side, { fit: 'fill' })
    .raw()
    .toBuffer();

/**
 * How crisp a picture is: the variance of its Laplacian at 512 px.
 * A blurred or empty picture is below about 15, a good photo is in the hundreds.
 */
export const sharpnessOf = async (picture: Picture): Promise<number> => {
  const { data, width, height } = await toGrey(picture, 512);
  let sum = 0;
  let squares = 0;
  let count = 0;
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const around = data[at - 1]! + data[at + 1]! + data[at - width]! + data[at + width]!;
      const edge = around - 4 * data[at]!;
      sum += edge;
      squares += edge * edge;
      count += 1;
    }
  if (count === 0) return 0;
  return Math.round(squares / count - (sum / count) ** 2);
};

const side = 64;
type Rgb = readonly [number, number, number];

const hueNames: readonly (readonly [upTo: number, name: string])[] = [
  [14, 'Red'],
  [42, 'Orange'],
  [68, 'Yellow'],
  [165, 'Green'],
  [195, 'Turquoise'],
  [255, 'Blue'],
  [292, 'Purple'],
  [338, 'Pink'],
  [361, 'Red'],
];

const hueOf = ([r, g, b]: Rgb, max: number, span: number): number => {
  if (span === 0) return 0;
  const sector = max === r ? ((g - b) / span + 6) % 6 : max === g ? (b - r) / span + 2 : (r - g) / span + 4;
  return sector * 60;
};

/** The everyday English name of a colour. */
export const colourName = (rgb: Rgb): string => {
  const max = Math.max(...rgb);
  const span = max - Math.min(...rgb);
  const saturation = max === 0 ? 0 : span / max;
  if (max < 52) return 'Black';
  if (saturation < 0.12 || span < 18) return max > 205 ? 'White' : max > 72 ? 'Grey' : 'Black';
  const hue = hueOf(rgb, max, span);
  const warm = hue >= 10 && hue < 50;
  if (warm && max > 170 && saturation < 0.42) return 'Beige';
  if (warm && (max < 165 || saturation < 0.55)) return 'Brown';
  if (hue >= 50 && hue < 68 && max > 185 && saturation < 0.3) return 'Beige';
  return hueNames.find(([upTo]) => hue < upTo)?.[1] ?? 'Red';
};

const pixelAt = (tiles: Buffer, x: number, y: number): Rgb => {
  const at = (y * side + x) * 3;
  return [tiles[at] ?? 0, tiles[at + 1] ?? 0, tiles[at + 2] ?? 0];
};

const distance = (one: Rgb, other: Rgb): number => Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

// What lies along the picture's edge is taken for the table or the wall behind the item.
const groundOf = (tiles: Buffer): Rgb => {
  const edge: Rgb[] = [];
  for (let i = 0; i < side; i += 1)
    edge.push(pixelAt(tiles, i, 0), pixelAt(tiles, i, side - 1), pixelAt(tiles, 0, i), pixelAt(tiles, side - 1, i));
  return [median(edge.map((p) => p[0])), median(edge.map((p) => p[1])), median(edge.map((p) => p[2]))];
};

const centre = (): [number, number][] => {
  const from = side * 0.18;
  const to = side * 0.82;
  const places: [number, number][] = [];
  for (let y = Math.ceil(from); y < to; y += 1) for (let x = Math.ceil(from); x < to; x += 1) places.push([x, y]);
  return places;
};

/** The item's main colours, largest first: the middle of the picture without what its edge shows. */
export const coloursOf = async (picture: Picture): Promise<ColourShare[]> => {
  const tiles = await toTiles(picture, side);
  const ground = groundOf(tiles);
  const middle = centre().map(([x, y]) => pixelAt(tiles, x, y));
  const item = middle.filter((pixel) => distance(pixel, ground) > 40);
  const counted = item.length > middle.length * 0.12 ? item : middle;
  const counts = new Map<string, number>();
  for (const pixel of counted) counts.set(colourName(pixel), (counts.get(colourName(pixel)) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => ({ name, share: count / counted.length }))
    .filter(({ share }) => share >= 0.1)
    .sort((one, other) => other.share - one.share || one.name.localeCompare(other.name));
};
