import type { Pixels } from './pixels.ts';

/** Only the middle is looked at, because the sheet need not fill the photo. */
const margin = 0.3;
const samplesPerEdge = 60;

const maxTint = 40;
const minLight = 120;
/** Writing is darker than this fraction of the brightness of the paper. */
const maxShade = 0.75;
/** The rest is writing. */
const minPaperShare = 0.72;

/** The middle is divided into cells in rows and columns. */
const cells = 10;
const minCellSamples = 3;
/** Folds and seams make a pale garment more uneven than this. A sheet of paper is about half as uneven. */
const maxUnevenness = 0.018;

type Sample = { column: number; row: number; light: number };

/** Returns the colourless samples of the middle, with the column and the row of their cell. */
const takeSamples = ({ data, width, height, channels }: Pixels): Sample[] => {
  const samples: Sample[] = [];
  const getPlace = (nth: number, size: number): number =>
    Math.floor(size * (margin + ((1 - 2 * margin) * (nth + 0.5)) / samplesPerEdge));
  const toCell = (nth: number): number => Math.floor((nth * cells) / samplesPerEdge);
  for (let down = 0; down < samplesPerEdge; down += 1) {
    for (let across = 0; across < samplesPerEdge; across += 1) {
      const at = (getPlace(down, height) * width + getPlace(across, width)) * channels;
      const [red, green, blue] = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
      if (Math.max(red, green, blue) - Math.min(red, green, blue) >= maxTint) continue;
      samples.push({ column: toCell(across), row: toCell(down), light: green });
    }
  }
  return samples;
};

/** Returns the brightness that 70 % of the samples do not exceed. It is the brightness of the paper. */
const findUsualLight = (samples: readonly Sample[]): number => {
  const counts = new Uint32Array(256);
  for (const { light } of samples) counts[light] = (counts[light] ?? 0) + 1;
  let seen = 0;
  return counts.findIndex((count) => (seen += count) > samples.length * 0.7);
};

const computeCellMeans = (samples: readonly Sample[]): Sample[] =>
  [...Map.groupBy(samples, ({ column, row }) => row * cells + column)].flatMap(([cell, own]) => {
    const light = own.reduce((sum, sample) => sum + sample.light, 0) / own.length;
    return own.length > minCellSamples ? [{ column: cell % cells, row: Math.floor(cell / cells), light }] : [];
  });

/** Returns how much the cells differ from an even slope of light, which a lamp or a window causes on a flat sheet. */
const measureUnevenness = (means: readonly Sample[]): number => {
  const count = means.length;
  const middle = (cells - 1) / 2;
  const sumBy = (value: (cell: Sample) => number): number => means.reduce((sum, cell) => sum + value(cell), 0);
  const mean = sumBy(({ light }) => light) / count;
  const computeSlope = (place: (cell: Sample) => number): number =>
    sumBy((cell) => (place(cell) - middle) * (cell.light - mean)) /
    Math.max(
      1,
      sumBy((cell) => (place(cell) - middle) ** 2),
    );
  const [across, down] = [computeSlope(({ column }) => column), computeSlope(({ row }) => row)];
  const rest = sumBy(
    ({ column, row, light }) => (light - mean - across * (column - middle) - down * (row - middle)) ** 2,
  );
  return Math.sqrt(rest / count) / mean;
};

/**
 * Returns whether the middle of a picture is a sheet of paper: one light, nearly colourless and flat shade with little
 * writing.
 */
export const showsPlainPaper = (pixels: Pixels): boolean => {
  const samples = takeSamples(pixels);
  const usual = findUsualLight(samples);
  const paper = samples.filter(({ light }) => light > usual * maxShade);
  if (usual <= minLight || paper.length <= samplesPerEdge ** 2 * minPaperShare) return false;
  return measureUnevenness(computeCellMeans(paper)) < maxUnevenness;
};
