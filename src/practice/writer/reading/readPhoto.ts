import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader';
import type { Barcode, PhotoReading } from './photoReading.ts';
import { type Picture, openPicture, readSize, blurPicture, sharpnessOf } from './picture.ts';
import { coloursOf } from './colours.ts';
import { recognizeText } from './recognizeText.ts';

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
export const readPhoto = async (path: string): Promise<PhotoReading> => {
  const size = await readSize(path);
  const picture = await openPicture(path, workingSide);
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
export const readFullSizeBarcodes = async (path: string): Promise<PhotoReading> => {
  const size = await readSize(path);
  const small = Math.max(size.width, size.height) <= workingSide;
  const barcodes = small ? [] : await decodeBarcodes(await openPicture(path));
  return { ...size, sharpness: 0, barcodes, lines: [], colours: [] };
};
