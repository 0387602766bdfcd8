/** Returns the entry of a table for an untrusted name. Ignores inherited properties such as `constructor`. */
export const findOwnEntry = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** Returns whether a value is an object other than an array. */
export const isPlainRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Returns the first non-empty string among these fields; null if all are empty. */
export const findFirstText = (record: Record<string, unknown>, ...names: string[]): string | null => {
  const found = names.map((name) => record[name]).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : null;
};

const codePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Returns the value if it has the format of an error code, else null. */
export const parseErrorCode = (value: unknown): string | null =>
  typeof value === 'string' && codePattern.test(value) ? value : null;

const maxSentenceLength = 1_000;
/**
 * Matches a letter, a digit or a symbol. A sentence without any is not worth showing, for example a sentence that
 * consists only of a redacted key.
 */
const readableCharacter = /[\p{L}\p{N}\p{So}]/u;

/** Returns text of the service, cut to `maxSentenceLength`; null if the text has no readable character. */
export const parseServiceSentence = (value: unknown): string | null => {
  if (typeof value !== 'string') return null;
  // The cut can leave half of a surrogate pair, so remove it.
  const cut = value
    .slice(0, maxSentenceLength)
    .replace(/[\ud800-\udbff]$/, '')
    .toWellFormed();
  return readableCharacter.test(cut) ? cut : null;
};

export type JsonBounds = { levels: number; values: number };

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

const findStringEnd = (text: string, from: number): number => {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
};

/**
 * Returns whether a JSON text is nested too deeply or has too many values, because both can crash a parser. The check
 * scans the text once and allocates nothing.
 */
export const exceedsJsonBounds = (text: string, { levels, values }: JsonBounds): boolean => {
  let depth = 0;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === quote) at = findStringEnd(text, at + 1);
    else if (char === comma) count += 1;
    else if (char === openList || char === openObject) {
      depth += 1;
      count += 1;
      if (depth > levels) return true;
    } else if (char === closeList || char === closeObject) depth -= 1;
  }
  return count > values;
};

const mayContainProtoKey = (text: string): boolean => text.includes('__proto__') || text.includes('\\u00');

/** Parses untrusted JSON and removes the key `__proto__`. Throws `SyntaxError`. */
export const parseUntrustedJson = (text: string): unknown =>
  mayContainProtoKey(text)
    ? JSON.parse(text, (name, value: unknown) => (name === '__proto__' ? undefined : value))
    : JSON.parse(text);
