import { createHash } from 'node:crypto';

/** Returns JSON with sorted keys, so that equal values give equal text. */
export const toCanonicalJson = (value: unknown, indent?: number): string =>
  JSON.stringify(sortKeysDeep(value), null, indent) ?? 'null';

/** Returns the SHA-256 of the canonical JSON, in hex. */
export const hashCanonicalJson = (value: unknown): string =>
  createHash('sha256').update(toCanonicalJson(value)).digest('hex');

const sortKeysDeep = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortKeysDeep);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sortKeysDeep(part)]),
  );
};

/** Returns whether a value is an object or an array. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object';

/** Returns the value, or an empty object if the value is not an object. */
export const toRecordOrEmpty = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

/** Returns the path parameters of a request; an empty object if it has none. */
export const getRequestParams = (input: unknown): Record<string, unknown> =>
  toRecordOrEmpty(toRecordOrEmpty(input)['params']);

/** Returns the body of a request; undefined if it has none. */
export const getRequestBody = (input: unknown): unknown => toRecordOrEmpty(input)['body'];

/** Returns the listing id from the path or the body of a request; null if neither has one. */
export const findListingId = (input: unknown): string | null => {
  const id = getRequestParams(input)['listingId'] ?? toRecordOrEmpty(getRequestBody(input))['listingId'];
  return typeof id === 'string' ? id : null;
};
