import type { Pixels } from './pixels.ts';

/** The edges are ignored, because the item is usually in the middle and many items have the same background. */
const margin = 0.15;
const samplesPerEdge = 96;
const shades = 4;
const bins = shades ** 3;

/**
 * Each colour is split between two neighbouring shades, so that a small change of the light changes the histogram only
 * a little.
 */
const getNeighbourShades = (value: number): [at: number, upper: number] => {
  const place = (value / 255) * (shades - 1);
  const at = Math.min(shades - 2, Math.floor(place));
  return [at, place - at];
};

const addColourCounts = (counts: Float64Array, channels: readonly [number, number, number]): void => {
  const [red, green, blue] = [
    getNeighbourShades(channels[0]),
    getNeighbourShades(channels[1]),
    getNeighbourShades(channels[2]),
  ];
  for (let corner = 0; corner < 8; corner += 1) {
    const up = [corner & 1, (corner >> 1) & 1, corner >> 2] as const;
    const getShadeWeight = (shade: [number, number], isUpper: number): number =>
      isUpper === 1 ? shade[1] : 1 - shade[1];
    const bin = ((red[0] + up[0]) * shades + green[0] + up[1]) * shades + blue[0] + up[2];
    counts[bin] =
      (counts[bin] ?? 0) + getShadeWeight(red, up[0]) * getShadeWeight(green, up[1]) * getShadeWeight(blue, up[2]);
  }
};

/**
 * Returns the histogram of 64 colours, with two hex digits per colour. Each value is the square root of the colour's
 * share, so that small shares count.
 */
export const computeColourHistogram = ({ data, width, height, channels }: Pixels): string => {
  const counts = new Float64Array(bins);
  const getSamplePosition = (nth: number, size: number): number =>
    Math.min(size - 1, Math.floor(size * (margin + ((1 - 2 * margin) * (nth + 0.5)) / samplesPerEdge)));
  for (let row = 0; row < samplesPerEdge; row += 1) {
    for (let column = 0; column < samplesPerEdge; column += 1) {
      const pixel = (getSamplePosition(row, height) * width + getSamplePosition(column, width)) * channels;
      addColourCounts(counts, [data[pixel] ?? 0, data[pixel + 1] ?? 0, data[pixel + 2] ?? 0]);
    }
  }
  const toHistogramByte = (count: number): number => Math.round(Math.sqrt(count / samplesPerEdge ** 2) * 255);
  return Array.from(counts, (count) => toHistogramByte(count).toString(16).padStart(2, '0')).join('');
};
