import { type Category, booksId, everythingElseId } from '../../market/taxonomy.ts';
import { chooseCategory, namesCategory } from './chooseCategory.ts';
import { parseDetails, type Details } from './details.ts';
import { findIdentifiers, type Identifier } from './identifiers.ts';
import { readPrintedText, sentenceCase, type PrintedText, type PrintedLine } from './printedText.ts';
import { fold } from '../plainText.ts';
import type { PhotoReading } from '../reading/photoReading.ts';
import { parseSellerText, setOfIn, type SellerText } from './sellerText.ts';

/** Everything that is known about an item, each from where it was read or said. */
export type Facts = {
  category: Category;
  identifiers: Identifier[];
  printed: PrintedText;
  seller: SellerText;
  details: Details;
  brand?: { name: string; sure: boolean };
  /** The work's own title, for books, music, films and games. */
  workTitle?: string;
  author?: string;
  /** How many pieces make up the one thing that is sold. */
  setOf?: number;
  /** What the packaging calls the thing: "Electric Kettle". */
  typeName?: string;
  /** The printed name that holds the model: "PowerShot SX740". */
  modelName?: string;
  /** English names, the main one first; said ones come before seen ones. */
  colours: string[];
  photoCount: number;
  /** How many photos are too blurred or too small to show anything. */
  poorPhotos: number;
};

/** Categories whose items carry a title of their own rather than a brand. */
export const titledCategories: ReadonlySet<string> = new Set([
  booksId,
  '1002',
  '1003',
  '1004',
  '1005',
  '1006',
  '5001',
  '5002',
]);

/** Works that somebody wrote or plays; a game's box names its publisher instead. */
const authored: ReadonlySet<string> = new Set([booksId, '1002', '1003', '6001']);

const coloursInPhotos = (readings: readonly PhotoReading[]): string[] => {
  const shares = new Map<string, number>();
  // The main photo counts double: later ones show backs, labels and boxes.
  const weights = readings.map((_, at) => (at === 0 ? 2 : 1));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  for (const [at, { colours }] of readings.entries())
    for (const { name, share } of colours)
      shares.set(name, (shares.get(name) ?? 0) + (share * (weights[at] ?? 1)) / whole);
  const sorted = [...shares].sort(
    ([oneName, one], [otherName, other]) => other - one || oneName.localeCompare(otherName),
  );
  const main = sorted[0]?.[1] ?? 0;
  return sorted
    .filter(([, share]) => share >= 0.25 && share >= main * 0.6)
    .map(([name]) => name)
    .slice(0, 2);
};

const generic =
  /\b(?:new|made in|original|premium|quality|product|warning|contents?|instructions?|wireless|bluetooth|limited|edition|series|collection|professional|deluxe|best|free|sale|fragile|this side up|ignore|instructions)\b/iu;

// A box shows its maker as one or two large words of their own; that is a guess, and is told as one.
const wordmark = ({ lines }: PrintedText): string | undefined => {
  const tallest = lines[0];
  const isMark = ({ text }: PrintedLine): boolean =>
    /^\p{Lu}[\p{L}&'’-]{2,}(?:\s\p{Lu}[\p{L}&'’-]+)?$/u.test(text) && !generic.test(text);
  return tallest && isMark(tallest) ? sentenceCase(tallest.text) : undefined;
};

const brandOf = (seller: SellerText, printed: PrintedText, category: Category): Facts['brand'] => {
  if (seller.brand) return { name: seller.brand, sure: true };
  if (printed.brand) return printed.brand;
  if (['5001', '5002'].includes(category.id) && printed.publisher) return { name: printed.publisher, sure: true };
  if (titledCategories.has(category.id) || category.id === everythingElseId) return undefined;
  const mark = wordmark(printed);
  return mark ? { name: mark, sure: false } : undefined;
};

const merged = (seller: Details, printed: Details): Details => ({
  ...printed,
  ...seller,
  colours: seller.colours.length > 0 ? seller.colours : printed.colours,
  materials: seller.materials.length > 0 ? seller.materials : printed.materials,
});

const upToNumber = (text: string): string => {
  const words = text.split(' ');
  const number = words.findIndex((word, at) => at > 0 && /\d/.test(word));
  return words.length > 4 && number > 0 ? words.slice(0, number).join(' ') : text;
};

const itemNames = ({ lines }: PrintedText, category: Category, model: string | undefined) => {
  const named = lines
    .map(({ text }) => sentenceCase(upToNumber(text)).replace(/,.*$/, ''))
    .filter((text) => text.split(' ').length <= 5 && namesCategory(text, category));
  // A line that ends in what the category is made of names the thing; others may tell only what it can do.
  const noun = fold(category.nouns.en).split(' ').at(-1) ?? '';
  const typeName = named.find((text) => fold(text).endsWith(noun)) ?? named[0];
  const modelName =
    model &&
    lines
      .map(({ text }) =>
        text.replace(/^(?:mod\p{L}*|item|art\p{L}*|ref|type|typ)\.?(?:\s?(?:no|nr|number)\.?)?[:\s]+/iu, ''),
      )
      .find((text) => text.includes(model) && text.split(' ').length <= 3);
  return { ...(typeName && { typeName }), ...(modelName && { modelName }) };
};

const isPoor = ({ width, height, sharpness }: PhotoReading): boolean => Math.min(width, height) < 200 || sharpness < 12;

/** Puts together what was read in the photos and what the person said. */
export const gatherFacts = (readings: readonly PhotoReading[], words: string): Facts => {
  const printed = readPrintedText(readings);
  const seller = parseSellerText(words);
  const barcodes = readings.flatMap((reading) => reading.barcodes);
  const identifiers = findIdentifiers(barcodes, `${printed.text}\n${seller.words}`);
  const category = chooseCategory({
    seller: seller.words,
    headline: seller.headline ?? '',
    printed: printed.text,
    heading: printed.heading ?? '',
    identifiers,
  });
  const details = merged(seller.details, parseDetails(printed.text));
  const brand = brandOf(seller, printed, category);
  const setOf = setOfIn(seller.words) ?? setOfIn(printed.text);
  const author = authored.has(category.id) ? (seller.author ?? printed.author) : undefined;
  const workTitle = titledCategories.has(category.id) ? (seller.workTitle ?? printed.heading) : undefined;
  return {
    category,
    identifiers,
    printed,
    seller,
    details,
    ...(brand && { brand }),
    ...(setOf && { setOf }),
    ...(workTitle && { workTitle }),
    ...(author && { author }),
    ...itemNames(printed, category, details.model),
    colours: details.colours.length > 0 ? details.colours : coloursInPhotos(readings),
    photoCount: readings.length,
    poorPhotos: readings.filter(isPoor).length,
  };
};
