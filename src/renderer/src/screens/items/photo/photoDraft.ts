import type { PhotoView } from '../../../api/types.ts';
import { isWhole, partOf, turnedBy, whole, type Rect } from './rect.ts';

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
  part: whole,
  uncut: false,
});

/** The photo as it was taken. */
export const asTaken = ({ quarterTurns }: Edits): PhotoDraft => ({
  turns: (4 - quarterTurns) % 4,
  straightenDeg: 0,
  brighten: 0,
  part: whole,
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
  const before = draft.uncut || !kept.crop ? whole : turnedBy(kept.crop, draft.turns);
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
