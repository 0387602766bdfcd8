import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export const createRandomText = (length: number): string =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join('');

/** Returns a new identifier such as `lst_4f…`. */
export const createPrefixedId = (prefix: string): string => `${prefix}_${createRandomText(12)}`;

export const createRandomSecret = (): string => randomBytes(32).toString('base64url');

export const hashSha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Compares two digests in constant time. */
export const areDigestsEqual = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** Serialises a value to JSON with sorted keys, so that equal values have equal texts. */
export const toCanonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
