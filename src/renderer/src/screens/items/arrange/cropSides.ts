import type { PhotoView } from '../../../api/types.ts';

type Crop = PhotoView['edits']['crop'];

/** How much is cut from each side, in whole percent. */
export type Sides = { left: number; right: number; top: number; bottom: number };

const percent = (part: number): number => Math.round(part * 100);

export const sidesOf = (crop: Crop): Sides =>
  crop === null
    ? { left: 0, right: 0, top: 0, bottom: 0 }
    : {
        left: percent(crop.left),
        right: percent(1 - crop.left - crop.width),
        top: percent(crop.top),
        bottom: percent(1 - crop.top - crop.height),
      };

/** The part to keep; null when nothing is cut. */
export const cropOf = ({ left, right, top, bottom }: Sides): Crop =>
  left + right + top + bottom === 0
    ? null
    : { left: left / 100, top: top / 100, width: (100 - left - right) / 100, height: (100 - top - bottom) / 100 };
