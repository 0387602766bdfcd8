import { isCheckDigitValid } from '../../../text/checkDigit.ts';
import type { Barcode } from '../reading/photoReading.ts';

export type Identifier = { kind: 'isbn' | 'ean' | 'upc'; code: string };

/**
 * Returns whether a code is an ISBN with a valid check digit. Codes that start with 9790 are excluded, because they
 * identify sheet music.
 */
export const isIsbn13 = (code: string): boolean =>
  /^97[89]\d{10}$/.test(code) && !code.startsWith('9790') && isCheckDigitValid(code);

/** Converts an ISBN-10 with a valid check digit to an ISBN-13. */
export const convertToIsbn13 = (code: string): string | undefined => {
  if (!/^\d{9}[\dX]$/.test(code)) return undefined;
  const sum = [...code].reduce((total, digit, at) => total + (digit === 'X' ? 10 : Number(digit)) * (10 - at), 0);
  if (sum % 11 !== 0) return undefined;
  const stem = `978${code.slice(0, 9)}`;
  return [...'0123456789'].map((last) => stem + last).find(isCheckDigitValid);
};

// Shops assign these codes themselves, so they do not identify a product.
const isStoreInternal = (code: string): boolean => /^(2\d{12}|0?[24]\d{11}|2\d{7})$/.test(code);

/** Returns the product code of a barcode, or undefined if it has none. */
export const parseBarcode = ({ text }: Pick<Barcode, 'text'>): Identifier | undefined => {
  const code = text.replace(/\D/g, '');
  if (![8, 12, 13].includes(code.length) || !isCheckDigitValid(code) || isStoreInternal(code)) return undefined;
  if (isIsbn13(code)) return { kind: 'isbn', code };
  if (code.length === 12) return { kind: 'upc', code };
  if (code.length === 13 && code.startsWith('0')) return { kind: 'upc', code: code.slice(1) };
  return { kind: 'ean', code };
};

const printedIsbn = /ISBN(?:-1[03])?[:\s]*([\dX][\dX\s–-]{8,17}[\dX])/giu;

export const listIsbns = (text: string): Identifier[] =>
  [...text.matchAll(printedIsbn)].flatMap(([, raw = '']) => {
    const code = raw.replace(/[^\dX]/gi, '').toUpperCase();
    const isbn = isIsbn13(code) ? code : convertToIsbn13(code);
    return isbn ? [{ kind: 'isbn' as const, code: isbn }] : [];
  });

/** Returns each product code once, ISBNs first. */
export const listIdentifiers = (barcodes: readonly Barcode[], text: string): Identifier[] => {
  const scanned = barcodes.flatMap((barcode) => parseBarcode(barcode) ?? []);
  const all = new Map([...scanned, ...listIsbns(text)].map((identifier) => [identifier.code, identifier]));
  return [...all.values()].sort((one, other) => Number(other.kind === 'isbn') - Number(one.kind === 'isbn'));
};
