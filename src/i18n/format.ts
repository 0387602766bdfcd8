import type { Message, MessageValue } from './message.ts';

/** The core's texts of a language by area; a text can have placeholders like {{name}}. */
export type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Translates a message to a sentence; null if the language lacks its text or the text of a nested message. */
export type Translator = (message: Message) => string | null;

const lazy = <T extends object>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};

type CurrencyFormat = { digits: number; format: (amount: number) => string };

/**
 * Returns the format of a currency in a language, or null for an invalid code. A bare "$" is replaced, because it is
 * ambiguous.
 */
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

/** Returns the unambiguous symbol of a dollar (US$, CA$, AU$), which British English has. */
const dollarOf = (currency: string): string =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency;

/**
 * Formats money, always with its currency; `minor` is in the currency's minor unit. An unknown currency gives a plain
 * number, so that it is not read as dollars.
 */
export const formatMoney = (locale: string, minor: number, currency: string | null | undefined): string => {
  const known = currencyFormat(locale, currency);
  return known === null ? (minor / 100).toFixed(2) : known.format(minor / 10 ** known.digits);
};

/** Returns the name of a language by its code, or null for an invalid code. */
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

/** Creates a translator; `locale` determines plural forms, numbers and money. */
export const createTranslator = (locale: string, texts: Texts): Translator => {
  // Created lazily: most sentences have no number, and the first formatter loads the data of all languages.
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
