import { createHash } from 'node:crypto';

/** JSON with sorted keys and without undefined: the same value is always the same text, also over many lines. */
export const canonical = (value: unknown, indent?: number): string =>
  JSON.stringify(sorted(value), null, indent) ?? 'null';

/** SHA-256 of the canonical text, in hex. */
export const digestOf = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('hex');

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  );
};

/** Whether a value may be read by the names of its fields: an object, of which nothing else is known. A list is one, too. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object';

/** The fields of a value of which nothing is known; none where it is no object. */
export const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

/** The parameters of a request as it is stored; none where it has none. */
export const paramsOf = (input: unknown): Record<string, unknown> => recordOf(recordOf(input)['params']);

/** The body of a request as it is stored; undefined where it has none. */
export const bodyOf = (input: unknown): unknown => recordOf(input)['body'];

/** The listing that a request is about, by its path or by its body; null for one that is about none. */
export const listingIdOf = (input: unknown): string | null => {
  const id = paramsOf(input)['listingId'] ?? recordOf(bodyOf(input))['listingId'];
  return typeof id === 'string' ? id : null;
};
