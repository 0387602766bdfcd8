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
