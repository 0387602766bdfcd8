import { createFitOptions } from './encode.ts';
import { toPixels, toRawInputOptions, type Pixels } from './pixels.ts';
import type { Sharp } from './sharpBackend.ts';
import type { PhotoEdits } from '../photoContract/messages.ts';

const maxPixels = 60e6;

type Size = { width: number; height: number };

const computeTurnedSize = ({ width, height }: Size, { quarterTurns }: PhotoEdits): Size =>
  quarterTurns % 2 === 0 ? { width, height } : { width: height, height: width };

const computeRemainingShare = ({ width, height }: Size, degrees: number): number => {
  const angle = (Math.abs(degrees) * Math.PI) / 180;
  return 1 / (Math.cos(angle) + Math.sin(angle) * Math.max(width / height, height / width));
};

/**
 * Returns how long the long edge of the whole picture must be so that the long edge of the edited part is `longEdgePx`.
 * The result is limited by the size of the original and by memory.
 */
export const computeWholeLongEdge = (original: Size, edits: PhotoEdits, longEdgePx: number): number => {
  const { width, height } = computeTurnedSize(original, edits);
  const left = computeRemainingShare({ width, height }, edits.straightenDeg);
  const part = left * Math.max(width * (edits.crop?.width ?? 1), height * (edits.crop?.height ?? 1));
  const long = Math.max(width, height);
  const allowed = long * Math.min(1, Math.sqrt(maxPixels / (width * height)));
  return Math.ceil(Math.min(allowed, (longEdgePx * long) / part));
};

type EditStep = (sharp: Sharp, pixels: Pixels, edits: PhotoEdits) => Promise<Pixels>;

const renderRawPixels = async (picture: ReturnType<Sharp>): Promise<Pixels> => {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return toPixels(data, info);
};

const turnPixels: EditStep = (sharp, pixels, { quarterTurns }) =>
  renderRawPixels(sharp(pixels.data, toRawInputOptions(pixels)).rotate(quarterTurns * 90));

const straightenPixels: EditStep = async (sharp, pixels, { straightenDeg }) => {
  const left = computeRemainingShare(pixels, straightenDeg);
  const larger = await renderRawPixels(
    sharp(pixels.data, toRawInputOptions(pixels)).rotate(straightenDeg, { background: '#ffffff' }),
  );
  // The outermost pixels are mixed with the background, so one more pixel is cut off on each side.
  const width = Math.max(1, Math.floor(pixels.width * left) - 2);
  const height = Math.max(1, Math.floor(pixels.height * left) - 2);
  return extractPixels(sharp, larger, {
    left: Math.round((larger.width - width) / 2),
    top: Math.round((larger.height - height) / 2),
    width,
    height,
  });
};

const extractPixels = (sharp: Sharp, pixels: Pixels, area: Size & { left: number; top: number }): Promise<Pixels> =>
  renderRawPixels(sharp(pixels.data, toRawInputOptions(pixels)).extract(area));

const cropPixels: EditStep = (sharp, pixels, edits) => {
  const part = edits.crop ?? { left: 0, top: 0, width: 1, height: 1 };
  const left = Math.min(pixels.width - 1, Math.round(part.left * pixels.width));
  const top = Math.min(pixels.height - 1, Math.round(part.top * pixels.height));
  const width = Math.max(1, Math.min(pixels.width - left, Math.round(part.width * pixels.width)));
  const height = Math.max(1, Math.min(pixels.height - top, Math.round(part.height * pixels.height)));
  return extractPixels(sharp, pixels, { left, top, width, height });
};

export const applyGeometryEdits = async (
  sharp: Sharp,
  whole: Pixels,
  edits: PhotoEdits,
  longEdgePx: number,
): Promise<Pixels> => {
  let pixels = whole;
  if (edits.quarterTurns !== 0) pixels = await turnPixels(sharp, pixels, edits);
  if (edits.straightenDeg !== 0) pixels = await straightenPixels(sharp, pixels, edits);
  if (edits.crop) pixels = await cropPixels(sharp, pixels, edits);
  if (Math.max(pixels.width, pixels.height) <= longEdgePx) return pixels;
  return renderRawPixels(sharp(pixels.data, toRawInputOptions(pixels)).resize(createFitOptions(longEdgePx)));
};

export const brightenPixels = (pixels: Pixels, brighten: number): Pixels => {
  if (brighten === 0) return pixels;
  const exponent = 2 ** (-brighten / 100);
  const curve = Uint8Array.from({ length: 256 }, (_, value) => Math.round(255 * (value / 255) ** exponent));
  return { ...pixels, data: pixels.data.map((value) => curve[value] ?? 0) };
};
