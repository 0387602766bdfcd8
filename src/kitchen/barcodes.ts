import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as zxing from 'zxing-wasm/reader';
import { type GreyPixels, toGreyPixels, type DecodeLimits } from './pixels.ts';
import type { Barcode, BarcodeFormat } from '../photoContract/messages.ts';
import { barcodeDigits, maxLabelTextChars } from '../photoContract/constants.ts';
import { detectFormat } from '../photoContract/detectFormat.ts';
import { RefusedPhoto } from '../photoContract/refusedPhoto.ts';
import type { Sharp } from './sharpBackend.ts';
import { decodeAndShrink } from './decodeAndShrink.ts';
import { releaseBytes } from '../isolated/releasableBuffer.ts';

/** A photo with more barcodes shows a shelf and not one item. */
const maxBarcodes = 4;

type BarcodeReader = typeof zxing;
let loading: Promise<BarcodeReader> | undefined;

/** The WebAssembly is read from disk, because the reader would otherwise download it. */
const loadBarcodeReader = async (): Promise<BarcodeReader> => {
  const reader = await import('zxing-wasm/reader');
  const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
  await reader.prepareZXingModule({
    overrides: { wasmBinary: new Uint8Array(wasm).buffer },
    fireImmediately: true,
  });
  return reader;
};

/** The reader needs four times longer for an RGBA picture than for a grey PGM file. */
const encodeAsPgm = ({ data, width, height }: GreyPixels): Uint8Array =>
  Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), data]);

/** The reader returns a UPC-A code as an EAN-13 code that starts with zero. */
const toProductBarcodes = ({ text, format }: { text: string; format: string }): Barcode[] => {
  const names: Record<string, BarcodeFormat> = { EAN8: 'EAN-8', UPCE: 'UPC-E' };
  const isUpc = text.length === 12 || text.startsWith('0');
  const known = names[format];
  const value = isUpc && !known ? text.slice(-12) : text;
  return barcodeDigits.test(value) ? [{ value, format: known ?? (isUpc ? 'UPC-A' : 'EAN-13') }] : [];
};

/** The other search options need a third more time, and they found no more barcodes on real photos. */
const options = {
  formats: ['EAN13', 'EAN8', 'UPCA', 'UPCE'],
  tryHarder: true,
  tryInvert: false,
  tryDownscale: false,
} as const;

/**
 * Reads the product barcodes (EAN, UPC, ISBN) of a picture. A search for one barcode needs half the time, so a full
 * search runs only if one is found.
 */
export const readProductBarcodes = async (grey: GreyPixels): Promise<Barcode[]> => {
  const { readBarcodes } = await (loading ??= loadBarcodeReader());
  const picture = encodeAsPgm(grey);
  const readBarcodesUpTo = (maxNumberOfSymbols: number) =>
    readBarcodes(picture, { ...options, formats: [...options.formats], maxNumberOfSymbols });
  const first = await readBarcodesUpTo(1);
  if (first.length === 0) {
    releaseBytes(picture);
    return [];
  }
  const codes = (await readBarcodesUpTo(maxBarcodes)).flatMap((found) =>
    found.isValid ? toProductBarcodes(found) : [],
  );
  releaseBytes(picture);
  return codes.filter(({ value }, index) => codes.findIndex((other) => other.value === value) === index);
};

/** A label of a smaller part of the photo than its reader needs is beside the item, so the photo shows the item. */
const labelOptions = {
  formats: ['QRCode', 'Code128', 'Code39'],
  tryHarder: true,
  tryInvert: false,
  tryDownscale: false,
  maxNumberOfSymbols: maxBarcodes,
} as const;

/** Returns the texts of QR codes, Code 128 and Code 39 that are short enough for the label of an item. */
export const readLabelTexts = async (grey: GreyPixels): Promise<string[]> => {
  const { readBarcodes } = await (loading ??= loadBarcodeReader());
  const picture = encodeAsPgm(grey);
  const found = await readBarcodes(picture, { ...labelOptions, formats: [...labelOptions.formats] });
  releaseBytes(picture);
  const texts = found.flatMap(({ isValid, text }) => (isValid ? [text.trim()] : []));
  return [...new Set(texts)].filter((text) => text !== '' && text.length <= maxLabelTextChars);
};

/** A barcode in a larger photo is still readable after the photo is shrunk to this long edge in pixels. */
const maxPx = 8_064;

/**
 * Reads barcodes at full size, because a barcode can be too small in the prepared photo. Returns an empty list if the
 * photo is unusable.
 */
export const readFullSizeBarcodes = async (
  sharp: Sharp,
  bytes: Buffer,
  admit: DecodeLimits['admit'],
): Promise<Barcode[]> => {
  try {
    const longEdgeOf = ({ width, height }: { width: number; height: number }) =>
      Math.min(maxPx, Math.max(width, height));
    const { pixels } = await decodeAndShrink(sharp, await detectFormat(bytes), bytes, { admit, longEdgeOf });
    return await readProductBarcodes(toGreyPixels(pixels));
  } catch (error) {
    if (error instanceof RefusedPhoto) return [];
    throw error;
  }
};
