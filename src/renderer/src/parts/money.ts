import { locale } from '../i18n/locale.ts';
import { t } from '../i18n/t.ts';

const formatOf = (currency: string): Intl.NumberFormat | null => {
  try {
    return new Intl.NumberFormat(locale(), { style: 'currency', currency });
  } catch {
    return null;
  }
};

/** A bare dollar sign could be any dollar. */
const written = (format: Intl.NumberFormat, amount: number): string =>
  format
    .formatToParts(amount)
    .map(({ type, value }) => (type === 'currency' && value === '$' ? 'US$' : value))
    .join('');

/** An amount in minor units with its currency; a bare dollar sign is never enough. */
export const formatMinor = (minor: number, currency: string): string => {
  const format = formatOf(currency);
  if (!format) return `${(minor / 100).toFixed(2)} ${currency}`;
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return written(format, minor / 10 ** digits);
};

/** A listing's price, in hundredths of its currency. */
export const formatCents = (cents: number, currency: string | null): string => {
  const format = currency === null ? null : formatOf(currency);
  if (!format) return `${(cents / 100).toFixed(2)} (${currency ?? t('parts.currencyOfSite')})`;
  return written(format, cents / 100);
};

/** A price as it is typed into a field. */
export const centsToText = (cents: number | null | undefined): string =>
  cents === null || cents === undefined ? '' : (cents / 100).toFixed(2);

/** What a person typed as cents: "34,99", "€ 1 234.50"; null when it is not an amount. */
export const textToCents = (text: string): number | null => {
  const bare = text.replace(/[\s\u00a0’']/g, '').replace(/^[^\d.,-]+|[^\d.,]+$/g, '');
  const match = /^(\d{1,3}(?:[.,]\d{3})*|\d+)(?:[.,](\d{1,2}))?$/.exec(bare);
  if (!match) return null;
  const whole = (match[1] ?? '').replace(/[.,]/g, '');
  return Number(whole) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
};
