import type { Pixels } from './pixels.ts';

/** The ignored share of each edge: the item is in the middle, and the background is the same for many items. */
const margin = 0.15;
/** The number of samples per edge, independent of the picture's size. */
const samplesPerEdge = 96;
const shades = 4;
const bins = shades ** 3;

/**
 * Returns the lower of the two neighbouring shades of a value, and the weight of the upper one. Interpolation keeps the
 * histogram stable when the light changes a little.
 */
const findNeighbourShades = (value: number): [at: number, upper: number] => {
  const place = (value / 255) * (shades - 1);
  const at = Math.min(shades - 2, Math.floor(place));
  return [at, place - at];
};

const addColourCounts = (counts: Float64Array, channels: readonly [number, number, number]): void => {
  const [red, green, blue] = [
    findNeighbourShades(channels[0]),
    findNeighbourShades(channels[1]),
    findNeighbourShades(channels[2]),
  ];
  for (let corner = 0; corner < 8; corner += 1) {
    const up = [corner & 1, (corner >> 1) & 1, corner >> 2] as const;
    const shadeWeight = (shade: [number, number], isUpper: number): number => (isUpper === 1 ? shade[1] : 1 - shade[1]);
    const bin = ((red[0] + up[0]) * shades + green[0] + up[1]) * shades + blue[0] + up[2];
    counts[bin] = (counts[bin] ?? 0) + shadeWeight(red, up[0]) * shadeWeight(green, up[1]) * shadeWeight(blue, up[2]);
  }
};

/**
 * Returns the histogram of 64 coarse colours in the middle of a picture, as two hex digits each: the square root of the
 * share, 0 to 255, so that small shares count. Takes about a millisecond.
 */
export const computeColourHistogram = ({ data, width, height, channels }: Pixels): string => {
  const counts = new Float64Array(bins);
  const samplePosition = (nth: number, size: number): number =>
    Math.min(size - 1, Math.floor(size * (margin + ((1 - 2 * margin) * (nth + 0.5)) / samplesPerEdge)));
  for (let row = 0; row < samplesPerEdge; row += 1) {
    for (let column = 0; column < samplesPerEdge; column += 1) {
      const pixel = (samplePosition(row, height) * width + samplePosition(column, width)) * channels;
      addColourCounts(counts, [data[pixel] ?? 0, data[pixel + 1] ?? 0, data[pixel + 2] ?? 0]);
    }
  }
  const toHistogramByte = (count: number): number => Math.round(Math.sqrt(count / samplesPerEdge ** 2) * 255);
  return Array.from(counts, (count) => toHistogramByte(count).toString(16).padStart(2, '0')).join('');
};
