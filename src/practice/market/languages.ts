import { entryOf } from '../../contract/untrusted.ts';

/** Languages that the practice marketplace knows by heart; any other falls back to English. */
export const languages = ['en', 'de', 'fr', 'it', 'es', 'nl', 'pl', 'sv'] as const;

/** A language that the marketplace knows. */
export type Language = (typeof languages)[number];
/** One text in every known language. */
export type Localised = Readonly<Record<Language, string>>;

/** One text per language from a compact row, in the order of `languages`: `t('Books|Bücher|Livres|…')`. */
export const t = (row: string): Localised => {
  const cells = row.split('|');
  if (cells.length !== languages.length) throw new Error(`A row of ${languages.length} languages is needed: ${row}`);
  const [en = '', de = '', fr = '', it = '', es = '', nl = '', pl = '', sv = ''] = cells;
  return { en, de, fr, it, es, nl, pl, sv };
};

// A person's assistant may name a language instead of giving its tag.
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

/** The known language behind a BCP-47 tag or a name: `de-CH` → `de`, an unknown one → `en`. */
export const languageOf = (tag: string): Language => {
  const base = tag.trim().toLowerCase().split(/[-_]/)[0] ?? '';
  return languages.find((language) => language === base) ?? entryOf(byName, base) ?? 'en';
};

// Only the word itself is changed, with its capital: "Colour" and "colour".
const american: readonly (readonly [RegExp, string])[] = [
  [/olour/g, 'olor'],
  [/\bGrey\b/g, 'Gray'],
  [/\bgrey\b/g, 'gray'],
  [/ewellery/g, 'ewelry'],
  [/ollectable/g, 'ollectible'],
];

/** A text as the language's own country spells it: an American listing has a color, a Swiss one no ß. */
export const localSpelling = (text: string, language: string): string => {
  const tag = language.toLowerCase();
  if (tag === 'de-ch') return text.replace(/ß/g, 'ss');
  return tag === 'en-us' || tag === 'en'
    ? american.reduce((spelling, [british, us]) => spelling.replace(british, us), text)
    : text;
};

/** One of the texts of a row: in the language of a tag, and spelled as its country does. */
export const textIn = (texts: Localised, language: string): string =>
  localSpelling(texts[languageOf(language)], language);
