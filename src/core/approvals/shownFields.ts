import { htmlText } from '../../text/htmlText.ts';
import { entryOf } from '../../contract/untrusted.ts';
import { isRecord } from '../base/json.ts';

/**
 * What a read shows of an intended change: it is done, it is not done, something else is there,
 * or nothing can be concluded because the service does not return the field.
 */
export type Shown = 'done' | 'undone' | 'other' | 'nothing';

export const combineShown = (parts: readonly Shown[]): Shown => {
  if (parts.every((part) => part === 'done')) return 'done';
  if (parts.every((part) => part === 'undone')) return 'undone';
  return parts.every((part) => part === 'done' || part === 'nothing') ? 'nothing' : 'other';
};

const isErased = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (isRecord(value) && Object.keys(value).length === 0);

/** Services trim whitespace, so only the words are compared. */
const wordsOf = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();

/** What one value shows. `same`: it is as wanted but already was before, which proves nothing. */
type Part = Exclude<Shown, 'other'> | 'same';

const compareValue = (shown: unknown, wanted: unknown): 'done' | 'undone' | 'nothing' => {
  if (shown === undefined) return 'nothing';
  if (typeof wanted === 'string' && typeof shown === 'string')
    return wordsOf(shown) === wordsOf(wanted) ? 'done' : 'undone';
  return shown === wanted ? 'done' : 'undone';
};

/** An erased field is proven by its absence only if it was present before. */
const compareErased = (shown: unknown, before: unknown): Part => {
  if (!isErased(shown)) return 'undone';
  if (!isErased(before)) return 'done';
  return shown === undefined ? 'nothing' : 'same';
};

const sameAs = (part: Part, before: unknown, wanted: unknown): Part =>
  part === 'done' && compareValue(before, wanted) === 'done' ? 'same' : part;

/** Marks a previous value that was never read. It equals no wanted value. */
const unread = Symbol('unread');

const within = (before: unknown, field: string): unknown => {
  if (before === unread) return unread;
  return isRecord(before) ? entryOf(before, field) : undefined;
};

const partsOf = (shown: unknown, wanted: unknown, before: unknown): Part[] => {
  if (isErased(wanted)) return [compareErased(shown, before)];
  if (shown === undefined) return ['nothing'];
  if (Array.isArray(wanted)) {
    if (!Array.isArray(shown) || shown.length !== wanted.length) return ['undone'];
    const parts = wanted.flatMap((value: unknown, at) => partsOf(shown[at], value, within(before, String(at))));
    // A list that lost entries differs from before, whichever entries it kept.
    return Array.isArray(before) && before.length > wanted.length ? [...parts, 'done'] : parts;
  }
  if (isRecord(wanted)) {
    if (!isRecord(shown)) return ['undone'];
    return Object.entries(wanted).flatMap(([field, value]) =>
      partsOf(entryOf(shown, field), value, within(before, field)),
    );
  }
  return [sameAs(compareValue(shown, wanted), before, wanted)];
};

/** What was known of a record before the change. */
export type Before = {
  /** The record; undefined if it was not read, so that any field may have been present. */
  record?: Record<string, unknown> | undefined;
  soldQuantity?: number | undefined;
};

/**
 * A sale lowers the quantity: if the service does not show the number sold, a smaller quantity proves nothing.
 * A quantity that was to be raised and is no higher than before was not raised.
 */
const compareQuantity = (
  record: Record<string, unknown>,
  wanted: number,
  before: Before,
): 'done' | 'undone' | 'nothing' => {
  const { quantity, soldQuantity } = record;
  if (typeof quantity !== 'number' || quantity >= wanted) return compareValue(quantity, wanted);
  const soldBefore = before.soldQuantity ?? before.record?.['soldQuantity'];
  if (typeof soldQuantity === 'number')
    return soldQuantity - (typeof soldBefore === 'number' ? soldBefore : 0) >= wanted - quantity ? 'done' : 'undone';
  const was = before.record?.['quantity'];
  return typeof was === 'number' && was < wanted && quantity <= was ? 'undone' : 'nothing';
};

/** What a record shows of a change, and the fields that it does not show. */
export type ShownChange = { shows: Shown; unseen: string[] };

const fieldParts = (record: Record<string, unknown>, field: string, wanted: unknown, before: Before): Part[] => {
  const was = before.record ? entryOf(before.record, field) : unread;
  if (field === 'quantity' && typeof wanted === 'number')
    return [sameAs(compareQuantity(record, wanted, before), was, wanted)];
  const shown = entryOf(record, field);
  // Services sanitise the HTML of a description.
  if (field === 'description' && typeof wanted === 'string' && wanted !== '' && typeof shown === 'string')
    return partsOf(htmlText(shown), htmlText(wanted), typeof was === 'string' ? htmlText(was) : was);
  return partsOf(shown, wanted, was);
};

/**
 * Compares a record with the fields that were to be set. The change is done if at least one value shows it and none
 * contradicts it. `unseen` lists the fields that the record does not show.
 */
export const compareFields = (
  record: Record<string, unknown>,
  wanted: Record<string, unknown>,
  before: Before = {},
): ShownChange => {
  const fields = Object.entries(wanted).map(([field, value]) => ({
    field,
    parts: fieldParts(record, field, value, before),
  }));
  const parts = fields.flatMap((one) => one.parts);
  if (parts.includes('undone')) return { shows: 'undone', unseen: [] };
  const unseen = fields.filter((one) => one.parts.includes('nothing')).map(({ field }) => field);
  return { shows: unseen.length === 0 || parts.includes('done') ? 'done' : 'nothing', unseen };
};
