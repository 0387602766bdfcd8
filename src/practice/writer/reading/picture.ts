import sharp from 'sharp';
import type { ColourShare } from './photoReading.ts';

/** A decoded picture: upright, sRGB, on a white background. The data is RGBA unless a function states otherwise. */
export type Picture = { data: Buffer; width: number; height: number };

/** sharp can also decode SVG, so a file is refused if its real format is not a photo format. */
const photoFormats = new Set(['jpeg', 'png', 'webp', 'heif', 'tiff']);

/** Phones take photos up to this size. A larger photo is refused before it is decoded. */
const maxPixels = 120e6;

sharp.cache(false);
sharp.concurrency(1);

const openOriginal = (original: Uint8Array) =>
  sharp(original, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 });
const openPixels = ({ data, width, height }: Picture) => sharp(data, { raw: { width, height, channels: 4 } });
const createFitOptions = (longestSide: number) =>
  ({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true }) as const;

const toPicture = async (image: ReturnType<typeof sharp>): Promise<Picture> => {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
};

export const readPictureSize = async (original: Uint8Array): Promise<{ width: number; height: number }> => {
  const { format, width, height } = await openOriginal(original).metadata();
  if (!photoFormats.has(format)) throw new Error(`A ${format} file is not a photo.`);
  return { width, height };
};

/** Decodes a photo and shrinks it to `longestSide` pixels. Rejects if the bytes are not a photo. */
export const openPicture = async (original: Uint8Array, longestSide?: number): Promise<Picture> => {
  await readPictureSize(original);
  const upright = openOriginal(original).autoOrient();
  const sized = longestSide ? upright.resize(createFitOptions(longestSide)) : upright;
  return toPicture(sized.flatten({ background: 'white' }).toColourspace('srgb').ensureAlpha());
};

/** A vision model needs no larger picture and charges more for one. */
const smallSide = 1024;

/** Returns a photo as a small upright JPEG without metadata. */
export const shrinkPhoto = async (original: Uint8Array): Promise<Uint8Array<ArrayBuffer>> => {
  const picture = await openPicture(original, smallSide);
  return new Uint8Array(await openPixels(picture).removeAlpha().jpeg({ quality: 82 }).toBuffer());
};

/** Returns a grey picture with one byte per pixel, shrunk to `longestSide` pixels. */
export const toGreyPicture = (picture: Picture, longestSide: number): Promise<Picture> =>
  toPicture(openPixels(picture).resize(createFitOptions(longestSide)).removeAlpha().greyscale().toColourspace('b-w'));

/** Blurs a picture slightly, because some barcodes on film or foil can be read only without noise. */
export const blurPicture = (picture: Picture): Promise<Picture> => toPicture(openPixels(picture).blur(0.8));

type Rgb = readonly [red: number, green: number, blue: number];

/** The hue at which each colour ends. */
const hueEnds = { Red: 14, Orange: 42, Yellow: 68, Green: 165, Turquoise: 195, Blue: 255, Purple: 292, Pink: 338 };

const computeHue = ([r, g, b]: Rgb, max: number, span: number): number => {
  if (max === r) return 60 * (((g - b) / span + 6) % 6);
  return 60 * (max === g ? (b - r) / span + 2 : (r - g) / span + 4);
};

const getColourName = (rgb: Rgb): string => {
  const max = Math.max(...rgb);
  const span = max - Math.min(...rgb);
  const saturation = span / max;
  if (max < 52) return 'Black';
  if (saturation < 0.12 || span < 18) return max > 205 ? 'White' : max > 72 ? 'Grey' : 'Black';
  const hue = computeHue(rgb, max, span);
  const isWarm = hue >= 10 && hue < 50;
  if (isWarm && max > 170 && saturation < 0.42) return 'Beige';
  if (isWarm && (max < 165 || saturation < 0.55)) return 'Brown';
  if (hue >= 50 && hue < 68 && max > 185 && saturation < 0.3) return 'Beige';
  return Object.entries(hueEnds).find(([, end]) => hue < end)?.[0] ?? 'Red';
};

const side = 64;
const rows = [...Array(side).keys()];
const middleRows = rows.filter((at) => at >= side * 0.18 && at < side * 0.82);

const computeMedian = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

/**
 * Returns the main colours of the item, largest first. Colours that also occur at the edge belong to the background.
 */
export const computeMainColours = async (picture: Picture): Promise<ColourShare[]> => {
  const { data } = await toPicture(openPixels(picture).removeAlpha().resize(side, side, { fit: 'fill' }));
  const getPixel = (x: number, y: number): Rgb =>
    [...data.subarray((y * side + x) * 3).subarray(0, 3)] as unknown as Rgb;
  const edge = rows.flatMap((at) => [0, side - 1].flatMap((end) => [getPixel(at, end), getPixel(end, at)]));
  const getMedian = (channel: 0 | 1 | 2): number => computeMedian(edge.map((pixel) => pixel[channel]));
  const ground: Rgb = [getMedian(0), getMedian(1), getMedian(2)];
  const middle = middleRows.flatMap((y) => middleRows.map((x) => getPixel(x, y)));
  const item = middle.filter((pixel) => Math.hypot(...pixel.map((value, at) => value - (ground[at] ?? 0))) > 40);
  const counted = item.length > middle.length * 0.12 ? item : middle;
  return Object.entries(Object.groupBy(counted, getColourName))
    .map(([name, pixels = []]) => ({ name, share: pixels.length / counted.length }))
    .filter(({ share }) => share >= 0.1)
    .sort((one, other) => other.share - one.share || one.name.localeCompare(other.name));
};
