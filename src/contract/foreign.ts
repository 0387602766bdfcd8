/** The entry of a table under a name that somebody else chose; never what every object has from its prototype. */
export const entryOf = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** The form of the interface's codes. */
const code = /^[A-Za-z0-9_-]{1,64}$/;

/** A code of the service; null for what has not the form of one. */
export const codeIn = (value: unknown): string | null => (typeof value === 'string' && code.test(value) ? value : null);

const longestSentence = 1_000;
const something = /[^\s\p{C}\p{Default_Ignorable_Code_Point}]/u;

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
