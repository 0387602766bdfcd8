import { locale, t } from '../../i18n.ts';
import { currencyFormat } from '../../../../i18n/format.ts';

/** A size on the disk in words: "61 MB". */
export const formatBytes = (bytes: number): string => {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  const at = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** at;
  return new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit: units[at] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: value < 10 && at > 0 ? 1 : 0,
  }).format(value);
};

/** An amount in minor units with its currency. */
export const formatMinor = (minor: number, currency: string): string => {
  const known = currencyFormat(locale(), currency);
  return known ? known.format(minor / 10 ** known.digits) : `${(minor / 100).toFixed(2)} ${currency}`;
};

/** A listing's price, in hundredths of its currency. */
export const formatCents = (cents: number, currency: string | null): string =>
  currencyFormat(locale(), currency)?.format(cents / 100) ??
  `${(cents / 100).toFixed(2)} (${currency ?? t('parts.currencyOfSite')})`;

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

/** A condition as words: USED_GOOD is "Used good". */
export const conditionText = (condition: string): string =>
  condition.charAt(0) + condition.slice(1).toLowerCase().replaceAll('_', ' ');

/** A day, with or without its year. */
export const formatDay = (at: number, style: 'long' | 'short' = 'short'): string =>
  new Intl.DateTimeFormat(locale(), {
    day: 'numeric',
    month: style,
    ...(style === 'short' ? { year: 'numeric' as const } : {}),
  }).format(at);

/** A moment with its day and its time. */
export const formatTime = (at: number): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'long', timeStyle: 'short' }).format(at);

/** A whole number with the language's own marks. */
export const formatNumber = (value: number): string => new Intl.NumberFormat(locale()).format(value);

/** The country of a site like MKT_DE in words; the site itself where it names none. */
export const regionName = (site: string): string => {
  const region = site.replace(/^MKT_/, '');
  return /^[A-Z]{2}$/.test(region) ? (new Intl.DisplayNames(locale(), { type: 'region' }).of(region) ?? site) : site;
};
