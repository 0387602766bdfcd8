import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader';
import type { Barcode } from '../reading.ts';
import type { Picture } from './picture.ts';

const resolve = createRequire(import.meta.url).resolve;

// The reader would fetch its program from the network by itself; it is handed the file of the package instead.
const prepare = async (): Promise<void> => {
  const file = await readFile(resolve('zxing-wasm/reader/zxing_reader.wasm'));
  const wasmBinary = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
};

let prepared: Promise<void> | undefined;

// Fewer than four agreeing lines happen to have a right check digit now and then without being the code.
const options = {
  formats: ['EANUPC'],
  tryHarder: true,
  tryRotate: true,
  tryInvert: true,
  maxNumberOfSymbols: 4,
  minLineCount: 4,
} satisfies ReaderOptions;

/** Retail codes (EAN, UPC, ISBN) that can be read in the picture. */
export const barcodesOf = async ({ data, width, height }: Picture): Promise<Barcode[]> => {
  await (prepared ??= prepare());
  const pixels = new Uint8ClampedArray(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  const found = await readBarcodes({ data: pixels, width, height, colorSpace: 'srgb' }, options);
  return found
    .filter((code) => code.isValid)
    .map((code) => ({ format: code.format, text: code.text, turn: quarterTurn(code.orientation) }));
};

const quarterTurn = (degrees: number): number => ((Math.round(degrees / 90) % 4) + 4) % 4;
