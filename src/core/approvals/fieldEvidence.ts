import { convertHtmlToText } from '../../text/htmlText.ts';
import { findOwnEntry } from '../../contract/untrusted.ts';
import { isRecord } from '../base/json.ts';

/** `other` means neither done nor undone; `nothing` means that the answer does not show the value. */
export type Evidence = 'done' | 'undone' | 'other' | 'nothing';

export const combineEvidence = (parts: readonly Evidence[]): Evidence => {
  if (parts.every((part) => part === 'done')) return 'done';
  if (parts.every((part) => part === 'undone')) return 'undone';
  return parts.every((part) => part === 'done' || part === 'nothing') ? 'nothing' : 'other';
};

const isErasedValue = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (isRecord(value) && Object.keys(value).length === 0);

/** Services trim whitespace, so only the words are compared. */
const normalizeWhitespace = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();

/** `same` means that the value was already as requested before the change, so the read proves nothing. */
type PartEvidence = Exclude<Evidence, 'other'> | 'same';

const compareSingleValue = (shown: unknown, wanted: unknown): 'done' | 'undone' | 'nothing' => {
  if (shown === undefined) return 'nothing';
  if (typeof wanted === 'string' && typeof shown === 'string')
    return normalizeWhitespace(shown) === normalizeWhitespace(wanted) ? 'done' : 'undone';
  return shown === wanted ? 'done' : 'undone';
};

/** A field that is missing now proves an erasure only if the field was present before. */
const compareErasedValue = (shown: unknown, before: unknown): PartEvidence => {
  if (!isErasedValue(shown)) return 'undone';
  if (!isErasedValue(before)) return 'done';
  return shown === undefined ? 'nothing' : 'same';
};

const markSameIfUnchanged = (part: PartEvidence, before: unknown, wanted: unknown): PartEvidence =>
  part === 'done' && compareSingleValue(before, wanted) === 'done' ? 'same' : part;

/** Represents a previous value that was not read. It differs from every requested value. */
const unreadValue = Symbol('unread');

const getValueBefore = (before: unknown, field: string): unknown => {
  if (before === unreadValue) return unreadValue;
  return isRecord(before) ? findOwnEntry(before, field) : undefined;
};

const compareNestedParts = (shown: unknown, wanted: unknown, before: unknown): PartEvidence[] => {
  if (isErasedValue(wanted)) return [compareErasedValue(shown, before)];
  if (shown === undefined) return ['nothing'];
  if (Array.isArray(wanted)) {
    if (!Array.isArray(shown) || shown.length !== wanted.length) return ['undone'];
    const parts = wanted.flatMap((value: unknown, at) =>
      compareNestedParts(shown[at], value, getValueBefore(before, String(at))),
    );
    // A list that became shorter was changed, whichever entries it kept.
    return Array.isArray(before) && before.length > wanted.length ? [...parts, 'done'] : parts;
  }
  if (isRecord(wanted)) {
    if (!isRecord(shown)) return ['undone'];
    return Object.entries(wanted).flatMap(([field, value]) =>
      compareNestedParts(findOwnEntry(shown, field), value, getValueBefore(before, field)),
    );
  }
  return [markSameIfUnchanged(compareSingleValue(shown, wanted), before, wanted)];
};

export type PreviousState = {
  /** The record before the change; undefined if it was not read. */
  record?: Record<string, unknown> | undefined;
  soldQuantity?: number | undefined;
};

/** A sale also lowers the quantity, so a smaller quantity proves nothing unless the service shows the number sold. */
const compareSoldQuantity = (
  record: Record<string, unknown>,
  wanted: number,
  before: PreviousState,
): 'done' | 'undone' | 'nothing' => {
  const { quantity, soldQuantity } = record;
  if (typeof quantity !== 'number' || quantity >= wanted) return compareSingleValue(quantity, wanted);
  const soldBefore = before.soldQuantity ?? before.record?.['soldQuantity'];
  if (typeof soldQuantity === 'number')
    return soldQuantity - (typeof soldBefore === 'number' ? soldBefore : 0) >= wanted - quantity ? 'done' : 'undone';
  const was = before.record?.['quantity'];
  return typeof was === 'number' && was < wanted && quantity <= was ? 'undone' : 'nothing';
};

export type ChangeEvidence = { shows: Evidence; unseen: string[] };

const compareFieldParts = (
  record: Record<string, unknown>,
  field: string,
  wanted: unknown,
  before: PreviousState,
): PartEvidence[] => {
  const was = before.record ? findOwnEntry(before.record, field) : unreadValue;
  if (field === 'quantity' && typeof wanted === 'number')
    return [markSameIfUnchanged(compareSoldQuantity(record, wanted, before), was, wanted)];
  const shown = findOwnEntry(record, field);
  // Services sanitise the HTML of a description, so only its text is compared.
  if (field === 'description' && typeof wanted === 'string' && wanted !== '' && typeof shown === 'string')
    return compareNestedParts(
      convertHtmlToText(shown),
      convertHtmlToText(wanted),
      typeof was === 'string' ? convertHtmlToText(was) : was,
    );
  return compareNestedParts(shown, wanted, was);
};

/** Compares a record with the requested values. `unseen` lists the fields that the record does not show. */
export const compareRecordFields = (
  record: Record<string, unknown>,
  wanted: Record<string, unknown>,
  before: PreviousState = {},
): ChangeEvidence => {
  const fields = Object.entries(wanted).map(([field, value]) => ({
    field,
    parts: compareFieldParts(record, field, value, before),
  }));
  const parts = fields.flatMap((compared) => compared.parts);
  if (parts.includes('undone')) return { shows: 'undone', unseen: [] };
  const unseen = fields.filter((compared) => compared.parts.includes('nothing')).map(({ field }) => field);
  return { shows: unseen.length === 0 || parts.includes('done') ? 'done' : 'nothing', unseen };
};
