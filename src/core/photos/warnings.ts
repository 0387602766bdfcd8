import { exposureOf, sharpnessOf, type PhotoLooks } from './looks.ts';
import type { Grey } from './pixels.ts';
import { type PhotoWarning, photoWarnings } from '../storage/tables/photoRecord.ts';

/** What each warning says; windows have their own words for it. */
export const warnings: Readonly<Record<PhotoWarning, string>> = {
  blurred: 'This photo looks blurred. A sharp one sells better.',
  very_dark: 'This photo is very dark. Brighten it, or take it again with more light.',
  very_bright: 'This photo is very bright and shows little detail. Take it again with less light.',
  small: 'This photo is under 500 pixels, so buyers cannot look closer. Use a larger one if there is one.',
};

/** Sharp photos lie at 40 and more; the same photos blurred over 8 of 1600 pixels lie under this, but for a few. */
const blurredBelow = 30;
const darkBelow = 70;
const brightAbove = 190;
const smallBelowPx = 500;

/**
 * Judges a prepared photo of this long edge by a grey picture of half its size. A warning says nothing certain: a dark item before a dark wall is "very
 * dark" only when nine tenths of the picture are, and a drawing with soft edges may be called blurred.
 */
export const lookAt = (half: Grey, longEdgePx: number): { looks: PhotoLooks; warnings: PhotoWarning[] } => {
  const sharpness = sharpnessOf(half);
  const { mean, low, high } = exposureOf(half);
  const meets: Record<PhotoWarning, boolean> = {
    blurred: sharpness < blurredBelow,
    very_dark: high < darkBelow,
    very_bright: low > brightAbove,
    small: longEdgePx < smallBelowPx,
  };
  return { looks: { sharpness, exposure: mean }, warnings: photoWarnings.filter((warning) => meets[warning]) };
};
