import type { Message, MessageValue } from './message.ts';
import { formatExactWeight } from './weights.ts';

/** The texts are grouped by area. A text can contain placeholders such as {{name}}. */
export type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Returns null if the language has no text for the message or for a nested message. */
export type Translator = (message: Message) => string | null;

const createLazyGetter = <T extends object | string>(make: () => T): (() => T) => {
  let builtValue: T | undefined;
  return () => (builtValue ??= make());
};

type CurrencyFormat = { digits: number; format: (amount: number) => string };

const buildCurrencyFormat = (locale: string, currency: string): CurrencyFormat => {
  const own = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const dollarSymbol = createLazyGetter(() => findDollarSymbol(currency));
  const formatWithSymbol = (amount: number): string =>
    own
      .formatToParts(amount)
      .map(({ type, value }) => (type === 'currency' && value === '$' ? dollarSymbol() : value))
      .join('');
  return { digits: own.resolvedOptions().maximumFractionDigits ?? 2, format: formatWithSymbol };
};

/** British English has an unambiguous symbol for each dollar currency, such as US$ or CA$. */
const findDollarSymbol = (currency: string): string =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency;

/** The service chooses the currencies, so their number is limited. */
const maxStoredFormats = 100;
const storedFormats = new Map<string, CurrencyFormat>();

/**
 * Returns null if the currency code is invalid. A bare "$" is replaced because it is ambiguous. Formats are stored,
 * because creating one takes a hundred times as long as using it.
 */
export const getCurrencyFormat = (locale: string, currency: string | null | undefined): CurrencyFormat | null => {
  if (!currency || !/^[A-Z]{3}$/.test(currency)) return null;
  const key = `${locale} ${currency}`;
  const format = storedFormats.get(key) ?? buildCurrencyFormat(locale, currency);
  if (storedFormats.size >= maxStoredFormats) storedFormats.clear();
  storedFormats.set(key, format);
  return format;
};

/** `minor` is in minor units. An unknown currency results in a plain number, so that it is not read as dollars. */
export const formatMoneyAmount = (locale: string, minor: number, currency: string | null | undefined): string => {
  const known = getCurrencyFormat(locale, currency);
  return known === null ? (minor / 100).toFixed(2) : known.format(minor / 10 ** known.digits);
};

export const formatLanguageName = (locale: string, code: string): string | null => {
  try {
    const names = new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' });
    return Intl.getCanonicalLocales(code)[0] === code ? (names.of(code) ?? null) : null;
  } catch {
    return null;
  }
};

const formatPointInTime = (locale: string, at: number): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(at);

export const createMessageTranslator = (locale: string, texts: Texts): Translator => {
  // The formatters are created on first use. Most sentences contain no number, and the first formatter loads the data
  // of all languages.
  const plurals = createLazyGetter(() => new Intl.PluralRules(locale));
  const numbers = createLazyGetter(() => new Intl.NumberFormat(locale));

  const findMessageText = (key: string, count: MessageValue | undefined): string | undefined => {
    const dot = key.indexOf('.');
    const [areaName, name] = [key.slice(0, dot), key.slice(dot + 1)];
    const area = Object.hasOwn(texts, areaName) ? (texts[areaName] ?? {}) : {};
    const findOwnText = (textName: string): string | undefined =>
      Object.hasOwn(area, textName) ? area[textName] : undefined;
    return (
      findOwnText(name) ?? findOwnText(`${name}_${plurals().select(Number(count))}`) ?? findOwnText(`${name}_other`)
    );
  };

  const formatPlaceholderValue = (value: MessageValue | undefined): string | null => {
    if (typeof value === 'number') return numbers().format(value);
    if (typeof value !== 'object') return value ?? null;
    if ('key' in value) return translateMessage(value);
    if ('grams' in value) return formatExactWeight(value.units, value.grams, (number) => numbers().format(number));
    if ('at' in value) return formatPointInTime(locale, value.at);
    return 'language' in value
      ? formatLanguageName(locale, value.language)
      : formatMoneyAmount(locale, value.minor, value.currency);
  };

  const translateMessage: Translator = ({ key, values = {} }) => {
    const text = findMessageText(key, values['count']);
    if (text === undefined) return null;
    let isComplete = true;
    const sentence = text.replace(/\{\{(\w+)\}\}/g, (_place, name: string) => {
      const found = formatPlaceholderValue(Object.hasOwn(values, name) ? values[name] : undefined);
      isComplete &&= found !== null;
      return found ?? '';
    });
    return isComplete ? sentence : null;
  };
  return translateMessage;
};
