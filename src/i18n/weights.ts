export type WeightUnits = 'metric' | 'imperial';

/** Sellers on this site weigh in pounds and ounces. */
export const getWeightUnits = (site: string | null | undefined): WeightUnits =>
  site === 'MKT_US' ? 'imperial' : 'metric';

export const gramsPerOunce = 28.349523125;
export const ouncesPerPound = 16;
export const gramsPerKilogram = 1_000;

/** More than two decimals of a kilogram could be read as thousands. */
const isRoundInKilograms = (grams: number): boolean =>
  grams >= gramsPerKilogram && grams < gramsPerKilogram * 1_000 && grams % 10 === 0;

/** Formats a weight like `2 lb 3 oz`, `350 g` or `1.2 kg`. */
export const formatWeightIn = (units: WeightUnits, grams: number, formatNumber: (value: number) => string): string => {
  if (units === 'metric')
    return isRoundInKilograms(grams) ? `${formatNumber(grams / gramsPerKilogram)} kg` : `${grams} g`;
  const ounces = Math.round((grams / gramsPerOunce) * 10) / 10;
  const pounds = Math.floor(ounces / ouncesPerPound);
  const rest = Math.round((ounces - pounds * ouncesPerPound) * 10) / 10;
  const parts = [pounds > 0 && `${pounds} lb`, (rest > 0 || pounds === 0) && `${formatNumber(rest)} oz`];
  return parts.filter((part) => part !== false).join(' ');
};

/** Adds the grams, so that the exact value stays visible: `1 lb 4 oz (567 g)`. */
export const formatExactWeight = (
  units: WeightUnits,
  grams: number,
  formatNumber: (value: number) => string,
): string => {
  const [weight, exact] = [formatWeightIn(units, grams, formatNumber), `${grams} g`];
  return weight === exact ? exact : `${weight} (${exact})`;
};
