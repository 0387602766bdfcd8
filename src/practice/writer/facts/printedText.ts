import { findKnownBrand, wordPatterns } from './vocabulary.ts';
import { foldCase, normaliseSpaces } from '../plainText.ts';
import type { PhotoReading, TextLine } from '../reading/photoReading.ts';

/** `height` and `top` are fractions of the photo's height. */
export type PrintedLine = { text: string; height: number; photo: number; top: number };

const countLetters = (text: string): number => (text.match(/\p{L}/gu) ?? []).length;

/** Short words need more confidence, because the text reader finds them in wood grain and fabric. */
const isReliableWord = ({ text, confidence }: TextLine['words'][number]): boolean =>
  confidence >= (countLetters(text) >= 4 ? 58 : 76) && /[\p{L}\p{N}&]/u.test(text);

const isReadableText = (text: string): boolean => {
  const plain = text.replace(/\s/g, '');
  const meaningful = (plain.match(/[\p{L}\p{N}]/gu) ?? []).length;
  return meaningful >= 3 && meaningful / plain.length >= 0.72 && /[aeiouyäöüåæøéèàáóí\d]/iu.test(plain);
};

const isBesideLine = (row: TextLine, line: TextLine): boolean =>
  Math.abs(row.top + row.height / 2 - (line.top + line.height / 2)) < Math.min(row.height, line.height) * 0.45;

/** Joins lines that are side by side in one row, because the text reader returns widely spaced words as separate lines. */
const joinLinesInRows = (lines: readonly TextLine[]): TextLine[] =>
  lines.reduce<TextLine[]>((rows, line) => {
    const row = rows.find((each) => isBesideLine(each, line));
    const height = Math.max(row?.height ?? 0, line.height);
    if (!row || height > 1.8 * Math.min(row.height, line.height)) return [...rows, line];
    const [first, second] = row.left <= line.left ? [row, line] : [line, row];
    const joined = { ...first, words: [...first.words, ...second.words], height, top: Math.min(row.top, line.top) };
    return rows.map((each) => (each === row ? joined : each));
  }, []);

const toPrintedLine = (line: TextLine, photo: number): PrintedLine => {
  const words = line.words.filter(isReliableWord);
  const heights = words.map(({ height }) => height).sort((a, b) => a - b);
  const text = normaliseSpaces(words.map((word) => word.text).join(' '));
  return {
    text: text.replace(/^[^\p{L}\p{N}("“„«]+|[^\p{L}\p{N})"”“».!?®™+%]+$/gu, ''),
    // Use the median height of the words, because a stray mark can make the box of the line too tall.
    height: heights[heights.length >> 1] ?? line.height,
    photo,
    top: line.top,
  };
};

const listReliableLines = (reading: PhotoReading, photo: number): PrintedLine[] => {
  const lines = joinLinesInRows(reading.lines)
    .map((line) => toPrintedLine(line, photo))
    .filter(({ text }) => isReadableText(text));
  // If the reader finds only a few letters in a photo, they are probably texture and not text.
  const amount = lines.reduce((sum, { text }) => sum + countLetters(text), 0);
  const longest = Math.max(0, ...lines.flatMap(({ text }) => text.split(' ').map(countLetters)));
  return amount >= 7 && longest >= 4 ? lines : lines.filter(({ text }) => findKnownBrand(text) !== undefined);
};

const removeRepeatedLines = (lines: readonly PrintedLine[]): PrintedLine[] => {
  const keys = lines.map(({ text }) => foldCase(text).replace(/[^\p{L}\p{N}]/gu, ''));
  return lines.filter((_line, at) => keys.indexOf(keys[at] ?? '') === at);
};

const personName = /^\p{Lu}[\p{L}'’-]*\.?(?:\s+(?:van|von|de|der|la|le|da|di|\p{Lu}[\p{L}'’-]*\.?)){1,3}$/u;
const smallWords =
  /(?<=\s)(?:Of|And|The|In|On|To|A|An|For|With|Der|Die|Das|Und|Von|De|La|Le|Et|Di|Del|Van|Och)(?=\s)/gu;

/** Changes capitals to title case: "THE HOUSE OF GLASS" → "The House of Glass". */
export const toTitleCase = (text: string): string =>
  /\p{Ll}/u.test(text) || !/\p{Lu}{4}/u.test(text)
    ? text
    : text
        .toLowerCase()
        .replace(/(^|[\s(“"'-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
        .replace(smallWords, (word) => word.toLowerCase());

/** Joins lines before their case changes, so that "THE LANTERN" and "OF VESSMOOR" become one title. */
const joinTitleLines = (lines: readonly string[]): string => {
  const hasLowerCase = lines.some((text) => /\p{Ll}/u.test(text));
  return toTitleCase(normaliseSpaces((hasLowerCase ? lines.map(toTitleCase) : lines).join(' ')));
};

/** A smaller line can continue the heading: "CASTLES" above "of the North". */
const continuesHeading = (next: PrintedLine, last: PrintedLine): boolean =>
  wordPatterns.link.test(next.text) &&
  next.height >= last.height * 0.45 &&
  next.top - last.top < last.height * 3 &&
  next.text.split(' ').length <= 5;

const listHeadingLines = (lines: readonly PrintedLine[]): PrintedLine[] => {
  const own = lines.filter((line) => line.photo === lines[0]?.photo && countLetters(line.text) >= 3);
  const [tallest] = own.toSorted((first, second) => second.height - first.height);
  if (!tallest) return [];
  const big = own.filter((line) => line.height >= tallest.height * 0.72 && !wordPatterns.publisher.test(line.text));
  const at = big.indexOf(tallest);
  const near = big.filter(
    (line, index) => Math.abs(index - at) <= 2 && Math.abs(line.top - tallest.top) < tallest.height * 5,
  );
  const heading = near.length > 0 ? near : [tallest];
  const last = heading.at(-1) ?? tallest;
  const next = own[own.indexOf(last) + 1];
  return next && continuesHeading(next, last) ? [...heading, next] : heading;
};

const findAuthor = (lines: readonly PrintedLine[], heading: readonly PrintedLine[]): string | undefined => {
  const [first] = heading;
  if (!first) return undefined;
  const labelled = lines.map(({ text }) => wordPatterns.printedAuthor.exec(text)?.[1]).find(Boolean);
  const isAuthorName = (line: PrintedLine): boolean =>
    line.photo === first.photo &&
    !heading.includes(line) &&
    line.height >= first.height * 0.3 &&
    personName.test(line.text) &&
    !wordPatterns.noPerson.test(line.text);
  const [tallest] = lines.filter(isAuthorName).sort((one, other) => other.height - one.height);
  return labelled ?? tallest?.text;
};

const markedBrand = /([\p{L}][\p{L}&'’-]*(?:\s\p{Lu}[\p{L}'’-]*)?)\s?[®™]/u;

/** Returns the brand after a label such as "Brand:". */
export const findLabelledBrand = (text: string): string | undefined => {
  const stated = wordPatterns.brand.exec(text)?.[1];
  return stated && normaliseSpaces(stated);
};

const findBrand = (lines: readonly PrintedLine[], text: string): { name: string; sure: boolean } | undefined => {
  const known = lines.map((line) => findKnownBrand(line.text)).find(Boolean);
  const stated = findLabelledBrand(text) ?? markedBrand.exec(text)?.[1] ?? wordPatterns.maker.exec(text)?.[1];
  const name = known ?? (stated && toTitleCase(normaliseSpaces(stated)));
  return name ? { name, sure: true } : undefined;
};

/** Collects the printed text of all photos. */
export const collectPrintedText = (readings: readonly PhotoReading[]) => {
  const lines = removeRepeatedLines(readings.flatMap(listReliableLines));
  const text = lines.map((line) => line.text).join('\n');
  const heading = listHeadingLines(lines);
  const author = findAuthor(lines, heading);
  const publisher = lines.find(
    (line) => wordPatterns.publisher.test(line.text) && line.text.split(' ').length <= 4,
  )?.text;
  return {
    lines: lines.toSorted((first, second) => second.height - first.height),
    text,
    /** The largest text of the first photo with text. On a cover or a box it is usually the name. */
    heading: joinTitleLines(heading.map((line) => line.text)) || undefined,
    author: author && toTitleCase(author),
    publisher: publisher && toTitleCase(publisher),
    brand: findBrand(lines, text),
  };
};

export type PrintedText = ReturnType<typeof collectPrintedText>;
