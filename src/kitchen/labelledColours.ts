import type { DeepPixels, Pixels } from './pixels.ts';
import type { HeifColourLabel } from '../photoContract/heifBoxes.ts';

type Matrix = readonly [Row, Row, Row];
type Row = readonly [number, number, number];

/** The matrices to the primaries of sRGB (BT.709), by the code of the primaries in H.273. */
const toSrgbPrimaries: { 1: Matrix; [code: number]: Matrix | undefined } = {
  1: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  // BT.2020
  9: [
    [1.660491, -0.587641, -0.07285],
    [-0.12455, 1.1329, -0.008349],
    [-0.018151, -0.100579, 1.11873],
  ],
  // Display P3
  12: [
    [1.22494, -0.22494, 0],
    [-0.042057, 1.042057, 0],
    [-0.019638, -0.078636, 1.098274],
  ],
};

const transfers = { pq: 16, hlg: 18 } as const;
/** The transfer curves of sRGB, BT.709, BT.601 and BT.2020. Pictures with any of them are shown with the curve of sRGB. */
const sdrTransfers: readonly number[] = [1, 6, 13, 14, 15];

const isHdrLabel = ({ transfer }: HeifColourLabel): boolean => transfer === transfers.pq || transfer === transfers.hlg;

/** Returns whether the pixels with this label are not sRGB and can be converted to sRGB. */
export const needsColourConversion = (label: HeifColourLabel): boolean =>
  toSrgbPrimaries[label.primaries] !== undefined &&
  (isHdrLabel(label) || (label.primaries !== 1 && sdrTransfers.includes(label.transfer)));

/** The brightness of a white sheet of paper in an HDR photo (BT.2408), in nits. It becomes the white of sRGB. */
const paperWhiteNits = 203;

const decodeSrgb = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const encodeSrgb = (light: number): number => (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055);

const decodePq = (value: number): number => {
  const root = value ** (1 / 78.84375);
  return (
    (Math.max(0, root - 0.8359375) / (18.8515625 - 18.6875 * root)) ** (1 / 0.1593017578125) * (10_000 / paperWhiteNits)
  );
};

/** Returns the light of the scene. */
const decodeHlg = (value: number): number =>
  value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12;

const hlgPeak = 1_000 / paperWhiteNits;
const hlgGamma = 1.2;

const createLightTable = (transfer: number, maxValue: number): Float32Array => {
  const decode = transfer === transfers.pq ? decodePq : transfer === transfers.hlg ? decodeHlg : decodeSrgb;
  return Float32Array.from({ length: maxValue + 1 }, (_, value) => decode(value / maxValue));
};

const kneeAt = 0.4;
const peakShare = 0.995;
const maxSamples = 20_000;

/**
 * Returns the factor that compresses light above the knee, so that the peak of the photo becomes white (Reinhard). The
 * slope at the knee is 1, so that shades have no visible edge.
 */
const computeKneeFactor = (light: number, peak: number): number => {
  if (light <= kneeAt || peak <= 1) return 1;
  const [above, top] = [(light - kneeAt) / (1 - kneeAt), (peak - kneeAt) / (1 - kneeAt)];
  return (kneeAt + ((1 - kneeAt) * above * (1 + above / top ** 2)) / (1 + above)) / light;
};

type Light = [red: number, green: number, blue: number];

/** Creates a function that reads the light of one pixel with the primaries of sRGB. 1 is the light of white paper. */
const createLightReader = ({ data, maxValue }: DeepPixels, label: HeifColourLabel) => {
  const table = createLightTable(label.transfer, maxValue);
  const [toRed, toGreen, toBlue] = toSrgbPrimaries[label.primaries] ?? toSrgbPrimaries[1];
  const isHlg = label.transfer === transfers.hlg;
  return (at: number, light: Light): void => {
    const [r, g, b] = [table[data[at] ?? 0] ?? 0, table[data[at + 1] ?? 0] ?? 0, table[data[at + 2] ?? 0] ?? 0];
    light[0] = toRed[0] * r + toRed[1] * g + toRed[2] * b;
    light[1] = toGreen[0] * r + toGreen[1] * g + toGreen[2] * b;
    light[2] = toBlue[0] * r + toBlue[1] * g + toBlue[2] * b;
    if (!isHlg) return;
    const luminance = Math.max(1e-6, 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]);
    const shown = hlgPeak * luminance ** (hlgGamma - 1);
    for (const channel of [0, 1, 2] as const) light[channel] *= shown;
  };
};

/** Ignores the brightest pixels, because a few reflections must not darken the photo. */
const measurePeak = ({ data, channels }: DeepPixels, readLight: (at: number, light: Light) => void): number => {
  const pixels = data.length / channels;
  const step = Math.ceil(pixels / maxSamples) * channels;
  const light: Light = [0, 0, 0];
  const peaks = Float32Array.from({ length: Math.ceil(data.length / step) }, (_, nth) => {
    readLight(nth * step, light);
    return Math.max(...light);
  }).sort();
  return peaks[Math.floor((peaks.length - 1) * peakShare)] ?? 0;
};

const encodedSteps = 4096;
const encodedLight = Uint8Array.from({ length: encodedSteps + 1 }, (_, step) =>
  Math.round(encodeSrgb(step / encodedSteps) * 255),
);
const encodeLight = (light: number): number =>
  encodedLight[Math.round(Math.min(1, Math.max(0, light)) * encodedSteps)] ?? 0;

/** Converts pixels by the colour label of their file to sRGB of eight bits. HDR photos are tone-mapped. */
export const convertLabelledColours = (pixels: DeepPixels, label: HeifColourLabel): Pixels => {
  const { data, width, height, channels, maxValue } = pixels;
  const readLight = createLightReader(pixels, label);
  const peak = isHdrLabel(label) ? measurePeak(pixels, readLight) : 0;
  const light: Light = [0, 0, 0];
  const converted = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at += channels) {
    readLight(at, light);
    const factor = computeKneeFactor(Math.max(light[0], light[1], light[2]), peak);
    converted[at] = encodeLight(light[0] * factor);
    converted[at + 1] = encodeLight(light[1] * factor);
    converted[at + 2] = encodeLight(light[2] * factor);
    if (channels === 4) converted[at + 3] = Math.round(((data[at + 3] ?? 0) / maxValue) * 255);
  }
  return { data: converted, width, height, channels };
};
