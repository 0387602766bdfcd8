import { t } from '../../i18n.ts';
import {
  formatWeightIn,
  getWeightUnits,
  gramsPerKilogram,
  gramsPerOunce,
  ouncesPerPound,
  type WeightUnits,
} from '../../../../i18n/weights.ts';
import { formatNumber } from './format.ts';

/** The usual weights of parcels, in grams. */
export const weightPresets: Readonly<Record<WeightUnits, readonly number[]>> = {
  metric: [100, 250, 500, 1_000, 2_000],
  imperial: [4, 8, 16, 32, 80].map((ounces) => Math.round(ounces * gramsPerOunce)),
};

/** Returns pounds and ounces only if all these sites use them. */
export const getSharedWeightUnits = (sites: readonly (string | null | undefined)[]): WeightUnits =>
  sites.length > 0 && sites.every((site) => getWeightUnits(site) === 'imperial') ? 'imperial' : 'metric';

export const formatWeightUnits = (units: WeightUnits): string =>
  t(units === 'imperial' ? 'review.inPounds' : 'review.inGrams');

/** Formats a weight like `2 lb 3 oz`, `350 g` or `1.2 kg`. `parseWeight` reads the result in the same units. */
export const formatWeight = (grams: number, units: WeightUnits): string => formatWeightIn(units, grams, formatNumber);

const gramsByUnit: Readonly<Record<string, number>> = {
  g: 1,
  kg: gramsPerKilogram,
  oz: gramsPerOunce,
  lb: ouncesPerPound * gramsPerOunce,
  lbs: ouncesPerPound * gramsPerOunce,
};

const maxGrams = 1_000_000;

/** "1,200" is 1.2 or 1200, depending on the country. */
const isAmbiguousWeight = (text: string): boolean => /[.,]\d{3}/.test(text);

/** Returns an error sentence, or null if the weight is valid. */
export const findWeightProblem = (text: string, units: WeightUnits): string | null =>
  parseWeight(text, units) === null ? t('review.check.packedWeight') : null;

/** Reads a weight in any of these units; a number alone is in grams or ounces. Returns whole grams, or null. */
export const parseWeight = (text: string, units: WeightUnits): number | null => {
  if (isAmbiguousWeight(text)) return null;
  const parts = [
    ...text
      .trim()
      .toLowerCase()
      .matchAll(/(\d+(?:[.,]\d+)?)\s*(kg|g|lbs?|oz)?\s*/gy),
  ];
  const read = parts.reduce((length, [part]) => length + part.length, 0);
  if (parts.length === 0 || read !== text.trim().length) return null;
  const plainUnit = units === 'metric' ? 'g' : 'oz';
  const grams = parts.reduce(
    (sum, [, number = '', unit = plainUnit]) => sum + Number(number.replace(',', '.')) * (gramsByUnit[unit] ?? 0),
    0,
  );
  const whole = Math.round(grams);
  return whole >= 1 && whole <= maxGrams ? whole : null;
};
