import type { GreyPixels } from './pixels.ts';

const [columns, rows] = [9, 8];

const computeCellMean = ({ data, width, height }: GreyPixels, column: number, row: number): number => {
  const [left, right] = [Math.floor((column * width) / columns), Math.floor(((column + 1) * width) / columns)];
  const [top, bottom] = [Math.floor((row * height) / rows), Math.floor(((row + 1) * height) / rows)];
  let sum = 0;
  for (let y = top; y < bottom; y += 1) {
    for (let at = y * width + left; at < y * width + right; at += 1) sum += data[at] ?? 0;
  }
  return sum / Math.max(1, (right - left) * (bottom - top));
};

/**
 * Returns a perceptual hash of 64 bits in hex. Each bit is set if a field of the picture is darker than the field to
 * its right.
 */
export const computeDifferenceHash = (grey: GreyPixels): string => {
  let hash = 0n;
  for (let row = 0; row < rows; row += 1) {
    const means = Array.from({ length: columns }, (_, column) => computeCellMean(grey, column, row));
    for (let column = 0; column + 1 < columns; column += 1) {
      hash = (hash << 1n) | ((means[column] ?? 0) < (means[column + 1] ?? 0) ? 1n : 0n);
    }
  }
  return hash.toString(16).padStart(16, '0');
};
