import type { PhotoView } from '../../../api/call.ts';

/** A part of a picture, in fractions of its sides. */
export type Rect = { left: number; top: number; width: number; height: number };

export const wholePicture: Rect = { left: 0, top: 0, width: 1, height: 1 };

/** No part is smaller than this: less could not be taken hold of. */
export const leastSide = 0.05;

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
const tidy = (value: number): number => Math.round(value * 10_000) / 10_000;

/** Whether nothing is cut off, but for what rounding takes. */
export const isWhole = ({ width, height }: Rect): boolean => width > 0.9995 && height > 0.9995;

/** Where the part lies after the picture was turned by quarters to the right. */
export const turnedBy = (rect: Rect, quarters: number): Rect => {
  if (quarters % 4 === 0) return rect;
  const { left, top, width, height } = rect;
  return turnedBy({ left: 1 - top - height, top: left, width: height, height: width }, quarters - 1);
};

/** A part of a part, as a part of the whole. Never so small that the core would refuse it. */
export const partOf = (outer: Rect, inner: Rect): Rect => {
  const left = Math.min(0.99, tidy(outer.left + inner.left * outer.width));
  const top = Math.min(0.99, tidy(outer.top + inner.top * outer.height));
  return {
    left,
    top,
    width: tidy(within(inner.width * outer.width, 0.01, 1 - left)),
    height: tidy(within(inner.height * outer.height, 0.01, 1 - top)),
  };
};

/** Moves the part as a whole; it stays inside. */
export const moved = (rect: Rect, dx: number, dy: number): Rect => ({
  ...rect,
  left: within(rect.left + dx, 0, 1 - rect.width),
  top: within(rect.top + dy, 0, 1 - rect.height),
});

export type Side = 'left' | 'right' | 'top' | 'bottom';

/** How much is cut off at a side. */
export const cutAt = (rect: Rect, side: Side): number => {
  if (side === 'left' || side === 'top') return rect[side];
  return side === 'right' ? 1 - rect.left - rect.width : 1 - rect.top - rect.height;
};

/** The part with that much cut off at a side; the side opposite stays where it is. */
export const withCut = (rect: Rect, side: Side, cut: number): Rect => {
  const across = side === 'left' || side === 'right';
  const start = across ? rect.left : rect.top;
  const end = start + (across ? rect.width : rect.height);
  const atStart = side === 'left' || side === 'top';
  const from = atStart ? within(cut, 0, end - leastSide) : start;
  const to = atStart ? end : within(1 - cut, start + leastSide, 1);
  return across ? { ...rect, left: from, width: to - from } : { ...rect, top: from, height: to - from };
};

export type Edits = PhotoView['edits'];

/**
 * What the person does to a photo that is shown with its kept edits: quarter turns beyond those, the angle and the
 * brightness it shall have, and the part of the shown picture to keep. `uncut` gives back what was cut off before.
 */
export type PhotoDraft = { turns: number; straightenDeg: number; brighten: number; part: Rect; uncut: boolean };

/** Nothing done yet. */
export const draftOf = ({ straightenDeg, brighten }: Edits): PhotoDraft => ({
  turns: 0,
  straightenDeg,
  brighten,
  part: wholePicture,
  uncut: false,
});

/** The photo as it was taken. */
export const originalDraft = ({ quarterTurns }: Edits): PhotoDraft => ({
  turns: (4 - quarterTurns) % 4,
  straightenDeg: 0,
  brighten: 0,
  part: wholePicture,
  uncut: true,
});

const quarterTurns = [0, 1, 2, 3] as const;

/** Quarter turns to the right as the least that look the same: -1 is 3. */
export const quarters = (count: number): Edits['quarterTurns'] => quarterTurns[((count % 4) + 4) % 4] ?? 0;

/** Another quarter to the right (1) or to the left (-1); the part that is kept turns with the picture. */
export const turned = (draft: PhotoDraft, by: 1 | -1): PhotoDraft => ({
  ...draft,
  turns: quarters(draft.turns + by),
  part: turnedBy(draft.part, quarters(by)),
});

/** The edits to keep, whole, as the core takes them. */
export const editsOf = (kept: Edits, draft: PhotoDraft): Edits => {
  const before = draft.uncut || !kept.crop ? wholePicture : turnedBy(kept.crop, draft.turns);
  const crop = partOf(before, draft.part);
  return {
    quarterTurns: quarters(kept.quarterTurns + draft.turns),
    straightenDeg: draft.straightenDeg,
    brighten: draft.brighten,
    crop: isWhole(crop) ? null : crop,
  };
};

/** Whether the draft would change the kept edits. */
export const isChanged = (kept: Edits, draft: PhotoDraft): boolean =>
  JSON.stringify(editsOf(kept, draft)) !== JSON.stringify(editsOf(kept, draftOf(kept)));

/** How large a picture must be drawn so that its corners leave nothing empty when it is turned by some degrees. */
export const filling = (degrees: number, ratio: number): number => {
  const angle = (Math.abs(degrees) * Math.PI) / 180;
  return Math.cos(angle) + Math.sin(angle) * Math.max(ratio, 1 / ratio);
};

/** The exponent that brightens the shown picture as the core would: 1 leaves it. */
export const gamma = (kept: Edits, draft: PhotoDraft): number => 2 ** ((kept.brighten - draft.brighten) / 100);
