import { findOwnEntry } from '../../contract/untrusted.ts';

export const languages = ['en', 'de', 'fr', 'it', 'es', 'nl', 'pl', 'sv'] as const;

export type Language = (typeof languages)[number];
export type Localised = Readonly<Record<Language, string>>;

/** Parses texts in the order of `languages`: `parseLocalisedTexts('Books|Bücher|Livres|…')`. Throws if a text is missing. */
export const parseLocalisedTexts = (row: string): Localised => {
  const cells = row.split('|');
  if (cells.length !== languages.length) throw new Error(`A row of ${languages.length} languages is needed: ${row}`);
  const [en = '', de = '', fr = '', it = '', es = '', nl = '', pl = '', sv = ''] = cells;
  return { en, de, fr, it, es, nl, pl, sv };
};

export const parseLocalisedRows = <K extends string>(rows: Readonly<Record<K, string>>) =>
  Object.fromEntries(Object.entries<string>(rows).map(([name, row]) => [name, parseLocalisedTexts(row)])) as Readonly<
    Record<K, Localised>
  >;

// An assistant might send the name of a language instead of a tag.
const byName: Readonly<Record<string, Language>> = {
  english: 'en',
  german: 'de',
  deutsch: 'de',
  french: 'fr',
  français: 'fr',
  italian: 'it',
  italiano: 'it',
  spanish: 'es',
  español: 'es',
  dutch: 'nl',
  nederlands: 'nl',
  polish: 'pl',
  polski: 'pl',
  swedish: 'sv',
  svenska: 'sv',
};

/** Returns the known language of a BCP-47 tag or language name: `de-CH` → `de`, unknown → `en`. */
export const toKnownLanguage = (tag: string): Language => {
  const base = tag.trim().toLowerCase().split(/[-_]/)[0] ?? '';
  return languages.find((language) => language === base) ?? findOwnEntry(byName, base) ?? 'en';
};

const americanSpellings: readonly (readonly [RegExp, string])[] = [
  [/olour/g, 'olor'],
  [/\bGrey\b/g, 'Gray'],
  [/\bgrey\b/g, 'gray'],
  [/ewellery/g, 'ewelry'],
  [/ollectable/g, 'ollectible'],
];

/** Adapts a text to American English, or to Swiss German without ß. */
export const applyLocalSpelling = (text: string, language: string): string => {
  const tag = language.toLowerCase();
  if (tag === 'de-ch') return text.replace(/ß/g, 'ss');
  return tag === 'en-us' || tag === 'en'
    ? americanSpellings.reduce((spelling, [british, us]) => spelling.replace(british, us), text)
    : text;
};

/** Returns the text for a language tag, in the spelling of the tag's country. */
export const getLocalisedText = (texts: Localised, language: string): string =>
  applyLocalSpelling(texts[toKnownLanguage(language)], language);
