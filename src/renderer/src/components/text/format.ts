import { getCurrentLocale, t } from '../../i18n.ts';
import { parseTypedAmount, formatPlainAmount } from '../../../../i18n/amounts.ts';
import { getCurrencyFormat } from '../../../../i18n/format.ts';

export const dayMs = 86_400_000;

/** Creating a format takes a hundred times as long as using it, so each language has one stored format. */
const memoiseByLanguage = <T>(make: (language: string) => T): (() => T) => {
  const made = new Map<string, T>();
  return () => {
    const language = getCurrentLocale();
    const known = made.get(language) ?? make(language);
    made.set(language, known);
    return known;
  };
};

export const formatBytes = (bytes: number): string => {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  const at = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** at;
  return new Intl.NumberFormat(getCurrentLocale(), {
    style: 'unit',
    unit: units[at] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: value < 10 && at > 0 ? 1 : 0,
  }).format(value);
};

/** `minor` is in minor units. */
export const formatMinorAmount = (minor: number, currency: string): string => {
  const known = getCurrencyFormat(getCurrentLocale(), currency);
  return known ? known.format(minor / 10 ** known.digits) : `${(minor / 100).toFixed(2)} ${currency}`;
};

/** `cents` is in hundredths of the currency. */
export const formatCents = (cents: number, currency: string | null): string =>
  getCurrencyFormat(getCurrentLocale(), currency)?.format(cents / 100) ??
  `${(cents / 100).toFixed(2)} (${currency ?? t('parts.currencyOfSite')})`;

/** Formats `cents` as a number in the current language. Null results in an empty text. */
export const formatCentsInput = (cents: number | null | undefined): string =>
  cents === null || cents === undefined ? '' : formatPlainAmount(cents, getCurrentLocale());

/** Returns null if the text is invalid or ambiguous. */
export const parseCentsInput = (text: string): number | null => {
  const amount = parseTypedAmount(text, getCurrentLocale());
  return amount.kind === 'cents' ? amount.cents : null;
};

/** Returns the two possible amounts in cents, or null if the text is not ambiguous. */
export const parseAmbiguousAmounts = (text: string): readonly [number, number] | null => {
  const amount = parseTypedAmount(text, getCurrentLocale());
  return amount.kind === 'either' ? amount.cents : null;
};

/** Returns a sentence about the first problem, or null if the amount is valid. `least` is in cents. */
export const findMoneyProblem = (text: string, { least = 1 }: { least?: number } = {}): string | null => {
  const amount = parseTypedAmount(text, getCurrentLocale());
  if (amount.kind === 'either') return t('parts.money.choose');
  if (amount.kind !== 'cents') return t('review.check.price', { example: formatCentsInput(3_499) });
  return amount.cents < least ? t('parts.money.zero') : null;
};

const siteNames = memoiseByLanguage((language) => new Intl.DisplayNames(language, { type: 'region' }));

const days = {
  long: memoiseByLanguage((language) => new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long' })),
  short: memoiseByLanguage(
    (language) => new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric' }),
  ),
};

export const formatDay = (at: number, style: 'long' | 'short' = 'short'): string => days[style]().format(at);

const utcDays = memoiseByLanguage(
  (language) => new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
);

/** Formats a day of the service, which counts days in UTC. */
export const formatUtcDay = (at: number): string => utcDays().format(at);

const clockTimes = memoiseByLanguage((language) => new Intl.DateTimeFormat(language, { timeStyle: 'short' }));

/** For example "12:41". */
export const formatClockTime = (at: number): string => clockTimes().format(at);

const exactTimes = memoiseByLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }),
);

/** For example "6 Mar 2026, 12:41:07". */
export const formatExactTime = (at: number): string => exactTimes().format(at);

const fullDays = memoiseByLanguage((language) => new Intl.DateTimeFormat(language, { dateStyle: 'full' }));
const nearDays = memoiseByLanguage((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }));

const findMidday = (at: number): number => new Date(at).setHours(12, 0, 0, 0);

const countDaysBetween = (at: number, now: number): number => Math.round((findMidday(now) - findMidday(at)) / dayMs);

/** An older time is clearer as a date. */
const maxCountedDays = 14;

/** For example "Today", "Yesterday" or "Friday, 6 March 2026". */
export const formatDayHeading = (at: number, now: number): string => {
  const daysAgo = countDaysBetween(at, now);
  const words = daysAgo === 0 || daysAgo === 1 ? nearDays().format(-daysAgo, 'day') : fullDays().format(at);
  return words.charAt(0).toLocaleUpperCase(getCurrentLocale()) + words.slice(1);
};

/** For example "today", "3 days ago" or "6 Mar 2026". */
export const formatDaysAgo = (at: number, now: number): string => {
  const daysAgo = Math.max(0, countDaysBetween(at, now));
  return daysAgo < maxCountedDays ? nearDays().format(-daysAgo, 'day') : formatDay(at);
};

const longTimes = memoiseByLanguage(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }),
);

export const formatTime = (at: number): string => longTimes().format(at);

const createSpan = (unit: string, seconds: number) => {
  const format = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 0 } as const;
  return { seconds, numbers: memoiseByLanguage((language) => new Intl.NumberFormat(language, format)) };
};

const shortestSpan = createSpan('second', 1);
const spans = [shortestSpan, createSpan('minute', 60), createSpan('hour', 3600), createSpan('day', 86_400)];

export const formatDuration = (ms: number): string => {
  const { seconds, numbers: format } = spans.findLast((span) => ms / 1_000 >= span.seconds) ?? shortestSpan;
  return format().format(ms / 1_000 / seconds);
};

const numbers = memoiseByLanguage((language) => new Intl.NumberFormat(language));

export const formatNumber = (value: number): string => numbers().format(value);

/** Returns the country name of a site such as MKT_DE. If the site names no country, the site is returned. */
export const getSiteCountryName = (site: string): string => {
  const region = site.replace(/^MKT_/, '');
  return /^[A-Z]{2}$/.test(region) ? (siteNames().of(region) ?? site) : site;
};

/** Returns the code itself if it has no name in the current language. */
export const formatLanguageCode = (code: string): string => {
  try {
    return new Intl.DisplayNames(getCurrentLocale(), { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
};

/** The service writes a site as MKT_DE, but the person needs the name "Germany". */
export const replaceSiteNames = (sentence: string): string =>
  sentence.replaceAll(/\bMKT_[A-Z]{2}\b/g, getSiteCountryName);

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const nonCountryCodes = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);

const isCountryCode = (code: string): boolean =>
  !nonCountryCodes.has(code) && new Intl.Locale(`und-${code}`).region === code;

export const listCountries = (): { value: string; label: string }[] => {
  const names = new Intl.DisplayNames(getCurrentLocale(), { type: 'region', fallback: 'none' });
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter(isCountryCode)
    .flatMap((value) => {
      const label = names.of(value);
      return label === undefined ? [] : [{ value, label }];
    })
    .toSorted((a, b) => a.label.localeCompare(b.label, getCurrentLocale()));
};

export const formatPercent = (percent: number): string =>
  new Intl.NumberFormat(getCurrentLocale(), { style: 'percent', signDisplay: 'exceptZero' })
    .format(percent / 100)
    .replace('-', '\u2212');
