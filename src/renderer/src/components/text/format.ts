import { currencyFormat } from '../../../../i18n/format.ts';
import { locale } from '../../i18n/locale.ts';
import { t } from '../../i18n/t.ts';

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
export const conditionWords = (condition: string): string =>
  condition.charAt(0) + condition.slice(1).toLowerCase().replaceAll('_', ' ');
