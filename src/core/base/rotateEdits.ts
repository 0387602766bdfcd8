import { noEdits } from '../../photoContract/constants.ts';
import type { PhotoEdits } from '../../photoContract/messages.ts';

/** All values are fractions of the sides of the picture. */
export type Rect = { left: number; top: number; width: number; height: number };

const quarterTurns = [0, 1, 2, 3] as const;

/** Returns 0 to 3 quarter turns to the right. For example, -1 becomes 3. */
export const normaliseQuarterTurns = (count: number): PhotoEdits['quarterTurns'] =>
  quarterTurns[((count % 4) + 4) % 4] ?? 0;

const roundFraction = (value: number): number => Math.round(value * 10_000) / 10_000;

/** `quarters` is the number of quarter turns to the right, 0 to 3. */
export const rotateRect = (rect: Rect, quarters: number): Rect => {
  if (quarters === 0) return rect;
  const { left, top, width, height } = rect;
  return rotateRect({ left: roundFraction(1 - top - height), top: left, width: height, height: width }, quarters - 1);
};

/** Rotates a photo once more: 1 to the right, -1 to the left. The crop rotates with the picture. */
export const rotateEdits = (edits: PhotoEdits | null, by: 1 | -1): PhotoEdits => {
  const { crop, ...others } = edits ?? noEdits;
  return {
    ...others,
    quarterTurns: normaliseQuarterTurns(others.quarterTurns + by),
    crop: crop && rotateRect(crop, normaliseQuarterTurns(by)),
  };
};
