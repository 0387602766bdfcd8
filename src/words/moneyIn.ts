/**
 * Money as a language writes it, always with its currency; a bare dollar sign could be any dollar. `minor` is in the currency's minor unit. A currency that is
 * not known leaves a plain number, so that nobody reads dollars into it.
 */
export const moneyIn = (locale: string, minor: number, currency: string | null | undefined): string => {
  if (!currency || !/^[A-Z]{3}$/.test(currency)) return (minor / 100).toFixed(2);
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const amount = minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2);
  return format
    .formatToParts(amount)
    .map(({ type, value }) => (type === 'currency' && currency === 'USD' && value === '$' ? 'US$' : value))
    .join('');
};
