import type { Message, MessageValue } from './message.ts';

/** The core's texts of a language: areas, in them texts with places like {{name}}. */
export type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A message as a sentence; null for a text, or one inside it, that the language does not have. */
export type Translator = (message: Message) => string | null;

const lazy = <T extends object>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};

type CurrencyFormat = { digits: number; format: (amount: number) => string };

/** How a language writes amounts of a currency; null for what is none. A bare dollar sign could be any dollar. */
export const currencyFormat = (locale: string, currency: string | null | undefined): CurrencyFormat | null => {
  if (!currency || !/^[A-Z]{3}$/.test(currency)) return null;
  const own = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const write = (amount: number): string =>
    own
      .formatToParts(amount)
      .map(({ type, value }) => (type === 'currency' && value === '$' ? dollarOf(currency) : value))
      .join('');
  return { digits: own.resolvedOptions().maximumFractionDigits ?? 2, format: write };
};

/** British English names all dollars apart (US$, CA$, AU$). */
const dollarOf = (currency: string): string =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency;

/**
 * Money as a language writes it, always with its currency. `minor` is in the currency's minor unit. A currency that is not
 * known leaves a plain number, so that nobody reads dollars into it.
 */
export const formatMoney = (locale: string, minor: number, currency: string | null | undefined): string => {
  const known = currencyFormat(locale, currency);
  return known === null ? (minor / 100).toFixed(2) : known.format(minor / 10 ** known.digits);
};

/** The name that a language has for one by its code; null for what is no code of a language. */
export const formatLanguage = (locale: string, code: string): string | null => {
  try {
    const names = new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' });
    return Intl.getCanonicalLocales(code)[0] === code ? (names.of(code) ?? null) : null;
  } catch {
    return null;
  }
};

const formatTime = (locale: string, at: number): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(at);

/** Translates messages into a language: `locale` decides on plural forms, numbers and money. */
export const createTranslator = (locale: string, texts: Texts): Translator => {
  // Made when they are first needed: most sentences have no number, and the first of these reads the data of all languages.
  const plurals = lazy(() => new Intl.PluralRules(locale));
  const numbers = lazy(() => new Intl.NumberFormat(locale));

  const textOf = (key: string, count: MessageValue | undefined): string | undefined => {
    const dot = key.indexOf('.');
    const [areaName, name] = [key.slice(0, dot), key.slice(dot + 1)];
    const area = Object.hasOwn(texts, areaName) ? (texts[areaName] ?? {}) : {};
    const own = (wanted: string): string | undefined => (Object.hasOwn(area, wanted) ? area[wanted] : undefined);
    return own(name) ?? own(`${name}_${plurals().select(Number(count))}`) ?? own(`${name}_other`);
  };

  const valueOf = (value: MessageValue | undefined): string | null => {
    if (typeof value === 'number') return numbers().format(value);
    if (typeof value !== 'object') return value ?? null;
    if ('key' in value) return translate(value);
    if ('at' in value) return formatTime(locale, value.at);
    return 'language' in value
      ? formatLanguage(locale, value.language)
      : formatMoney(locale, value.minor, value.currency);
  };

  const translate: Translator = ({ key, values = {} }) => {
    const text = textOf(key, values['count']);
    if (text === undefined) return null;
    let whole = true;
    const sentence = text.replace(/\{\{(\w+)\}\}/g, (_place, name: string) => {
      const found = valueOf(Object.hasOwn(values, name) ? values[name] : undefined);
      whole &&= found !== null;
      return found ?? '';
    });
    return whole ? sentence : null;
  };
  return translate;
};
