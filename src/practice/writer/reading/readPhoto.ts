import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OEM, type Page, PSM } from 'tesseract.js';
import type { TextLine, Barcode, PhotoReading } from './photoReading.ts';
import { toGrey, type Picture, openPicture, readSize, blurPicture, sharpnessOf, coloursOf } from './picture.ts';
import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader';

/** What the library's own thread is made of, as far as it is used here. */
type WorkerScript = {
  setAdapter: (adapter: Readonly<Record<string, unknown>>) => void;
  dispatchHandlers: (
    packet: { workerId: string; jobId: string; action: string; payload: unknown },
    send: (reply: { status: 'resolve' | 'reject' | 'progress'; data: unknown }) => void,
  ) => void;
};

const load = createRequire(import.meta.url);

// The library would run this in a thread of its own, which Node's permissions do not hold and which may not be started
// here: it runs in the thread that reads the photo, which waits for it anyway.
const script = load('tesseract.js/src/worker-script/index.js') as WorkerScript;
script.setAdapter({
  getCore: load('tesseract.js/src/worker-script/node/getCore.js') as unknown,
  gunzip: load('tesseract.js/src/worker-script/node/gunzip.js') as unknown,
  // The only file that it reads is that of the language.
  readCache: readFile,
});

let lastJob = 0;

const ask = (action: string, payload: unknown): Promise<unknown> =>
  new Promise((resolve, reject) => {
    script.dispatchHandlers(
      { workerId: 'text', jobId: String((lastJob += 1)), action, payload },
      ({ status, data }) => {
        if (status === 'resolve') resolve(data);
        if (status === 'reject') reject(new Error(String(data)));
      },
    );
  });

// Language data comes from its package; nothing is fetched and nothing is written.
const start = async (): Promise<void> => {
  const langPath = join(dirname(load.resolve('@tesseract.js-data/eng/package.json')), '4.0.0_best_int');
  await ask('load', { options: { lstmOnly: true } });
  await ask('loadLanguage', { langs: ['eng'], options: { langPath, gzip: true, cacheMethod: 'none' } });
  await ask('initialize', { langs: ['eng'], oem: OEM.LSTM_ONLY });
  // A stated resolution spares the reader a guess; its remarks are of no use to anybody.
  await ask('setParameters', { params: { user_defined_dpi: '300', debug_file: '/dev/null' } });
};

let started: Promise<void> | undefined;

/** What stands in a picture file, laid out as `layout` says. One at a time. */
export const recognizePage = async (file: Uint8Array, layout: PSM): Promise<Page> => {
  await (started ??= start());
  await ask('setParameters', { params: { tessedit_pageseg_mode: layout } });
  return (await ask('recognize', { image: file, options: {}, output: { blocks: true, text: false } })) as Page;
};

// A grey picture in the plainest file format there is: no compression to do and undo.
const portableGreymap = ({ data, width, height }: Picture): Buffer =>
  Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), data]);

const linesOf = ({ blocks }: Page, { width, height }: Picture): TextLine[] =>
  (blocks ?? [])
    .flatMap((block) => block.paragraphs.flatMap((paragraph) => paragraph.lines))
    .map((line) => ({
      text: line.text.trim(),
      confidence: line.confidence,
      height: (line.bbox.y1 - line.bbox.y0) / height,
      top: line.bbox.y0 / height,
      left: line.bbox.x0 / width,
      words: line.words.map(({ text, confidence, bbox }) => ({
        text,
        confidence,
        height: (bbox.y1 - bbox.y0) / height,
      })),
    }))
    .filter((line) => line.text !== '');

const read = async (picture: Picture, layout: PSM, longestSide: number): Promise<TextLine[]> => {
  const grey = await toGrey(picture, longestSide);
  return linesOf(await recognizePage(portableGreymap(grey), layout), grey);
};

const saysSomething = (lines: readonly TextLine[]): boolean =>
  lines.some(({ words }) => words.some(({ text, confidence }) => confidence > 70 && /\p{L}{3}/u.test(text)));

/**
 * Printed lines in the picture, top to bottom, with how sure the reader is of each word.
 * Looking for a laid out page is quick and leaves wood and fabric alone; where that finds nothing, a look for
 * scattered words follows on a smaller picture, because at full size it would read every texture for seconds.
 */
export const recognizeText = async (picture: Picture): Promise<TextLine[]> => {
  const page = await read(picture, PSM.AUTO, 1600);
  const lines = saysSomething(page) ? page : await read(picture, PSM.SPARSE_TEXT, 640);
  return lines.sort((one, other) => one.top - other.top || one.left - other.left);
};

// The reader would fetch its program from the network by itself; it is handed the file of the package instead.
const prepareDecoder = async (): Promise<void> => {
  const file = await readFile(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
  const wasmBinary = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
};

let preparedDecoder: Promise<void> | undefined;

// Fewer than four agreeing lines happen to have a right check digit now and then without being the code.
const decoderOptions = {
  formats: ['EANUPC'],
  tryHarder: true,
  tryRotate: true,
  tryInvert: true,
  maxNumberOfSymbols: 4,
  minLineCount: 4,
} satisfies ReaderOptions;

/** Retail codes (EAN, UPC, ISBN) that can be read in the picture. */
export const decodeBarcodes = async ({ data, width, height }: Picture): Promise<Barcode[]> => {
  await (preparedDecoder ??= prepareDecoder());
  const pixels = new Uint8ClampedArray(data);
  const found = await readBarcodes({ data: pixels, width, height, colorSpace: 'srgb' }, decoderOptions);
  return found
    .filter((code) => code.isValid)
    .map((code) => ({ format: code.format, text: code.text, turn: quarterTurn(code.orientation) }));
};

const quarterTurn = (degrees: number): number => ((Math.round(degrees / 90) % 4) + 4) % 4;

const workingSide = 1600;

// Below this there is nothing for a text reader to find, and it complains about such pictures.
const smallestTextSide = 48;

const readCodes = async (picture: Picture): Promise<Barcode[]> => {
  const crisp = await decodeBarcodes(picture);
  return crisp.length > 0 ? crisp : decodeBarcodes(await blurPicture(picture));
};

/** Everything one photo shows, read at a working size of 1600 px. */
export const readPhoto = async (original: Uint8Array): Promise<PhotoReading> => {
  const size = await readSize(original);
  const picture = await openPicture(original, workingSide);
  const barcodes = await readCodes(picture);
  const legible = Math.min(picture.width, picture.height) >= smallestTextSide;
  return {
    ...size,
    sharpness: await sharpnessOf(picture),
    barcodes,
    // Without a text reader there is less to say, but the photo is still a photo.
    lines: legible ? await recognizeText(picture).catch(() => []) : [],
    colours: await coloursOf(picture),
  };
};

/** Only the barcodes of a photo, at its full size: small codes in large photos. */
export const readFullSizeBarcodes = async (original: Uint8Array): Promise<PhotoReading> => {
  const size = await readSize(original);
  const small = Math.max(size.width, size.height) <= workingSide;
  const barcodes = small ? [] : await decodeBarcodes(await openPicture(original));
  return { ...size, sharpness: 0, barcodes, lines: [], colours: [] };
};
