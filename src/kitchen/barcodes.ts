import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as zxing from 'zxing-wasm/reader';
import { type GreyPixels, toGreyPixels, type DecodeLimits } from './pixels.ts';
import type { Barcode, BarcodeFormat } from '../photoContract/messages.ts';
import { barcodeDigits } from '../photoContract/constants.ts';
import { detectFormat } from '../photoContract/detectFormat.ts';
import { RefusedPhoto } from '../photoContract/refusedPhoto.ts';
import type { Sharp } from './sharpBackend.ts';
import { decodeAndShrink } from './decodeAndShrink.ts';
import { releaseBytes } from '../isolated/releasableBuffer.ts';

/** A photo with more barcodes shows a shelf, not an item. */
const maxBarcodes = 4;

type BarcodeReader = typeof zxing;
let loading: Promise<BarcodeReader> | undefined;

/** Loads the barcode reader on first use, with its WebAssembly, which it would otherwise fetch from the network. */
const loadBarcodeReader = async (): Promise<BarcodeReader> => {
  const reader = await import('zxing-wasm/reader');
  const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
  await reader.prepareZXingModule({
    overrides: { wasmBinary: new Uint8Array(wasm).buffer },
    fireImmediately: true,
  });
  return reader;
};

/** Encodes a grey picture as a PGM file, which the reader takes four times faster than RGBA. */
const encodeAsPgm = ({ data, width, height }: GreyPixels): Uint8Array =>
  Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), data]);

/** Returns the product barcode of a text, if it is one. The reader reports UPC-A as EAN-13 with a leading zero. */
const toProductBarcodes = ({ text, format }: { text: string; format: string }): Barcode[] => {
  const names: Record<string, BarcodeFormat> = { EAN8: 'EAN-8', UPCE: 'UPC-E' };
  const isUpc = text.length === 12 || text.startsWith('0');
  const known = names[format];
  const value = isUpc && !known ? text.slice(-12) : text;
  return barcodeDigits.test(value) ? [{ value, format: known ?? (isUpc ? 'UPC-A' : 'EAN-13') }] : [];
};

/** Inverted barcodes and downscaled copies take a third longer and found nothing on real photos. */
const options = {
  formats: ['EAN13', 'EAN8', 'UPCA', 'UPCE'],
  tryHarder: true,
  tryInvert: false,
  tryDownscale: false,
} as const;

/**
 * Reads the product barcodes (EAN, UPC, ISBN) of a picture, upright or rotated by 90°. A search for a single one takes
 * half the time, so it runs first; if it succeeds, all are read, because the first may be misread.
 */
export const readBarcodesIn = async (grey: GreyPixels): Promise<Barcode[]> => {
  const { readBarcodes } = await (loading ??= loadBarcodeReader());
  const picture = encodeAsPgm(grey);
  const readUpTo = (maxNumberOfSymbols: number) =>
    readBarcodes(picture, { ...options, formats: [...options.formats], maxNumberOfSymbols });
  const first = await readUpTo(1);
  if (first.length === 0) {
    releaseBytes(picture);
    return [];
  }
  const codes = (await readUpTo(maxBarcodes)).flatMap((found) => (found.isValid ? toProductBarcodes(found) : []));
  releaseBytes(picture);
  return codes.filter(({ value }, index) => codes.findIndex((other) => other.value === value) === index);
};

/** The long edge in pixels to which larger photos are shrunk; barcodes are still large enough then. */
const maxPx = 8_064;

/**
 * Reads barcodes from an original at full size, for codes that are too small in the prepared photo. Returns an empty
 * array if there are none, or if the photo cannot be used. Takes as long as preparing it.
 */
export const findFullSizeBarcodes = async (
  sharp: Sharp,
  bytes: Buffer,
  admit: DecodeLimits['admit'],
): Promise<Barcode[]> => {
  try {
    const longEdgeOf = ({ width, height }: { width: number; height: number }) =>
      Math.min(maxPx, Math.max(width, height));
    const { pixels } = await decodeAndShrink(sharp, await detectFormat(bytes), bytes, { admit, longEdgeOf });
    return await readBarcodesIn(toGreyPixels(pixels));
  } catch (error) {
    if (error instanceof RefusedPhoto) return [];
    throw error;
  }
};
