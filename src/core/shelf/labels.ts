import bwipjs from 'bwip-js/generic';
import { create as createFont } from 'fontkit';
import { buffer as readBytes } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import { locateLabel, type LabelSheet } from '../../contract/labelSheets.ts';

export type Label = { sku: string | null; place: string | null; title: string | null };
export type LabelFonts = { regular: Uint8Array; bold: Uint8Array };
type FontName = keyof LabelFonts;

/** All lengths are in millimetres, from the top left corner of the label. */
type Box = { x: number; y: number; width: number; height: number };
/** `baseline` is the distance from the top of the label. */
export type LabelLine = Box & { text: string; font: FontName; size: number; baseline: number };
/** `runs` are the dark modules of each row, in modules from the top left corner. */
export type QrCode = { modules: number; runs: { x: number; y: number; length: number }[] };
export type LabelLayout = { width: number; height: number; qr: (Box & QrCode) | null; lines: LabelLine[] };

/**
 * The mask pattern of each QR code. Without it, the library would compute and compare all eight patterns, which takes
 * three times as long.
 */
const mask = 3;

const createQrCode = (text: string): QrCode => {
  const options = { bcid: 'qrcode', text, eclevel: 'M', mask };
  const [code] = bwipjs.raw(options);
  if (code === undefined || !('pixs' in code)) throw new Error('The library drew no code.');
  const { pixs, pixx: modules } = code;
  const rows = Array.from({ length: modules }, (_, y) => pixs.slice(y * modules, (y + 1) * modules).join(''));
  const findRuns = (row: string, y: number) =>
    Array.from(row.matchAll(/1+/g), ({ index, 0: { length } }) => ({ x: index, y, length }));
  return { modules, runs: rows.flatMap(findRuns) };
};

/** `ascent` and `descent` are parts of the font size. */
type Typeface = {
  ascent: number;
  descent: number;
  has: (codePoint: number) => boolean;
  /** Returns the width of a text at the font size 1. */
  measure: (text: string) => number;
};
type Typefaces = Readonly<Record<FontName, Typeface>>;

const openTypeface = (bytes: Uint8Array): Typeface => {
  const font = createFont(Buffer.from(bytes));
  if (!('unitsPerEm' in font)) throw new Error('The file contains several fonts.');
  const widths = new Map<string, number>();
  const measureWord = (word: string): number => {
    const width = widths.get(word) ?? font.layout(word).advanceWidth / font.unitsPerEm;
    widths.set(word, width);
    return width;
  };
  return {
    ascent: font.ascent / font.unitsPerEm,
    descent: -font.descent / font.unitsPerEm,
    has: (codePoint) => font.hasGlyphForCodePoint(codePoint),
    measure: (text) => text.split(/(?= )/).reduce((sum, word) => sum + measureWord(word), 0),
  };
};

export const openTypefaces = ({ regular, bold }: LabelFonts): Typefaces => ({
  regular: openTypeface(regular),
  bold: openTypeface(bold),
});

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const splitGraphemes = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment);

/** Replaces a character of an SKU or a place that the fonts lack. The code contains the whole SKU. */
const substitute = '\uFFFD';

const tidySpaces = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

const createPrintableText = (text: string, { has }: Typeface, replacement = substitute): string =>
  splitGraphemes(tidySpaces(text.normalize('NFC')))
    .map((grapheme) =>
      [...grapheme].every((character) => has(character.codePointAt(0) ?? 0)) ? grapheme : replacement,
    )
    .join('');

/**
 * Returns the part of a title that the font has, without Chinese characters or emoji for example; null if no letter or
 * digit remains.
 */
const createPrintableTitle = (title: string, face: Typeface): string | null => {
  const printable = tidySpaces(createPrintableText(title, face, ''));
  return /[\p{L}\p{N}]/u.test(printable) ? printable : null;
};

const ellipsis = '…';

type Wrapped = { lines: string[]; isWhole: boolean };
type FitsLine = (text: string) => boolean;

/** Returns the number of graphemes that fit, which is at least one. */
const countFitting = (graphemes: readonly string[], fits: FitsLine): number => {
  let [low, high] = [1, graphemes.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(graphemes.slice(0, middle).join(''))) low = middle;
    else high = middle - 1;
  }
  return low;
};

const cutLine = (text: string, fits: FitsLine): string => {
  const graphemes = splitGraphemes(text);
  const kept = countFitting(graphemes, (start) => fits(`${start.trimEnd()}${ellipsis}`));
  return `${graphemes.slice(0, kept).join('').trimEnd()}${ellipsis}`;
};

/** Splits the first line off. A line ends after a word, or inside a word that is longer than a line. */
const splitFirstLine = (text: string, fits: FitsLine): [line: string, rest: string] => {
  const fitting = splitGraphemes(text)
    .slice(0, countFitting(splitGraphemes(text), fits))
    .join('');
  const lastSpace = text.startsWith(' ', fitting.length) ? fitting.length : fitting.lastIndexOf(' ');
  const end = lastSpace > 0 ? lastSpace : fitting.length;
  return [text.slice(0, end), text.slice(end).trimStart()];
};

const wrapText = (text: string, fits: FitsLine, maxLines: number): Wrapped => {
  if (fits(text)) return { lines: [text], isWhole: true };
  if (maxLines === 1) return { lines: [cutLine(text, fits)], isWhole: false };
  const [line, rest] = splitFirstLine(text, fits);
  const { lines, isWhole } = wrapText(rest, fits, maxLines - 1);
  return { lines: [line, ...lines], isWhole };
};

/**
 * A text of a label. Sizes are relative to the unit of the label. `scales` are tried in order, each with its number of
 * lines.
 */
type Part = {
  text: string;
  font: FontName;
  size: number;
  scales: readonly (readonly [scale: number, lines: number])[];
};

const largeScales = [1, 0.85, 0.7, 0.55].map((scale) => [scale, 1] as const);
const largePart = { font: 'bold', size: 1.7, scales: [...largeScales, [0.5, 2]] } as const;
const placePart = { font: 'bold', size: 1.1, scales: largeScales.slice(0, 2) } as const;
const titlePart = { font: 'regular', size: 0.9 } as const;
const lineHeight = 1.18;
const maxUnitMm = 6;
/** A title with smaller letters than this gets one line instead of two. */
const minTwoLineUnitMm = 1.9;
/** The other texts are never larger than this part of the SKU. */
const maxShareOfSku = 0.8;

const listParts = ({ sku, place, title }: Label, titleLines: number): Part[] =>
  [
    { text: sku ?? '', ...largePart },
    { text: place ?? '', ...(sku === null ? largePart : placePart) },
    { text: title ?? '', ...titlePart, scales: [[1, titleLines]] as const },
  ].filter(({ text }) => text.trim() !== '');

/** Returns the unit with which all parts fill the height. */
const computeUnit = (parts: readonly Part[], height: number): number =>
  Math.min(
    maxUnitMm,
    height /
      parts.reduce(
        (sum, { size, font, scales }) => sum + size * lineHeight * (font === 'regular' ? (scales[0]?.[1] ?? 1) : 1),
        0,
      ),
  );

type FittedPart = { font: FontName; size: number; lines: string[] };

const fitPart = ({ text, font, size, scales }: Part, face: Typeface, width: number, maxSize: number): FittedPart => {
  const printable = createPrintableText(text, face);
  const fitted = (scale: number, maxLines: number): Wrapped & FittedPart => {
    const sizeMm = Math.min(size * scale, maxSize);
    return { font, size: sizeMm, ...wrapText(printable, (line) => face.measure(line) * sizeMm <= width, maxLines) };
  };
  const [last = [1, 1]] = scales.slice(-1);
  const enough = scales.find(([scale, maxLines]) => fitted(scale, maxLines).isWhole) ?? last;
  return fitted(...enough);
};

const fitParts = ({ title, ...named }: Label, faces: Typefaces, { width, height }: Box): FittedPart[] => {
  const label = { ...named, title: title === null ? null : createPrintableTitle(title, faces.regular) };
  const twoLines = listParts(label, 2);
  const parts = computeUnit(twoLines, height) < minTwoLineUnitMm ? listParts(label, 1) : twoLines;
  const unit = computeUnit(parts, height);
  const fitted: FittedPart[] = [];
  for (const part of parts) {
    const maxSize = fitted[0] === undefined ? Infinity : fitted[0].size * maxShareOfSku;
    fitted.push(fitPart({ ...part, size: part.size * unit }, faces[part.font], width, maxSize));
  }
  return fitted;
};

/** Stacks the lines in the middle of the height. */
const stackLines = (parts: readonly FittedPart[], faces: Typefaces, box: Box): LabelLine[] => {
  const all = parts.flatMap(({ font, size, lines }) => lines.map((text) => ({ text, font, size })));
  let top = box.y + (box.height - all.reduce((sum, { size }) => sum + size * lineHeight, 0)) / 2;
  return all.map(({ text, font, size }) => {
    const { ascent, descent, measure } = faces[font];
    const y = top + ((lineHeight - ascent - descent) * size) / 2;
    top += lineHeight * size;
    const width = measure(text) * size;
    return { text, font, size, x: box.x, y, width, height: (ascent + descent) * size, baseline: y + ascent * size };
  });
};

/** The light border that a reader needs around a code, in modules. */
const quietModules = 4;
const maxCodeWidthShare = 0.4;
const maxCodeHeightShare = 0.55;

/** The code is beside the texts, or above them on a label that is higher than wide. */
const placeCode = ({ modules, runs }: QrCode, inner: Box): { qr: Box & QrCode; rest: Box } => {
  const isHigh = inner.height > inner.width;
  const side = isHigh
    ? Math.min(inner.width, inner.height * maxCodeHeightShare)
    : Math.min(inner.height, inner.width * maxCodeWidthShare);
  const taken = side * (1 + quietModules / modules);
  const qr = { x: inner.x, y: inner.y + (isHigh ? 0 : (inner.height - side) / 2), width: side, height: side };
  return {
    qr: { ...qr, modules, runs },
    rest: isHigh
      ? { ...inner, y: inner.y + taken, height: inner.height - taken }
      : { ...inner, x: inner.x + taken, width: inner.width - taken },
  };
};

/** Computes where the code and the texts of a label are. No text overlaps another text or the code, or leaves the label. */
export const layOutLabel = (label: Label, { width, height }: LabelSheet['label'], faces: Typefaces): LabelLayout => {
  const padding = Math.min(4, Math.max(1, Math.min(width, height) * 0.08));
  const inner = { x: padding, y: padding, width: width - 2 * padding, height: height - 2 * padding };
  const code = label.sku === null ? null : placeCode(createQrCode(label.sku), inner);
  const rest = code?.rest ?? inner;
  return { width, height, qr: code?.qr ?? null, lines: stackLines(fitParts(label, faces, rest), faces, rest) };
};

const pointsPerMm = 72 / 25.4;

const toPoints = ([x, y]: [x: number, y: number]): [number, number] => [x * pointsPerMm, y * pointsPerMm];

const drawLabel = (document: PDFKit.PDFDocument, { qr, lines }: LabelLayout, left: number, top: number): void => {
  if (qr !== null) {
    const scale = qr.width / qr.modules;
    for (const { x, y, length } of qr.runs)
      document.rect(
        ...toPoints([left + qr.x + x * scale, top + qr.y + y * scale]),
        ...toPoints([length * scale, scale]),
      );
    document.fill('black');
  }
  for (const { text, font, size, x, baseline } of lines)
    document
      .font(font)
      .fontSize(size * pointsPerMm)
      .text(text, ...toPoints([left + x, top + baseline]), {
        baseline: 'alphabetic',
        lineBreak: false,
      });
};

/** `startAt` is the number of labels that are already missing from the first sheet. */
export type LabelJob = { labels: readonly Label[]; sheet: LabelSheet; startAt: number };

export const createLabelsPdf = ({ labels, sheet, startAt }: LabelJob, fonts: LabelFonts): Promise<Uint8Array> => {
  const faces = openTypefaces(fonts);
  // Without a font, the library would read a file of its own, which the built app does not contain.
  const document = new PDFDocument({ autoFirstPage: false, font: '', info: { Title: 'Labels' } });
  document.registerFont('regular', Buffer.from(fonts.regular)).registerFont('bold', Buffer.from(fonts.bold));
  const { width, height } = sheet.page;
  let pages = 0;
  labels.forEach((label, index) => {
    const { page, x, y } = locateLabel(sheet, startAt + index);
    for (; pages <= page; pages += 1)
      document.addPage({ size: [width * pointsPerMm, height * pointsPerMm], margin: 0 });
    drawLabel(document, layOutLabel(label, sheet.label, faces), x, y);
  });
  document.end();
  return readBytes(document);
};
