import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader';
import type { Barcode, PhotoReading } from './photoReading.ts';
import type { Picture } from './picture.ts';
import { blurPicture, computeMainColours, measureSharpness, openPicture, readPictureSize } from './picture.ts';
import { recognizeText } from './readText.ts';

// Load the file here, because the barcode reader would otherwise fetch it from the network.
const prepareBarcodeReader = async (): Promise<void> => {
  const file = await readFile(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(file).buffer }, fireImmediately: true });
};

let barcodeReader: Promise<void> | undefined;

// Four lines must agree, because a misread code can have a valid check digit by chance.
const options: ReaderOptions = { formats: ['EANUPC'], maxNumberOfSymbols: 4, minLineCount: 4 };

const decodeBarcodes = async ({ data, width, height }: Picture): Promise<Barcode[]> => {
  await (barcodeReader ??= prepareBarcodeReader());
  const pixels = { data: new Uint8ClampedArray(data), width, height, colorSpace: 'srgb' } as const;
  const found = await readBarcodes(pixels, options);
  return found.filter(({ isValid }) => isValid).map(({ format, text }) => ({ format, text }));
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
    sharpness: await measureSharpness(picture),
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
  return { ...size, sharpness: 0, barcodes, lines: [], colours: [] };
};
