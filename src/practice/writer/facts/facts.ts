import { findSiteById, type Site } from '../../market/sites.ts';
import { type Category, booksId, everythingElseId } from '../../market/taxonomy.ts';
import { chooseCategory, mentionsCategory } from './chooseCategory.ts';
import { parseDetails, type Details } from './details.ts';
import { listIdentifiers } from './identifiers.ts';
import { collectPrintedText, toTitleCase, type PrintedText } from './printedText.ts';
import { foldCase } from '../plainText.ts';
import type { PhotoReading } from '../reading/photoReading.ts';
import type { WritingInput } from '../writer.ts';
import { wordPatterns } from './vocabulary.ts';
import { parseSellerText, findSetSize, type SellerText } from './sellerText.ts';

export type Facts = ReturnType<typeof collectFacts>;
type Brand = { name: string; sure: boolean } | undefined;

const gameIds = ['5001', '5002'];
const mediaIds = [booksId, '1002', '1003', '1004', '1005', '1006'];

/** Items of these categories have a title instead of a brand. */
export const titledCategories: ReadonlySet<string> = new Set([...mediaIds, ...gameIds]);

const authoredCategories = [booksId, '1002', '1003', '6001'];

/** The first photo counts double, because later photos show backs and labels. */
const listPhotoColours = (readings: readonly PhotoReading[]): string[] => {
  const shares: Record<string, number> = {};
  for (const { name, share } of [...readings.slice(0, 1), ...readings].flatMap(({ colours }) => colours))
    shares[name] = (shares[name] ?? 0) + share / (readings.length + 1);
  const sorted = Object.entries(shares).sort(([nameA, a], [nameB, b]) => b - a || nameA.localeCompare(nameB));
  const [, main = 0] = sorted[0] ?? [];
  const large = sorted.filter(([, share]) => share >= Math.max(0.25, main * 0.6));
  return large.slice(0, 2).map(([name]) => name);
};

const oneOrTwoNames = /^\p{Lu}[\p{L}&'’-]{2,}(?:\s\p{Lu}[\p{L}&'’-]+)?$/u;

/** If the largest text on a box has only one or two words, it is often the brand. */
const guessBrand = ({ lines: [tallest] }: PrintedText): Brand =>
  tallest && oneOrTwoNames.test(tallest.text) && !wordPatterns.noBrand.test(tallest.text)
    ? { name: toTitleCase(tallest.text), sure: false }
    : undefined;

const findBrand = (seller: SellerText, printed: PrintedText, { id }: Category): Brand => {
  if (seller.brand) return { name: seller.brand, sure: true };
  if (printed.brand) return printed.brand;
  if (gameIds.includes(id) && printed.publisher) return { name: printed.publisher, sure: true };
  return titledCategories.has(id) || id === everythingElseId ? undefined : guessBrand(printed);
};

const mergeDetails = (seller: Details, printed: Details): Details => ({
  ...printed,
  ...seller,
  colours: seller.colours.length > 0 ? seller.colours : printed.colours,
  materials: seller.materials.length > 0 ? seller.materials : printed.materials,
});

const truncateAtNumber = (text: string): string => {
  const words = text.split(' ');
  const number = words.findIndex((word, at) => at > 0 && /\d/.test(word));
  return words.length > 4 && number > 0 ? words.slice(0, number).join(' ') : text;
};

/** Prefers a line that ends in the category's noun. */
const findTypeName = ({ lines }: PrintedText, category: Category): string | undefined => {
  const named = lines
    .map(({ text }) => toTitleCase(truncateAtNumber(text)).replace(/,.*$/, ''))
    .filter((text) => text.split(' ').length <= 5 && mentionsCategory(text, category));
  const noun = foldCase(category.nouns.en).split(' ').at(-1) ?? '';
  return named.find((text) => foldCase(text).endsWith(noun)) ?? named[0];
};

const findLineWithModel = ({ lines }: PrintedText, model: string | undefined): string | undefined =>
  model &&
  lines
    .map(({ text }) => text.replace(wordPatterns.modelLabel, ''))
    .find((text) => text.includes(model) && text.split(' ').length <= 3);

const collectFacts = (readings: readonly PhotoReading[], words: string) => {
  const printed = collectPrintedText(readings);
  const seller = parseSellerText(words);
  const barcodes = readings.flatMap((reading) => reading.barcodes);
  const identifiers = listIdentifiers(barcodes, `${printed.text}\n${seller.words}`);
  const category = chooseCategory({
    seller: seller.words,
    headline: seller.headline ?? '',
    printed: printed.text,
    heading: printed.heading ?? '',
    identifiers,
  });
  const details = mergeDetails(seller.details, parseDetails(printed.text));
  return {
    ...{ category, identifiers, printed, seller, details },
    brand: findBrand(seller, printed, category),
    workTitle: titledCategories.has(category.id) ? (seller.workTitle ?? printed.heading) : undefined,
    author: authoredCategories.includes(category.id) ? (seller.author ?? printed.author) : undefined,
    /** The number of pieces that are sold as one set. */
    setOf: findSetSize(seller.words) ?? findSetSize(printed.text),
    typeName: findTypeName(printed, category),
    modelName: findLineWithModel(printed, details.model),
    /** English names, the main colour first. */
    colours: details.colours.length > 0 ? details.colours : listPhotoColours(readings),
  };
};

export type WritingTask = { facts: Facts; site: Site; language: string; quantity: number };

/** Collects the facts from the photos and the seller's words. An unknown site gets the rules of the US site. */
export const createWritingTask = (
  readings: readonly PhotoReading[],
  { words, marketplaceId, language, quantity }: Omit<WritingInput, 'photos'>,
): WritingTask => {
  const site = findSiteById(marketplaceId) ?? findSiteById('MKT_US');
  if (!site) throw new Error('The practice marketplace has no sites.');
  return { facts: collectFacts(readings, words), site, language, quantity };
};
