import type { GreyPixels } from './pixels.ts';
import type { PhotoQuality } from '../photoContract/messages.ts';
import { type PhotoWarning, photoWarnings } from '../photoContract/constants.ts';

const tilesAcross = 8;
const sharpestTiles = 6;

type TileArea = { left: number; top: number; wide: number; high: number };
type Tile = { detail: number; sharpness: number };

const measureTileDetail = ({ data, width }: GreyPixels, { left, top, wide, high }: TileArea): Tile => {
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
  // The constant ensures that the noise of a plain tile does not count as sharpness.
  return { detail, sharpness: detail / (slopes / count + 4) };
};

/** Measures only the sharpest tiles, because a plain or blurred background must not count. */
const measureSharpness = (half: GreyPixels): number => {
  const [wide, high] = [Math.floor((half.width - 2) / tilesAcross), Math.floor((half.height - 2) / tilesAcross)];
  if (wide < 2 || high < 2) return 0;
  const tiles = Array.from({ length: tilesAcross ** 2 }, (_, index) =>
    measureTileDetail(half, {
      left: 1 + (index % tilesAcross) * wide,
      top: 1 + Math.floor(index / tilesAcross) * high,
      ...{ wide, high },
    }),
  );
  const best = tiles.toSorted((a, b) => b.detail - a.detail).slice(0, sharpestTiles);
  return Math.round((100 * best.reduce((total, tile) => total + tile.sharpness, 0)) / sharpestTiles);
};

const measureExposure = (grey: GreyPixels): { mean: number; low: number; high: number } => {
  const counts = new Uint32Array(256);
  let [looked, sum] = [0, 0];
  for (let at = 0; at < grey.data.length; at += 3) {
    const value = grey.data[at] ?? 0;
    counts[value] = (counts[value] ?? 0) + 1;
    sum += value;
    looked += 1;
  }
  const getBrightnessAtShare = (part: number): number => {
    let seen = 0;
    return counts.findIndex((count) => (seen += count) >= looked * part);
  };
  return {
    mean: Math.round(sum / Math.max(1, looked)),
    low: getBrightnessAtShare(0.02),
    high: getBrightnessAtShare(0.9),
  };
};

/** Sharp photos reach 40 or more. Nearly all of them fall below 30 if they are blurred by 8 of 1600 pixels. */
const blurredBelow = 30;
const darkBelow = 70;
const brightAbove = 190;
const smallBelowPx = 500;

/**
 * Measures a prepared photo. `half` is the grey picture at half its size. The warnings are heuristic, so a good photo
 * can get one.
 */
export const assessPhotoQuality = (
  half: GreyPixels,
  longEdgePx: number,
): { looks: PhotoQuality; warnings: PhotoWarning[] } => {
  const sharpness = measureSharpness(half);
  const { mean, low, high } = measureExposure(half);
  const meets: Record<PhotoWarning, boolean> = {
    blurred: sharpness < blurredBelow,
    very_dark: high < darkBelow,
    very_bright: low > brightAbove,
    small: longEdgePx < smallBelowPx,
  };
  return { looks: { sharpness, exposure: mean }, warnings: photoWarnings.filter((warning) => meets[warning]) };
};
