import { applyLocalSpelling, parseLocalisedRows, toKnownLanguage, type Localised } from '../../market/languages.ts';
import { foldCase, splitWords } from '../plainText.ts';
import texts from '../texts.json' with { type: 'json' };
import patterns from './patterns.json' with { type: 'json' };

/** Patterns of words in the languages of the sites. */
export const wordPatterns = Object.fromEntries(
  Object.entries(patterns.words).map(([name, words]) => [name, new RegExp(words, 'iu')]),
) as Record<keyof typeof patterns.words, RegExp>;

type NameTable = ReadonlyMap<string, Localised>;
const parseNameTable = (rows: Readonly<Record<string, string>>): NameTable =>
  new Map(Object.entries(parseLocalisedRows(rows)));

export const colourNames = parseNameTable(texts.colours);
export const materialNames = parseNameTable(texts.materials);
const allNames: NameTable = new Map([...colourNames, ...materialNames, ...parseNameTable(texts.terms)]);

const englishNames = new Map([
  ...[...colourNames, ...materialNames].flatMap(([name, local]) =>
    Object.values(local).map((word) => [foldCase(word), name] as const),
  ),
  ...Object.entries(texts.otherForms).flatMap(([name, forms]) => forms.split(' ').map((form) => [form, name] as const)),
]);

/** In some languages, the word for a colour has several endings: "rosse", "blancas", "schwarzen". */
const basicEndings = { e: 'a', i: 'o', s: '', n: '', es: '' };

const listWordForms = (word: string): string[] =>
  Object.entries(basicEndings).map(([end, basic]) => word.replace(new RegExp(`${end}$`), basic));

/** Returns the English names of the colours or materials in a text, each once. */
export const listEnglishNames = (text: string, table: NameTable): string[] => {
  const words = splitWords(text).flatMap((word) => [word, ...word.split('-')]);
  const names = words.flatMap(listWordForms).flatMap((word) => englishNames.get(word) ?? []);
  return [...new Set(names)].filter((name) => table.has(name));
};

/** Translates a comma-separated list of colours, materials or features. Names such as Bluetooth stay the same. */
export const translateTerms = (terms: string, language: string): string =>
  terms
    .split(', ')
    .map((term) => applyLocalSpelling(allNames.get(term)?.[toKnownLanguage(language)] ?? term, language))
    .join(', ');

const brandNames = texts.brands.split('|');
/** These brands are also common words, so they count only in the brand's own spelling or in capitals. */
const ordinaryBrands = texts.ordinaryBrands.split('|');

const createBrandPattern = (names: readonly string[], flags: string): RegExp => {
  const longestFirst = [...names].sort((first, second) => second.length - first.length).join('|');
  const pattern = longestFirst.replaceAll('.', '\\.').replaceAll('’', "['’]?");
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, flags);
};
const toBrandKey = (name: string): string => foldCase(name).replace(/'/g, '');
const brandsByKey = new Map(brandNames.map((name) => [toBrandKey(name), name]));
const otherBrands = brandNames.filter((name) => !ordinaryBrands.includes(name));
const brandPatterns = [
  createBrandPattern(otherBrands, 'iu'),
  createBrandPattern([...ordinaryBrands, ...ordinaryBrands.map((name) => name.toUpperCase())], 'u'),
];

/** Returns the first known brand in a text, in the brand's own spelling. */
export const findKnownBrand = (text: string): string | undefined => {
  const found = brandPatterns.map((pattern) => pattern.exec(text)).filter((match) => match !== null);
  const [first] = found.sort((one, other) => one.index - other.index || other[0].length - one[0].length);
  if (first) return brandsByKey.get(toBrandKey(first[0]));
  return Object.entries(patterns.productMakers).find(([, product]) => new RegExp(product, 'i').test(text))?.[0];
};
