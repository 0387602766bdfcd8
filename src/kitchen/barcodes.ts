import type { ReadResult } from 'zxing-wasm/reader';
import { type GreyPixels, toGreyPixels, type DecodeTurn } from './pixels.ts';
import type { Barcode, BarcodeFormat } from '../photoContract/messages.ts';
import { barcodeDigits, maxLabelTextChars } from '../photoContract/constants.ts';
import { detectFormat } from '../photoContract/detectFormat.ts';
import { RefusedPhoto } from '../photoContract/refusedPhoto.ts';
import type { Sharp } from './sharpBackend.ts';
import { decodeAndShrink } from './decodeAndShrink.ts';
import { loadBarcodeReader } from '../isolated/barcodeReader.ts';
import { releaseBytes } from '../isolated/releasableBuffer.ts';

/** A photo with more barcodes shows a shelf and not one item. */
const maxBarcodes = 4;

/** The texts of both searches for labels together stay within the limit of `labelTexts`. */
const maxLabelTexts = 50;

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

const productFormats = ['EAN13', 'EAN8', 'UPCA', 'UPCE'] as const;
const linearLabelFormats = ['Code128', 'Code39'] as const;
type Format = (typeof productFormats)[number] | (typeof linearLabelFormats)[number] | 'QRCode';

/** The other search options need a third more time, and they found no more barcodes on real photos. */
const options = { tryHarder: true, tryInvert: false, tryDownscale: false } as const;

const toUniqueBarcodes = (found: readonly ReadResult[]): Barcode[] => {
  const codes = found.flatMap((code) => (code.isValid ? toProductBarcodes(code) : []));
  return codes.filter(({ value }, index) => codes.findIndex((other) => other.value === value) === index);
};

/** Returns the texts that are short enough for the label of an item. */
const toLabelTexts = (found: readonly ReadResult[]): string[] => {
  const texts = found.flatMap(({ isValid, text }) => (isValid ? [text.trim()] : []));
  return [...new Set(texts)].filter((text) => text !== '' && text.length <= maxLabelTextChars).slice(0, maxLabelTexts);
};

/**
 * Reads the product barcodes (EAN, UPC, ISBN) and the texts of labels in Code 128 and Code 39. The picture must have its
 * full size, because the bars of a small label are too thin in a halved one. A search for one code needs half the time,
 * so the full searches run only if one is found. Each kind has its own search, so that neither uses up the other's limit.
 */
export const readLinearCodes = async (grey: GreyPixels): Promise<{ barcodes: Barcode[]; labelTexts: string[] }> => {
  const { readBarcodes } = await loadBarcodeReader();
  const picture = encodeAsPgm(grey);
  const findCodes = (formats: readonly Format[], maxNumberOfSymbols: number) =>
    readBarcodes(picture, { ...options, formats: [...formats], maxNumberOfSymbols });
  const [first] = await findCodes([...productFormats, ...linearLabelFormats], 1);
  const products = first ? await findCodes(productFormats, maxBarcodes) : [];
  const labels = first ? await findCodes(linearLabelFormats, maxLabelTexts) : [];
  releaseBytes(picture);
  return { barcodes: toUniqueBarcodes(products), labelTexts: toLabelTexts(labels) };
};

/**
 * Returns the texts of QR codes, Code 128 and Code 39 that are short enough for the label of an item. A halved picture
 * has less noise, so it shows large linear codes that `readLinearCodes` does not find.
 */
export const readLabelTexts = async (grey: GreyPixels): Promise<string[]> => {
  const { readBarcodes } = await loadBarcodeReader();
  const picture = encodeAsPgm(grey);
  const formats: Format[] = ['QRCode', ...linearLabelFormats];
  const found = await readBarcodes(picture, { ...options, formats, maxNumberOfSymbols: maxBarcodes });
  releaseBytes(picture);
  return toLabelTexts(found);
};

/** A barcode in a larger photo is still readable after the photo is shrunk to this long edge in pixels. */
const maxPx = 8_064;

/**
 * Reads barcodes at full size, because a barcode can be too small in the prepared photo. Returns an empty list if the
 * photo is unusable.
 */
export const readFullSizeBarcodes = async (sharp: Sharp, bytes: Buffer, turn: DecodeTurn): Promise<Barcode[]> => {
  try {
    const longEdgeOf = ({ width, height }: { width: number; height: number }) =>
      Math.min(maxPx, Math.max(width, height));
    const { pixels } = await decodeAndShrink(sharp, await detectFormat(bytes), bytes, { ...turn, longEdgeOf });
    return (await readLinearCodes(toGreyPixels(pixels))).barcodes;
  } catch (error) {
    if (error instanceof RefusedPhoto) return [];
    throw error;
  }
};
