import type { ColourShare } from './photoReading.ts';
import { toTiles, type Picture } from './picture.ts';

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
