import { i18n } from './t.ts';

/** How numbers, dates and money are written: as the system does where it speaks the language of the screens, else as the language does. */
export const locale = (): string => {
  const spoken = i18n.language;
  const own = typeof navigator === 'undefined' ? [] : navigator.languages;
  return own.find((code) => code.split('-')[0] === spoken) ?? spoken;
};

/** A day, with or without its year. */
export const dayWords = (at: number, style: 'long' | 'short' = 'short'): string =>
  new Intl.DateTimeFormat(locale(), {
    day: 'numeric',
    month: style,
    ...(style === 'short' ? { year: 'numeric' as const } : {}),
  }).format(at);

/** A moment with its day and its time. */
export const timeWords = (at: number): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'long', timeStyle: 'short' }).format(at);

/** A whole number with the language's own marks. */
export const number = (value: number): string => new Intl.NumberFormat(locale()).format(value);

/** The country of a site like MKT_DE in words; the site itself where it names none. */
export const regionName = (site: string): string => {
  const region = site.replace(/^MKT_/, '');
  return /^[A-Z]{2}$/.test(region) ? (new Intl.DisplayNames(locale(), { type: 'region' }).of(region) ?? site) : site;
};
