import { removeFileExtension } from './groupFiles.ts';
import { shelfChanges, type Money, type ShelfChanges } from '../base/shelfFields.ts';
import { privatePart, type PrivatePart } from '../storage/tables/itemRecord.ts';

const privateKind = privatePart.shape.kind;

/**
 * In the languages of the screens. Only a word before an identifier is a place, so "Lego box" and "place mat" are none.
 */
const placeWords = [
  ...['bin', 'box', 'crate', 'drawer', 'location', 'loc', 'place', 'rack', 'shelf', 'tote'],
  ...['fach', 'karton', 'kiste', 'lager', 'platz', 'regal', 'schublade'],
  ...['bac', 'boîte', 'boite', 'caisse', 'carton', 'casier', 'étagère', 'etagere', 'tiroir'],
  ...['cassetto', 'contenitore', 'ripiano', 'scaffale', 'scatola'],
  ...['caja', 'cajón', 'cajon', 'estante', 'estantería', 'estanteria'],
  ...['bak', 'doos', 'krat', 'lade', 'plank', 'stelling'],
  ...['półka', 'polka', 'pudło', 'pudlo', 'regał', 'skrzynka', 'szuflada'],
];

const costWords = [
  ...['cost', 'costs', 'paid', 'bought for', 'purchase price'],
  ...['bezahlt', 'einkauf', 'ek', 'einkaufspreis', 'gekauft für', 'gekauft fuer', 'kosten', 'kostete'],
  ...['achat', 'acheté', 'achete', 'coût', 'cout', 'payé', 'paye', 'prix d’achat', "prix d'achat"],
  ...['comprato', 'costo', 'pagato'],
  ...['comprado', 'coste', 'costó', 'pagado'],
  ...['betaald', 'gekocht voor', 'inkoop', 'kostte'],
  ...['koszt', 'kupione za', 'zakup', 'zapłacone', 'zaplacone'],
];

const skuWords = ['sku', 'art.-nr.', 'artikelnummer', 'réf.', 'ref.'];

const oneOf = (words: readonly string[]): string =>
  [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|');

const between = String.raw`(?:\s*[:=#-]\s*|\s+)`;
const start = String.raw`(?<![\p{L}\p{N}])`;
const end = String.raw`(?![\p{L}\p{N}])`;
/** For example A02, 12, B-7, A04-3: at most three digits, so that a product's number stays ("Playmobil box 4133"). */
const identifier = String.raw`(?:\p{Lu}{1,2}[- ]?\d{1,3}|\d{1,3}\p{Lu}?|\p{Lu})(?:-\d{1,4})?`;
const currency = String.raw`(?:[€$£¥]|zł|EUR|USD|GBP|PLN|CHF)`;
const amount = String.raw`${currency}?\s*\d{1,6}(?:[.,]\d{1,2})?(?:\s*${currency})?`;

/**
 * Lower and upper case of a word are the same, but an identifier is upper case: "box a" is a word of the item. JavaScript
 * has no flag for one part of a pattern, so both cases are listed.
 */
const ignoreCase = (words: string): string =>
  words.replace(/\p{L}/gu, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);

const patterns: readonly [PrivatePart['kind'], RegExp][] = [
  ['cost', new RegExp(`${start}(?:${ignoreCase(oneOf(costWords))})${between}?${amount}${end}`, 'gu')],
  ['place', new RegExp(`${start}(?:${ignoreCase(oneOf(placeWords))})${between}${identifier}${end}`, 'gu')],
  [
    'sku',
    new RegExp(`${start}(?:${ignoreCase(oneOf(skuWords))})${between}?[\\p{L}\\p{N}][\\p{L}\\p{N}-]{0,49}${end}`, 'gu'),
  ],
  // The usual SKU of a place, for example A04-3.
  ['sku', new RegExp(`${start}\\p{Lu}\\d{2}-\\d{1,4}${end}`, 'gu')],
];

/** Removes what encloses or separates removed parts: "(, )", a comma at an end. */
const tidyRest = (rest: string): string =>
  rest
    .replace(/[([{][\s,;:/|+&–—-]*[)\]}]/gu, ' ')
    .replace(/([([{])[\s,;:/|+&–—-]+/gu, '$1')
    .replace(/[\s,;:/|+&–—-]+([)\]}])/gu, '$1')
    .replace(/\s*,(?:\s*,)+/gu, ',')
    .replace(/\s+/gu, ' ')
    .replace(/^[\s,;:/|+&–—-]+|[\s,;:/|+&–—-]+$/gu, '');

/**
 * Splits the words of a folder's name into words that may be sent and parts that stay on this computer. Returns the parts
 * in the order of the name.
 */
export const splitPrivateWords = (words: string): { words: string; privateParts: PrivatePart[] } => {
  const found: (PrivatePart & { at: number })[] = [];
  let rest = words;
  for (const [kind, pattern] of patterns)
    rest = rest.replace(pattern, (text, ...groups) => {
      found.push({ kind, text: text.trim(), at: Number(groups.at(-2)) });
      // The replacement has the length of the part, so that later positions stay valid.
      return '\u0000'.repeat(text.length);
    });
  if (found.length === 0) return { words, privateParts: [] };
  const privateParts = found.sort((a, b) => a.at - b.at).map(({ kind, text }) => ({ kind, text }));
  return { words: tidyRest(rest.replaceAll('\u0000', ' ')), privateParts };
};

const placeholderPatterns = {
  title: '(?<title>.+?)',
  place: String.raw`(?<place>\S.{0,49}?)`,
  sku: String.raw`(?<sku>\S{1,50}?)`,
  cost: `(?<cost>${amount})`,
} as const;

const escapeForPattern = (text: string): string =>
  text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/gu, String.raw`\s+`);

/** Returns the expression for a pattern such as `{place} {title} {cost}`. Its other characters stand for themselves. */
const buildFolderExpression = (folderPattern: string): RegExp => {
  const parts = folderPattern.split(/\{(title|place|sku|cost)\}/);
  const isName = (part: string): part is keyof typeof placeholderPatterns => Object.hasOwn(placeholderPatterns, part);
  const sources = parts.map((part, at) =>
    at % 2 === 1 && isName(part) ? placeholderPatterns[part] : escapeForPattern(part),
  );
  return new RegExp(`^\\s*${sources.join('')}\\s*$`, 'u');
};

/** Splits a folder's name by the pattern of the person; null if the name does not fit the pattern. */
const splitByFolderPattern = (
  folderName: string,
  folderPattern: string,
): ReturnType<typeof splitPrivateWords> | null => {
  const groups = buildFolderExpression(folderPattern).exec(folderName)?.groups;
  if (groups === undefined) return null;
  const kinds = [...folderPattern.matchAll(/\{(place|sku|cost)\}/g)].map(([, kind]) => privateKind.parse(kind));
  return {
    words: groups['title']?.trim() ?? '',
    privateParts: kinds.map((kind) => ({ kind, text: groups[kind]?.trim() ?? '' })),
  };
};

/**
 * Splits the name of a folder of photos: by the pattern of the person, or by the words that the companion recognises if
 * there is no pattern or the name does not fit it. A folder whose whole name is private has no words and the name of its
 * first photo, which is shown but never sent as the note.
 */
export const splitFolderName = (
  folderName: string,
  firstPhoto: string | undefined,
  folderPattern = '',
): ReturnType<typeof splitPrivateWords> & { name: string } => {
  const byPattern = folderPattern === '' ? null : splitByFolderPattern(folderName, folderPattern);
  const split = byPattern ?? splitPrivateWords(folderName);
  return { ...split, name: split.words || removeFileExtension(firstPhoto ?? folderName) };
};

const currencyOfSign = new Map([
  ['€', 'EUR'],
  ['$', 'USD'],
  ['£', 'GBP'],
  ['¥', 'JPY'],
  ['zł', 'PLN'],
]);
/** Each of these signs is used by several currencies, so the currency of the person's site decides if it uses the sign. */
const currenciesOfSign = new Map([
  ['$', ['USD', 'CAD', 'AUD']],
  ['¥', ['JPY']],
]);

const amountParts = new RegExp(`(${currency})?\\s*(\\d{1,6})(?:[.,](\\d{1,2}))?(?:\\s*(${currency}))?$`, 'u');

/** Returns the amount in the currency of its sign, or else in `usual`; null if the currency or the amount is unknown. */
const readCost = (text: string, usual: string | null): Money | null => {
  const [, signBefore, whole = '', fraction = '', signAfter] = amountParts.exec(text) ?? [];
  const sign = signBefore ?? signAfter;
  const isUsual = usual !== null && currenciesOfSign.get(sign ?? '')?.includes(usual) === true;
  const code = sign === undefined || isUsual ? usual : (currencyOfSign.get(sign) ?? sign);
  if (code === null || whole === '') return null;
  return { minor: Number(whole) * 100 + Number(fraction.padEnd(2, '0')), currency: code };
};

const wordBefore = (words: readonly string[]): RegExp => new RegExp(`^(?:${ignoreCase(oneOf(words))})${between}?`, 'u');
const placeWordBefore = wordBefore(placeWords);
const skuWordBefore = wordBefore(skuWords);

/**
 * A bare number is stored with its word, because "box 12" and "shelf 12" are two places; "bin A02" is the place A02.
 */
const readPlace = (text: string): string => {
  const found = text.replace(placeWordBefore, '');
  return /\p{L}/u.test(found) ? found : text;
};

/**
 * Returns the shelf fields that the private parts of a folder's name say. `usualCurrency` is the currency of an amount
 * without a sign; null leaves such an amount out. Of two parts of a kind, the first one counts.
 */
export const readShelfFields = (
  parts: readonly PrivatePart[],
  usualCurrency: string | null,
): Pick<ShelfChanges, 'place' | 'sku' | 'cost'> => {
  const findText = (kind: PrivatePart['kind']): string | undefined => parts.find((part) => part.kind === kind)?.text;
  const [place, sku, cost] = [findText('place'), findText('sku'), findText('cost')];
  const read = shelfChanges.safeParse({
    ...(place !== undefined && { place: readPlace(place) }),
    ...(sku !== undefined && { sku: sku.replace(skuWordBefore, '') }),
    ...(cost !== undefined && { cost: readCost(cost, usualCurrency) }),
  });
  return read.success ? read.data : {};
};
