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

const toByte = (value: number): string =>
  Math.min(255, Math.max(0, Math.round(value)))
    .toString(16)
    .padStart(2, '0');

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
  return Array.from(counts, (count) => toByte(255 * Math.sqrt(count / samplesPerEdge ** 2))).join('');
};

/** The photo is divided into this many cells per edge. The mean of each cell hides noise and fine patterns. */
const cellsPerEdge = 28;
const samplesPerCell = 3;
/** The cells of the edge show the table of most photos. */
const edgeCells = 3;
const maxColours = 12;
/** Colours that are closer together than this are one colour of the palette. */
const minDifference = 2;
const rounds = 4;
/** Fewer cells than this say nothing. */
const minCells = 3;

type Cells = {
  /** Red, green and blue of one cell after the other. */
  rgb: Float64Array;
  /** The same as brightness and two hues, in which equal distances look about equally different. */
  seen: Float64Array;
};

const countOfCells = cellsPerEdge ** 2;

const isEdgeCell = (cell: number): boolean => {
  const [row, column] = [Math.floor(cell / cellsPerEdge), cell % cellsPerEdge];
  return Math.min(row, column) < edgeCells || Math.max(row, column) >= cellsPerEdge - edgeCells;
};

const addSamples = ({ data, width, height, channels }: Pixels, rgb: Float64Array, cell: number): void => {
  const samplesPerEdge = cellsPerEdge * samplesPerCell;
  const [row, column] = [Math.floor(cell / cellsPerEdge) * samplesPerCell, (cell % cellsPerEdge) * samplesPerCell];
  for (let sample = 0; sample < samplesPerCell ** 2; sample += 1) {
    const y = Math.floor((height * (row + Math.floor(sample / samplesPerCell) + 0.5)) / samplesPerEdge);
    const x = Math.floor((width * (column + (sample % samplesPerCell) + 0.5)) / samplesPerEdge);
    const pixel = (y * width + x) * channels;
    for (let channel = 0; channel < 3; channel += 1)
      rgb[3 * cell + channel] = (rgb[3 * cell + channel] ?? 0) + (data[pixel + channel] ?? 0) / samplesPerCell ** 2;
  }
};

const measureCells = (pixels: Pixels): Cells => {
  const [rgb, seen] = [new Float64Array(3 * countOfCells), new Float64Array(3 * countOfCells)];
  for (let at = 0; at < 3 * countOfCells; at += 3) {
    addSamples(pixels, rgb, at / 3);
    const [red, green, blue] = [rgb[at] ?? 0, rgb[at + 1] ?? 0, rgb[at + 2] ?? 0];
    seen.set(
      [0.27 * (0.3 * red + 0.59 * green + 0.11 * blue), 0.6 * (red - green), 0.24 * (red + green - 2 * blue)],
      at,
    );
  }
  return { rgb, seen };
};

/** Returns the square of the distance between two colours. */
const measureDistance = (one: Float64Array, from: number, other: Float64Array, at: number): number => {
  const first = (one[from] ?? 0) - (other[at] ?? 0);
  const second = (one[from + 1] ?? 0) - (other[at + 1] ?? 0);
  const third = (one[from + 2] ?? 0) - (other[at + 2] ?? 0);
  return first * first + second * second + third * third;
};

/** Chooses cells with colours that differ most from each other. */
const chooseCentres = ({ seen }: Cells): Float64Array => {
  const nearest = new Float64Array(countOfCells).fill(Infinity);
  const centres = new Float64Array(3 * maxColours);
  let [count, farthest] = [0, 0];
  while (count < maxColours) {
    centres.set(seen.subarray(3 * farthest, 3 * farthest + 3), 3 * count);
    let next = 0;
    for (let cell = 0; cell < countOfCells; cell += 1) {
      nearest[cell] = Math.min(nearest[cell] ?? 0, measureDistance(seen, 3 * cell, centres, 3 * count));
      if ((nearest[cell] ?? 0) > (nearest[next] ?? 0)) next = cell;
    }
    count += 1;
    if ((nearest[next] ?? 0) < minDifference ** 2) break;
    farthest = next;
  }
  return centres.subarray(0, 3 * count);
};

/** Returns the nearest centre of each cell. */
const assignCells = ({ seen }: Cells, centres: Float64Array): Uint8Array => {
  const chosen = new Uint8Array(countOfCells);
  for (let cell = 0; cell < countOfCells; cell += 1) {
    let least = Infinity;
    for (let centre = 0; centre < centres.length; centre += 3) {
      const distance = measureDistance(seen, 3 * cell, centres, centre);
      if (distance >= least) continue;
      least = distance;
      chosen[cell] = centre / 3;
    }
  }
  return chosen;
};

/** Returns the mean of the values of the cells of each centre. */
const computeMeans = (values: Float64Array, chosen: Uint8Array, count: number): Float64Array => {
  const means = new Float64Array(3 * count);
  const cells = new Float64Array(count);
  for (const [cell, centre] of chosen.entries()) {
    const seen = (cells[centre] ?? 0) + 1;
    cells[centre] = seen;
    for (let channel = 0; channel < 3; channel += 1) {
      const mean = means[3 * centre + channel] ?? 0;
      means[3 * centre + channel] = mean + ((values[3 * cell + channel] ?? 0) - mean) / seen;
    }
  }
  return means;
};

/**
 * Returns up to 12 colours of a photo with ten hex digits each: red, green, blue, its share of the photo and its share
 * of the edge.
 */
export const computeColourPalette = (pixels: Pixels): string => {
  const cells = measureCells(pixels);
  let centres = chooseCentres(cells);
  for (let round = 0; round < rounds; round += 1)
    centres = computeMeans(cells.seen, assignCells(cells, centres), centres.length / 3);
  const chosen = assignCells(cells, centres);
  const count = centres.length / 3;
  const colours = computeMeans(cells.rgb, chosen, count);
  const edge = countOfCells - (cellsPerEdge - 2 * edgeCells) ** 2;
  return Array.from({ length: count }, (_, centre) => {
    const own = [...chosen.keys()].filter((cell) => chosen[cell] === centre);
    if (own.length < minCells) return '';
    const shares = [own.length / countOfCells, own.filter(isEdgeCell).length / edge].map((share) => 255 * share);
    return [...colours.subarray(3 * centre, 3 * centre + 3), ...shares].map(toByte).join('');
  }).join('');
};
