import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import createCore from 'tesseract.js-core/tesseract-core-relaxedsimd-lstm.js';
import * as z from 'zod';
import type { ReaderOptions } from 'zxing-wasm/reader';
import { loadBarcodeReader } from '../../../isolated/barcodeReader.ts';
import type { Barcode, PhotoReading, TextLine } from './photoReading.ts';
import type { Picture } from './picture.ts';
import { blurPicture, computeMainColours, openPicture, readPictureSize, toGreyPicture } from './picture.ts';

// Four lines must agree, because a misread code can have a valid check digit by chance.
const options: ReaderOptions = { formats: ['EANUPC'], maxNumberOfSymbols: 4, minLineCount: 4 };

const decodeBarcodes = async ({ data, width, height }: Picture): Promise<Barcode[]> => {
  const { readBarcodes } = await loadBarcodeReader();
  const pixels = { data: new Uint8ClampedArray(data), width, height, colorSpace: 'srgb' } as const;
  const found = await readBarcodes(pixels, options);
  return found.filter(({ isValid }) => isValid).map(({ format, text }) => ({ format, text }));
};

// The image library needs SIMD anyway, so only the SIMD build of the text reader is shipped.
const coreFile = import.meta.resolve('tesseract.js-core/tesseract-core-relaxedsimd-lstm.wasm');
const languageFile = import.meta.resolve('@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz');
const lstmEngine = 1;

const startTextReader = async () => {
  const core = await createCore({ wasmBinary: await readFile(fileURLToPath(coreFile)) });
  core.FS.writeFile('eng.traineddata', gunzipSync(await readFile(fileURLToPath(languageFile))));
  const api = new core.TessBaseAPI();
  if (api.Init(null, 'eng', lstmEngine) !== 0) throw new Error('The text reader does not start.');
  api.SetVariable('user_defined_dpi', '300');
  api.SetVariable('debug_file', '/dev/null');
  return { core, api };
};

const box = z.object({ x0: z.number(), y0: z.number(), x1: z.number(), y1: z.number() });
const word = z.object({ text: z.string(), confidence: z.number(), bbox: box });
const line = z.object({ ...word.shape, words: z.array(word) });
const page = z.object({
  blocks: z.array(z.object({ paragraphs: z.array(z.object({ lines: z.array(line) })) })).nullish(),
});

const toTextLines = ({ blocks }: z.infer<typeof page>, { width, height }: Picture): TextLine[] =>
  (blocks ?? [])
    .flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))
    .map(({ text, confidence, bbox, words }) => ({
      text: text.trim(),
      confidence,
      height: (bbox.y1 - bbox.y0) / height,
      top: bbox.y0 / height,
      left: bbox.x0 / width,
      words: words.map(({ text, confidence, bbox }) => ({ text, confidence, height: (bbox.y1 - bbox.y0) / height })),
    }))
    .filter(({ text }) => text !== '');

let textReader: ReturnType<typeof startTextReader> | undefined;

const layouts = { page: '3', scattered: '11' };

const recognizeLines = async (picture: Picture, layout: string, longestSide: number): Promise<TextLine[]> => {
  const { core, api } = await (textReader ??= startTextReader());
  const grey = await toGreyPicture(picture, longestSide);
  const header = Buffer.from(`P5\n${grey.width} ${grey.height}\n255\n`, 'latin1');
  core.FS.writeFile('/input', Buffer.concat([header, grey.data]));
  api.SetVariable('tessedit_pageseg_mode', layout);
  if (api.SetImageFile(1, 0) === 1) throw new Error('The text reader does not take the picture.');
  api.Recognize(null);
  return toTextLines(page.parse(JSON.parse(api.GetJSONText())), grey);
};

const hasWords = (lines: readonly TextLine[]): boolean =>
  lines.some(({ words }) => words.some(({ text, confidence }) => confidence > 70 && /\p{L}{3}/u.test(text)));

/**
 * Returns the printed lines of a picture from top to bottom. Allows one call at a time. Scattered words are searched in
 * a smaller picture, because Tesseract takes seconds to read wood and fabric at full size.
 */
const recognizeText = async (picture: Picture): Promise<TextLine[]> => {
  const page = await recognizeLines(picture, layouts.page, 1600);
  const lines = hasWords(page) ? page : await recognizeLines(picture, layouts.scattered, 640);
  return lines.sort((first, second) => first.top - second.top || first.left - second.left);
};

const workingSide = 1600;

// The text reader finds nothing in smaller pictures and logs warnings.
const minTextSide = 48;

/** Reads barcodes, text and colours in a photo, at 1600 px. */
export const readPhoto = async (original: Uint8Array): Promise<PhotoReading> => {
  const size = await readPictureSize(original);
  const picture = await openPicture(original, workingSide);
  const crisp = await decodeBarcodes(picture);
  return {
    ...size,
    barcodes: crisp.length > 0 ? crisp : await decodeBarcodes(await blurPicture(picture)),
    // If the text cannot be read, the other results are still useful.
    lines: Math.min(picture.width, picture.height) >= minTextSide ? await recognizeText(picture).catch(() => []) : [],
    colours: await computeMainColours(picture),
  };
};

/** Reads the barcodes of a photo at full size, because a code can be small in a large photo. */
export const readFullSizeBarcodes = async (original: Uint8Array): Promise<PhotoReading> => {
  const size = await readPictureSize(original);
  const isSmall = Math.max(size.width, size.height) <= workingSide;
  const barcodes = isSmall ? [] : await decodeBarcodes(await openPicture(original));
  return { ...size, barcodes, lines: [], colours: [] };
};
