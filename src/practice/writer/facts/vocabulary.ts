import { applyLocalSpelling, toKnownLanguage, parseLocalisedRows, type Localised } from '../../market/languages.ts';
import { foldCase, splitWords } from '../plainText.ts';
import texts from '../texts.json' with { type: 'json' };

type NameTable = ReadonlyMap<string, Localised>;
const parseNameTable = (rows: Readonly<Record<string, string>>): NameTable =>
  new Map(Object.entries(parseLocalisedRows(rows)));

export const colourNames = parseNameTable(texts.colours);
export const materialNames = parseNameTable(texts.materials);
const termNames = parseNameTable(texts.terms);

const otherForms = Object.entries(texts.otherForms).flatMap(([name, forms]) =>
  forms.split(' ').map((form) => [form, name] as const),
);
const englishNames = new Map([
  ...[...colourNames, ...materialNames].flatMap(([name, local]) =>
    Object.values(local).map((word) => [foldCase(word), name] as const),
  ),
  ...otherForms,
]);

/** In some languages, the word for a colour has several endings: "rosse", "blancas", "schwarzen". */
const listWordForms = (word: string): string[] => [
  word,
  word.replace(/e$/, 'a'),
  word.replace(/i$/, 'o'),
  word.replace(/[sn]$/, ''),
  word.replace(/es$/, ''),
];

/** Returns the English names of the colours or materials in a text, each once. */
export const listEnglishNames = (text: string, table: NameTable): string[] => {
  const words = splitWords(text).flatMap((word) => [word, ...word.split('-')]);
  const names = words.flatMap(listWordForms).flatMap((word) => englishNames.get(word) ?? []);
  return [...new Set(names)].filter((name) => table.has(name));
};

const translateName = (table: NameTable, name: string, language: string): string =>
  applyLocalSpelling(table.get(name)?.[toKnownLanguage(language)] ?? name, language);

export const translateColour = (name: string, language: string): string => translateName(colourNames, name, language);

export const translateMaterial = (name: string, language: string): string =>
  translateName(materialNames, name, language);

/** Translates a comma-separated list of features, connections or formats. Names such as Bluetooth stay the same. */
export const translateTerms = (terms: string, language: string): string =>
  terms
    .split(', ')
    .map((term) => translateName(termNames, term, language))
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
const brandPatterns = [
  createBrandPattern(
    brandNames.filter((name) => !ordinaryBrands.includes(name)),
    'iu',
  ),
  createBrandPattern([...ordinaryBrands, ...ordinaryBrands.map((name) => name.toUpperCase())], 'u'),
];

const productMakers: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iphone|ipad|ipod|macbook|airpods|imac)\b/i, 'Apple'],
  [/\bplaystation\b/i, 'Sony'],
  [/\bxbox\b/i, 'Microsoft'],
  [/\bgame ?boy\b/i, 'Nintendo'],
  [/\bthinkpad\b/i, 'Lenovo'],
  [/\bkindle\b/i, 'Amazon'],
  [/\bgalaxy (?:s|a|note|tab)\s?\d/i, 'Samsung'],
];

/** Returns the first known brand in a text, in the brand's own spelling. */
export const findKnownBrand = (text: string): string | undefined => {
  const found = brandPatterns.map((pattern) => pattern.exec(text)).filter((match) => match !== null);
  const [first] = found.sort((one, other) => one.index - other.index || other[0].length - one[0].length);
  return first ? brandsByKey.get(toBrandKey(first[0])) : productMakers.find(([product]) => product.test(text))?.[1];
};
