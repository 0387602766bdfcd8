/** The entry of a table under a name that somebody else chose; never what every object has from its prototype. */
export const entryOf = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** The form of the interface's codes. */
const code = /^[A-Za-z0-9_-]{1,64}$/;

/** A code of the service; null for what has not the form of one. */
export const codeIn = (value: unknown): string | null => (typeof value === 'string' && code.test(value) ? value : null);

const longestSentence = 1_000;
/** A letter, a figure or a picture: of a key that was taken out only dots are left. */
const something = /[\p{L}\p{N}\p{So}]/u;

/** A sentence of the service within its limits; null where there is nothing in it to read. */
export const sentenceIn = (value: unknown): string | null => {
  if (typeof value !== 'string') return null;
  // A character that the cut would halve is left out.
  const cut = value
    .slice(0, longestSentence)
    .replace(/[\ud800-\udbff]$/, '')
    .toWellFormed();
  return something.test(cut) ? cut : null;
};

/** How far a JSON text may go: so many levels inside each other, so many values in all. */
export type JsonBounds = { levels: number; values: number };

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The index of the quote that ends the string which begins before `from`; the end of the text when none does. */
const endOfString = (text: string, from: number): number => {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
};

/**
 * Whether a JSON text goes too far in depth, which exhausts what walks through it, or in values, of which two bytes
 * become fifty in memory. Looks at each character once and keeps nothing, so it comes before any parser.
 */
export const exceedsJsonBounds = (text: string, { levels, values }: JsonBounds): boolean => {
  let depth = 0;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === quote) at = endOfString(text, at + 1);
    else if (char === comma) count += 1;
    else if (char === openList || char === openObject) {
      depth += 1;
      count += 1;
      if (depth > levels) return true;
    } else if (char === closeList || char === closeObject) depth -= 1;
  }
  return count > values;
};

/** Whether it may hold the name that is no field but the object that others come from, plainly or in escapes of its letters. */
const mayNamePrototype = (text: string): boolean => text.includes('__proto__') || text.includes('\\u00');

/** Parses JSON of others: what it calls `__proto__` is left out. Throws `SyntaxError`. */
export const parseJson = (text: string): unknown =>
  mayNamePrototype(text)
    ? JSON.parse(text, (name, value: unknown) => (name === '__proto__' ? undefined : value))
    : JSON.parse(text);
