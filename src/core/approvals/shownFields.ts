import { htmlText } from '../../text/htmlText.ts';
import { entryOf } from '../../contract/untrusted.ts';
import { isRecord } from '../base/json.ts';

/**
 * What reading shows of something that was to be done: that it is so, that it is not, something else, or nothing where the
 * service does not answer what would tell.
 */
export type Shown = 'done' | 'undone' | 'other' | 'nothing';

/** What several readings of parts show of the whole. */
export const combineShown = (parts: readonly Shown[]): Shown => {
  if (parts.every((part) => part === 'done')) return 'done';
  if (parts.every((part) => part === 'undone')) return 'undone';
  return parts.every((part) => part === 'done' || part === 'nothing') ? 'nothing' : 'other';
};

const isErased = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (isRecord(value) && Object.keys(value).length === 0);

/** Services trim texts: only the words count. */
const wordsOf = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();

const compareValue = (shown: unknown, wanted: unknown): Shown => {
  // A field that was taken away is one that is not there.
  if (isErased(wanted)) return isErased(shown) ? 'done' : 'undone';
  if (shown === undefined) return 'nothing';
  if (Array.isArray(wanted)) {
    if (!Array.isArray(shown) || shown.length !== wanted.length) return 'undone';
    return compareAll(wanted.map((value: unknown, index) => compareValue(shown[index], value)));
  }
  if (isRecord(wanted)) {
    if (!isRecord(shown)) return 'undone';
    return compareAll(Object.entries(wanted).map(([field, value]) => compareValue(entryOf(shown, field), value)));
  }
  if (typeof wanted === 'string' && typeof shown === 'string')
    return wordsOf(shown) === wordsOf(wanted) ? 'done' : 'undone';
  return shown === wanted ? 'done' : 'undone';
};

/** One part that is not so is enough; those that are not shown are left out. */
const compareAll = (parts: readonly Shown[]): Shown => {
  if (parts.includes('undone')) return 'undone';
  return parts.length === 0 || parts.includes('done') ? 'done' : 'nothing';
};

/** A sale leaves fewer: where the service does not show how many were sold, a smaller quantity tells nothing. */
const compareQuantity = (record: Record<string, unknown>, wanted: number, soldBefore: number): Shown => {
  const { quantity, soldQuantity } = record;
  if (typeof quantity !== 'number' || quantity >= wanted) return compareValue(quantity, wanted);
  if (typeof soldQuantity !== 'number') return 'nothing';
  return soldQuantity - soldBefore >= wanted - quantity ? 'done' : 'undone';
};

/** Whether a record has every field as it was to be set, as far as it is answered. */
export const compareFields = (
  record: Record<string, unknown>,
  wanted: Record<string, unknown>,
  soldBefore = 0,
): Shown =>
  compareAll(
    Object.entries(wanted).map(([field, value]) => {
      if (field === 'quantity' && typeof value === 'number') return compareQuantity(record, value, soldBefore);
      const shown = entryOf(record, field);
      // The HTML of a description is cleaned by services.
      if (field === 'description' && typeof value === 'string' && typeof shown === 'string')
        return compareValue(htmlText(shown), htmlText(value));
      return compareValue(shown, value);
    }),
  );
