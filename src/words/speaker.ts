import { late } from './late.ts';
import { moneyIn } from './moneyIn.ts';
import type { Saying, Text, Texts, Value } from './saying.ts';

const textAt = (texts: Texts, key: string): Text | undefined => {
  const dot = key.indexOf('.');
  const [areaName, name] = [key.slice(0, dot), key.slice(dot + 1)];
  const area = Object.hasOwn(texts, areaName) ? texts[areaName] : undefined;
  return area !== undefined && Object.hasOwn(area, name) ? area[name] : undefined;
};

/** A sentence in the language of the texts; null for a text, or one inside it, that the language does not have. */
export type Speaker = (saying: Saying) => string | null;

/** Says sayings in a language: `locale` decides on plural forms, numbers and money. */
export const speaker = (locale: string, texts: Texts): Speaker => {
  // Made when they are first needed: most sentences have no number, and the first of these reads the data of all languages.
  const plurals = late(() => new Intl.PluralRules(locale));
  const numbers = late(() => new Intl.NumberFormat(locale));

  const word = (value: Value | undefined): string | null => {
    if (typeof value === 'number') return numbers().format(value);
    if (typeof value !== 'object') return value ?? null;
    return 'key' in value ? speak(value) : moneyIn(locale, value.minor, value.currency);
  };

  const speak: Speaker = ({ key, values = {} }) => {
    const text = textAt(texts, key);
    if (text === undefined) return null;
    const form = typeof text === 'string' ? text : (text[plurals().select(Number(values['count']))] ?? text.other);
    let whole = true;
    const said = form.replace(/\{\{(\w+)\}\}/g, (_place, name: string) => {
      const found = word(Object.hasOwn(values, name) ? values[name] : undefined);
      whole &&= found !== null;
      return found ?? '';
    });
    return whole ? said : null;
  };
  return speak;
};
