import type { Grey } from './pixels.ts';
import type { PhotoQuality } from '../photoContract/messages.ts';
import { type PhotoWarning, photoWarnings } from '../photoContract/constants.ts';

const tilesAcross = 8;
const busiest = 6;

type Place = { left: number; top: number; wide: number; high: number };
type Tile = { detail: number; sharpness: number };

/** Fine detail (the Laplacian's variance) against all change of brightness in one tile: blur takes the fine first. */
const tileAt = ({ data, width }: Grey, { left, top, wide, high }: Place): Tile => {
  let [sum, squares, slopes] = [0, 0, 0];
  for (let y = top; y < top + high; y += 2) {
    for (let x = left, at = y * width + left; x < left + wide; x += 1, at += 1) {
      const [west, east] = [data[at - 1] ?? 0, data[at + 1] ?? 0];
      const [north, south] = [data[at - width] ?? 0, data[at + width] ?? 0];
      const bend = 4 * (data[at] ?? 0) - west - east - north - south;
      sum += bend;
      squares += bend * bend;
      slopes += (east - west) * (east - west) + (south - north) * (south - north);
    }
  }
  const count = wide * Math.ceil(high / 2);
  const detail = squares / count - (sum / count) ** 2;
  // The constant keeps the noise of plain tiles from counting as sharpness.
  return { detail, sharpness: detail / (slopes / count + 4) };
};

/**
 * How sharp the sharpest parts of a picture of half the prepared size are (there a phone's noise and the traces of JPEG
 * are gone). Only the sharpest, so that a plain background or a blurred one behind a sharp item does not count.
 */
const sharpnessOf = (half: Grey): number => {
  const [wide, high] = [Math.floor((half.width - 2) / tilesAcross), Math.floor((half.height - 2) / tilesAcross)];
  if (wide < 2 || high < 2) return 0;
  const tiles = Array.from({ length: tilesAcross ** 2 }, (_, index) =>
    tileAt(half, {
      left: 1 + (index % tilesAcross) * wide,
      top: 1 + Math.floor(index / tilesAcross) * high,
      ...{ wide, high },
    }),
  );
  const best = tiles.toSorted((a, b) => b.detail - a.detail).slice(0, busiest);
  return Math.round((100 * best.reduce((total, tile) => total + tile.sharpness, 0)) / busiest);
};

/** Brightness of a photo: the mean, and the brightness that 2 and 90 of 100 pixels do not exceed. */
const exposureOf = (grey: Grey): { mean: number; low: number; high: number } => {
  const counts = new Uint32Array(256);
  let [looked, sum] = [0, 0];
  for (let at = 0; at < grey.data.length; at += 3) {
    const value = grey.data[at] ?? 0;
    counts[value] = (counts[value] ?? 0) + 1;
    sum += value;
    looked += 1;
  }
  const below = (part: number): number => {
    let seen = 0;
    return counts.findIndex((count) => (seen += count) >= looked * part);
  };
  return { mean: Math.round(sum / Math.max(1, looked)), low: below(0.02), high: below(0.9) };
};

/** Sharp photos lie at 40 and more; the same photos blurred over 8 of 1600 pixels lie under this, but for a few. */
const blurredBelow = 30;
const darkBelow = 70;
const brightAbove = 190;
const smallBelowPx = 500;

/**
 * Judges a prepared photo of this long edge by a grey picture of half its size. A warning says nothing certain: a dark item before a dark wall is "very
 * dark" only when nine tenths of the picture are, and a drawing with soft edges may be called blurred.
 */
export const assessQuality = (half: Grey, longEdgePx: number): { looks: PhotoQuality; warnings: PhotoWarning[] } => {
  const sharpness = sharpnessOf(half);
  const { mean, low, high } = exposureOf(half);
  const meets: Record<PhotoWarning, boolean> = {
    blurred: sharpness < blurredBelow,
    very_dark: high < darkBelow,
    very_bright: low > brightAbove,
    small: longEdgePx < smallBelowPx,
  };
  return { looks: { sharpness, exposure: mean }, warnings: photoWarnings.filter((warning) => meets[warning]) };
};
