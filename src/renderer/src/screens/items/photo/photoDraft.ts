import type { PhotoView } from '../../../api/call.ts';
import { normaliseQuarterTurns, rotateRect, type Rect } from '../../../../../core/base/rotateEdits.ts';

export const wholePicture: Rect = { left: 0, top: 0, width: 1, height: 1 };

export const minCropSide = 0.05;

const clampNumber = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
const roundFraction = (value: number): number => Math.round(value * 10_000) / 10_000;

/** Ignores rounding errors. */
export const isWholePicture = ({ width, height }: Rect): boolean => width > 0.9995 && height > 0.9995;

/** Converts `inner`, a part of `outer`, to a part of the picture. The result is never smaller than the core accepts. */
export const composeRects = (outer: Rect, inner: Rect): Rect => {
  const left = Math.min(0.99, roundFraction(outer.left + inner.left * outer.width));
  const top = Math.min(0.99, roundFraction(outer.top + inner.top * outer.height));
  return {
    left,
    top,
    width: roundFraction(clampNumber(inner.width * outer.width, 0.01, 1 - left)),
    height: roundFraction(clampNumber(inner.height * outer.height, 0.01, 1 - top)),
  };
};

export const moveRect = (rect: Rect, dx: number, dy: number): Rect => ({
  ...rect,
  left: clampNumber(rect.left + dx, 0, 1 - rect.width),
  top: clampNumber(rect.top + dy, 0, 1 - rect.height),
});

export type Side = 'left' | 'right' | 'top' | 'bottom';

export const getCropAmount = (rect: Rect, side: Side): number => {
  if (side === 'left' || side === 'top') return rect[side];
  return side === 'right' ? 1 - rect.left - rect.width : 1 - rect.top - rect.height;
};

/** `cut` is a fraction of the picture. The opposite side does not move. */
export const cropRectSide = (rect: Rect, side: Side, cut: number): Rect => {
  const across = side === 'left' || side === 'right';
  const start = across ? rect.left : rect.top;
  const end = start + (across ? rect.width : rect.height);
  const atStart = side === 'left' || side === 'top';
  const from = atStart ? clampNumber(cut, 0, end - minCropSide) : start;
  const to = atStart ? end : clampNumber(1 - cut, start + minCropSide, 1);
  return across ? { ...rect, left: from, width: to - from } : { ...rect, top: from, height: to - from };
};

export type PhotoEdits = PhotoView['edits'];

/**
 * The unsaved edits. `turns` is relative to the saved edits, `part` is relative to the shown picture, and `uncut`
 * discards the saved crop. The other values are absolute.
 */
export type PhotoDraft = { turns: number; straightenDeg: number; brighten: number; part: Rect; uncut: boolean };

export const createPhotoDraft = ({ straightenDeg, brighten }: PhotoEdits): PhotoDraft => ({
  turns: 0,
  straightenDeg,
  brighten,
  part: wholePicture,
  uncut: false,
});

export const createOriginalDraft = ({ quarterTurns }: PhotoEdits): PhotoDraft => ({
  turns: (4 - quarterTurns) % 4,
  straightenDeg: 0,
  brighten: 0,
  part: wholePicture,
  uncut: true,
});

/** 1 rotates to the right, -1 to the left. The crop rotates with the picture. */
export const rotatePhotoDraft = (draft: PhotoDraft, by: 1 | -1): PhotoDraft => ({
  ...draft,
  turns: normaliseQuarterTurns(draft.turns + by),
  part: rotateRect(draft.part, normaliseQuarterTurns(by)),
});

export const convertDraftToEdits = (kept: PhotoEdits, draft: PhotoDraft): PhotoEdits => {
  const before = draft.uncut || !kept.crop ? wholePicture : rotateRect(kept.crop, draft.turns);
  const crop = composeRects(before, draft.part);
  return {
    quarterTurns: normaliseQuarterTurns(kept.quarterTurns + draft.turns),
    straightenDeg: draft.straightenDeg,
    brighten: draft.brighten,
    crop: isWholePicture(crop) ? null : crop,
  };
};

const normaliseEdits = (edits: PhotoEdits): PhotoEdits => convertDraftToEdits(edits, createPhotoDraft(edits));

const areSameEdits = (one: PhotoEdits, other: PhotoEdits): boolean =>
  JSON.stringify(normaliseEdits(one)) === JSON.stringify(normaliseEdits(other));

export const isPhotoDraftChanged = (kept: PhotoEdits, draft: PhotoDraft): boolean =>
  !areSameEdits(kept, convertDraftToEdits(kept, draft));

/**
 * Returns the draft of `before` for a photo whose saved edits have become `after`. A rotation that arrives late rotates
 * the draft; any other change starts a new draft.
 */
export const followSavedEdits = (before: PhotoEdits, after: PhotoEdits, draft: PhotoDraft): PhotoDraft => {
  if (areSameEdits(before, after)) return draft;
  const turns = normaliseQuarterTurns(after.quarterTurns - before.quarterTurns);
  const isRotated = areSameEdits(after, convertDraftToEdits(before, { ...createPhotoDraft(before), turns }));
  const isUnsaved = isPhotoDraftChanged(before, draft) && !areSameEdits(after, convertDraftToEdits(before, draft));
  return isRotated && isUnsaved ? { ...draft, part: rotateRect(draft.part, turns) } : createPhotoDraft(after);
};

/** Returns the scale that hides the empty corners of a rotated picture. */
export const computeFillScale = (degrees: number, ratio: number): number => {
  const angle = (Math.abs(degrees) * Math.PI) / 180;
  return Math.cos(angle) + Math.sin(angle) * Math.max(ratio, 1 / ratio);
};

/**
 * Returns the exponent for the preview; 1 means no change. The preview must match the brightness that the core
 * computes.
 */
export const computeBrightnessGamma = (kept: PhotoEdits, draft: PhotoDraft): number =>
  2 ** ((kept.brighten - draft.brighten) / 100);
