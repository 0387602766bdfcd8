import { knownBrandIn } from './vocabulary.ts';
import { fold, tidy } from '../plainText.ts';
import type { PhotoReading, TextLine } from '../reading/photoReading.ts';

/** One line that was surely read on the item; `height` is its share of the photo's height. */
export type PrintedLine = { text: string; height: number; photo: number; top: number };

/** What is printed on the item, as far as it could be read. */
export type PrintedText = {
  /** Every sure line, tallest first. */
  lines: PrintedLine[];
  /** All of it as one text, in reading order. */
  text: string;
  /** The largest writing of the first photo that has any: what a cover or a box calls itself. */
  heading?: string;
  author?: string;
  publisher?: string;
  brand?: { name: string; sure: boolean };
};

const letters = (text: string): number => (text.match(/\p{L}/gu) ?? []).length;

// Short words are what a text reader finds in wood grain and fabric, so they have to be read more surely.
const isSureWord = ({ text, confidence }: TextLine['words'][number]): boolean =>
  confidence >= (letters(text) >= 4 ? 58 : 76) && /[\p{L}\p{N}&]/u.test(text);

const isReadable = (text: string): boolean => {
  const plain = text.replace(/\s/g, '');
  const meaningful = (plain.match(/[\p{L}\p{N}]/gu) ?? []).length;
  return meaningful >= 3 && meaningful / plain.length >= 0.72 && /[aeiouyäöüåæøéèàáóí\d]/iu.test(plain);
};

const cleaned = (line: TextLine): string =>
  tidy(
    line.words
      .filter(isSureWord)
      .map(({ text }) => text)
      .join(' '),
  ).replace(/^[^\p{L}\p{N}("“„«]+|[^\p{L}\p{N})"”“».!?®™+%]+$/gu, '');

// The tallest words stand for a line: a stray mark can make a line's own box far too tall.
const heightOf = (line: TextLine): number => {
  const heights = line.words
    .filter(isSureWord)
    .map(({ height }) => height)
    .sort((a, b) => a - b);
  return heights[heights.length >> 1] ?? line.height;
};

// A reader of sparse text gives words of one line apart from each other: those side by side are joined.
const joined = (lines: readonly TextLine[]): TextLine[] => {
  const rows: TextLine[] = [];
  for (const line of lines) {
    const middle = line.top + line.height / 2;
    const row = rows.find(
      ({ top, height }) => Math.abs(top + height / 2 - middle) < Math.min(height, line.height) * 0.45,
    );
    if (!row || Math.max(row.height, line.height) > 1.8 * Math.min(row.height, line.height)) rows.push({ ...line });
    else Object.assign(row, merge(row, line));
  }
  return rows;
};

const merge = (row: TextLine, line: TextLine): TextLine => {
  const [first, second] = row.left <= line.left ? [row, line] : [line, row];
  return {
    ...first,
    text: `${first.text} ${second.text}`,
    words: [...first.words, ...second.words],
    height: Math.max(row.height, line.height),
    top: Math.min(row.top, line.top),
  };
};

const sureLines = (reading: PhotoReading, photo: number): PrintedLine[] => {
  const lines = joined(reading.lines)
    .map((line) => ({ text: cleaned(line), height: heightOf(line), photo, top: line.top }))
    .filter(({ text }) => isReadable(text));
  // A photo with only a few letters in it shows texture, not writing.
  const amount = lines.reduce((sum, { text }) => sum + letters(text), 0);
  const longest = Math.max(0, ...lines.flatMap(({ text }) => text.split(' ').map(letters)));
  return amount >= 7 && longest >= 4 ? lines : lines.filter(({ text }) => knownBrandIn(text) !== undefined);
};

const withoutRepeats = (lines: readonly PrintedLine[]): PrintedLine[] => {
  const tallest = new Map<string, PrintedLine>();
  for (const line of lines) {
    const key = fold(line.text).replace(/[^\p{L}\p{N}]/gu, '');
    const known = tallest.get(key);
    if (!known) tallest.set(key, line);
  }
  return [...tallest.values()];
};

const authorLabel =
  /^(?:written\s+)?(?:by|von|par|di|de|av|door|autor:?|author:?|text(?:s|e)?\s+by)\s+(\p{Lu}[\p{L}.'’-]+(?:\s+(?:van|von|de|der|la|le|da|di|\p{Lu}[\p{L}.'’-]*)){1,4})$/iu;
const personName = /^\p{Lu}[\p{L}'’-]*\.?(?:\s+(?:van|von|de|der|la|le|da|di|\p{Lu}[\p{L}'’-]*\.?)){1,3}$/u;
const publisherMark =
  /\b(?:press|verlag|publish\w*|books|éditions|editions|editore|editorial|uitgeverij|wydawnictwo|förlag|publications|games|spiele|records)\b/iu;
const notAName =
  /\b(?:a novel|novel|roman|edition|book|volume|vol|the|and|of|with|new|your|isbn|bestseller|press|verlag|books|stories|edition|model|made|warning|contents?)\b/iu;

const small = /(?<=\s)(?:Of|And|The|In|On|To|A|An|For|With|Der|Die|Das|Und|Von|De|La|Le|Et|Di|Del|Van|Och)(?=\s)/gu;

/** Text in capitals as one would write it in a sentence: "THE HOUSE OF GLASS" → "The House of Glass". */
export const sentenceCase = (text: string): string =>
  /\p{Ll}/u.test(text) || !/\p{Lu}{4}/u.test(text)
    ? text
    : text
        .toLowerCase()
        .replace(/(^|[\s(“"'-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
        .replace(small, (word) => word.toLowerCase());

// Lines in capitals are put together before they are calmed, so that "THE LANTERN / OF VESSMOOR" reads as one.
const joinedTitle = (lines: readonly string[]): string =>
  lines.some((text) => /\p{Ll}/u.test(text))
    ? tidy(lines.map(sentenceCase).join(' '))
    : sentenceCase(tidy(lines.join(' ')));

const headingOf = (lines: readonly PrintedLine[]): { text: string; used: PrintedLine[] } | undefined => {
  const photo = Math.min(...lines.map((line) => line.photo));
  const own = lines.filter((line) => line.photo === photo && letters(line.text) >= 3);
  const tallest = own.reduce<PrintedLine | undefined>(
    (best, line) => (!best || line.height > best.height ? line : best),
    undefined,
  );
  if (!tallest) return undefined;
  const big = own.filter((line) => line.height >= tallest.height * 0.72 && !publisherMark.test(line.text));
  const at = big.indexOf(tallest);
  // Only lines that follow each other closely belong to one heading.
  const near = big.filter(
    (line, index) => Math.abs(index - at) <= 2 && Math.abs(line.top - tallest.top) < tallest.height * 5,
  );
  const used = withContinuation(near.length > 0 ? near : [tallest], own);
  return { text: joinedTitle(used.map(({ text }) => text)), used };
};

// "CASTLES" over a smaller "of the North": a line that begins in lower case goes on where the last one ended.
const withContinuation = (heading: PrintedLine[], lines: readonly PrintedLine[]): PrintedLine[] => {
  const last = heading.at(-1);
  const next = last && lines[lines.indexOf(last) + 1];
  const goesOn =
    last !== undefined &&
    next !== undefined &&
    /^(?:of|and|to|in|the|for|der|die|das|und|von|de|du|et|del|della|van|och|i)\s/iu.test(next.text) &&
    next.height >= last.height * 0.45 &&
    next.top - last.top < last.height * 3 &&
    next.text.split(' ').length <= 5;
  return goesOn ? [...heading, next] : heading;
};

const authorOf = (lines: readonly PrintedLine[], heading: readonly PrintedLine[]): string | undefined => {
  const labelled = lines.map(({ text }) => authorLabel.exec(text)?.[1]).find(Boolean);
  if (labelled) return sentenceCase(labelled);
  const cover = heading[0]?.photo;
  const tall = (heading[0]?.height ?? 0) * 0.3;
  const names = lines.filter(
    (line) =>
      line.photo === cover &&
      !heading.includes(line) &&
      line.height >= tall &&
      personName.test(line.text) &&
      !notAName.test(line.text),
  );
  const name = names.sort((one, other) => other.height - one.height)[0]?.text;
  return name ? sentenceCase(name) : undefined;
};

const labelledBrand = /(?<!\p{L})(?:brand|marke|marque|marca|merk|marka|märke)\s*[:=]\s*([^,.;\n|<>{}]{2,40})/iu;
const markedBrand = /([\p{L}][\p{L}&'’-]*(?:\s\p{Lu}[\p{L}'’-]*)?)\s?[®™]/u;
const maker =
  /(?:made|manufactured|hergestellt|fabriqué|prodotto|fabricado)\s+(?:by|von|par|da|por)\s+(\p{Lu}[\p{L}&'’-]*(?:\s\p{Lu}[\p{L}&'’-]*)?)/iu;

/** A brand that a text states in so many words. */
export const statedBrandIn = (text: string): string | undefined => {
  const stated = labelledBrand.exec(text)?.[1];
  return stated ? tidy(stated) : undefined;
};

const brandOf = (lines: readonly PrintedLine[], text: string): PrintedText['brand'] => {
  const stated = statedBrandIn(text) ?? markedBrand.exec(text)?.[1] ?? maker.exec(text)?.[1];
  const known = lines.map((line) => knownBrandIn(line.text)).find(Boolean);
  if (known) return { name: known, sure: true };
  return stated ? { name: sentenceCase(tidy(stated)), sure: true } : undefined;
};

/** What is printed on the item: sure lines of all photos, and what they call the thing. */
export const readPrintedText = (readings: readonly PhotoReading[]): PrintedText => {
  const inOrder = withoutRepeats(readings.flatMap(sureLines));
  const text = inOrder.map((line) => line.text).join('\n');
  const heading = inOrder.length > 0 ? headingOf(inOrder) : undefined;
  const author = heading && authorOf(inOrder, heading.used);
  const publisher = inOrder.find((line) => publisherMark.test(line.text) && line.text.split(' ').length <= 4)?.text;
  const brand = brandOf(inOrder, text);
  return {
    lines: [...inOrder].sort((one, other) => other.height - one.height),
    text,
    ...(heading && { heading: sentenceCase(heading.text) }),
    ...(author && { author }),
    ...(publisher && { publisher: sentenceCase(publisher) }),
    ...(brand && { brand }),
  };
};
