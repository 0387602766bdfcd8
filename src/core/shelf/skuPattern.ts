import { isCheckDigitValid } from '../../text/checkDigit.ts';
import { toShelfKey } from '../base/shelfFields.ts';

const maxSkuLength = 50;

/** An SKU without its counter: the text before and after it. */
export type SkuFrame = { before: string; after: string; counter: 'number' | 'letter'; width: number };

/** `at` is in ms since 1970; the date is that of this computer. */
export type SkuFacts = { place: string | null; at: number };

const counterPattern = /\{(?:n(?::(\d))?|letter)\}/;

/** Returns the frame of the next SKU; null if the pattern needs a place and the item has none. */
export const buildSkuFrame = (pattern: string, { place, at }: SkuFacts): SkuFrame | null => {
  const found = counterPattern.exec(pattern);
  if (found === null || (pattern.includes('{place}') && place === null)) return null;
  const day = new Date(at);
  const formatTwoDigits = (value: number): string => String(value % 100).padStart(2, '0');
  const fill = (text: string): string =>
    text
      .replaceAll('{YY}', formatTwoDigits(day.getFullYear()))
      .replaceAll('{MM}', formatTwoDigits(day.getMonth() + 1))
      .replaceAll('{place}', () => place ?? '');
  return {
    before: fill(pattern.slice(0, found.index)),
    after: fill(pattern.slice(found.index + found[0].length)),
    counter: found[0] === '{letter}' ? 'letter' : 'number',
    width: Number(found[1] ?? 1),
  };
};

/** Returns the key of a frame. All SKUs with the same key share one counter, regardless of the width of the number. */
export const getSkuFrameKey = ({ before, after, counter }: SkuFrame): string =>
  `${toShelfKey(before)}{${counter}}${toShelfKey(after)}`;

/** 1 is A, 26 is Z, 27 is AA. */
const formatLetters = (number: number): string => {
  const rest = Math.floor((number - 1) / 26);
  return `${rest > 0 ? formatLetters(rest) : ''}${String.fromCodePoint(65 + ((number - 1) % 26))}`;
};

const readLetters = (letters: string): number =>
  [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + (letter.codePointAt(0) ?? 0) - 64, 0);

/** Returns the SKU with this number, which begins at 1; null if it would be longer than an SKU can be. */
export const formatSku = ({ before, after, counter, width }: SkuFrame, number: number): string | null => {
  const counted = counter === 'letter' ? formatLetters(number) : String(number).padStart(width, '0');
  const sku = `${before}${counted}${after}`;
  return sku.length > maxSkuLength ? null : sku;
};

/** Returns the number of an SKU of this frame; null if the SKU does not fit the frame. Ignores case. */
export const readSkuNumber = ({ before, after, counter }: SkuFrame, sku: string): number | null => {
  const [key, start, end] = [sku, before, after].map(toShelfKey) as [string, string, string];
  if (!key.startsWith(start) || !key.endsWith(end) || key.length <= start.length + end.length) return null;
  const counted = key.slice(start.length, key.length - end.length);
  if (counter === 'letter') return /^[a-z]{1,4}$/.test(counted) ? readLetters(counted) : null;
  return /^\d{1,9}$/.test(counted) ? Number(counted) : null;
};

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** A label is rarely older than this, and a serial number that looks like a month is rarely that recent. */
const maxLabelYears = 10;

const listRecentYears = (at: number): string =>
  Array.from({ length: maxLabelYears }, (_, ago) =>
    String((new Date(at).getFullYear() - ago) % 100).padStart(2, '0'),
  ).join('|');

/** Returns the expression of all SKUs of a pattern. `place` is the expression of the place. */
const buildSkuExpression = (pattern: string, place: string, at: number): RegExp => {
  const parts = pattern.split(/(\{[^{}]*\})/).map((part) => {
    if (part === '{place}') return `(?:${place})`;
    if (part === '{YY}') return `(?:${listRecentYears(at)})`;
    if (part === '{MM}') return '(?:0[1-9]|1[0-2])';
    if (part === '{letter}') return '[a-z]{1,2}';
    const [, width] = counterPattern.exec(part) ?? [];
    if (width !== undefined) return String.raw`\d{${width},9}`;
    return part === '{n}' ? String.raw`[1-9]\d{0,5}` : escapePattern(part);
  });
  return new RegExp(`^${parts.join('')}$`, 'iu');
};

/** What the companion knows about SKUs and places. Both ignore case. */
export type KnownSkus = { isSku: (sku: string) => boolean; isPlace: (place: string) => boolean; at: number };

const listSubstrings = (text: string): string[] => {
  const starts = [...text].map((_, at) => at);
  return starts.flatMap((from) => starts.slice(from).map((last) => text.slice(from, last + 1)));
};

/** The place must be known, because many model and serial numbers look like a place with a number. */
const matchesSkuPattern = (text: string, pattern: string, { isPlace, at }: KnownSkus): boolean => {
  if (!buildSkuExpression(pattern, '.+', at).test(text)) return false;
  if (!pattern.includes('{place}')) return true;
  return [...new Set(listSubstrings(text))].some(
    (place) => buildSkuExpression(pattern, escapePattern(place), at).test(text) && isPlace(place),
  );
};

const webAddress = /:\/\/|^www\./i;

/** Returns whether a text is a UPC, EAN, ISBN or GTIN with its check digit. */
const isProductCode = (text: string): boolean => {
  const digits = /^97[89][\d -]+$/.test(text) ? text.replace(/[ -]/g, '') : text;
  return /^\d{12,14}$/.test(digits) && isCheckDigitValid(digits);
};

/** A photo of several labels, or of codes that are not compared with the shelf, is as private as that of one label. */
export const severalLabels = '';

/** A product code and a web address are on the product and never an SKU of a label. */
const isPossibleSku = (text: string): boolean => !isProductCode(text) && !webAddress.test(text);

/** Returns `severalLabels` if a code could be that of any label, whether or not its SKU is known; otherwise null. */
export const findPossibleLabel = (texts: readonly string[]): string | null =>
  texts.some(isPossibleSku) ? severalLabels : null;

/**
 * Returns the SKU of the label that a photo shows, `severalLabels` for several SKUs, or null for none. `texts` are those
 * of its codes.
 */
export const findLabelSku = (texts: readonly string[], pattern: string, known: KnownSkus): string | null => {
  const [sku, ...others] = texts.filter(
    (text) => isPossibleSku(text) && (known.isSku(text) || matchesSkuPattern(text, pattern, known)),
  );
  if (sku === undefined) return null;
  return others.length === 0 ? sku : severalLabels;
};
