/**
 * Money in words, always with its currency: `US$0.35`, `€12.00`. `minor` is in the currency's minor unit.
 * A currency that is not known leaves a plain number, so that nobody reads dollars into it.
 */
export const money = (minor: number, currency: string | null | undefined): string => {
  if (!currency || !/^[A-Z]{3}$/.test(currency)) return (minor / 100).toFixed(2);
  // British English names foreign dollars apart (US$, CA$, AU$), which American English does not.
  const format = new Intl.NumberFormat('en-GB', { style: 'currency', currency });
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
};
