/** A record whose shape the interface leaves open; each reader below returns null or nothing for missing fields. */
export type UnknownRecord = Record<string, unknown>;

export const isUnknownRecord = (value: unknown): value is UnknownRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Narrows a text to one of these words; undefined if it is none of them. */
export const findKnownWord = <T extends string>(words: readonly T[], text: string): T | undefined =>
  words.find((word) => word === text);

/** Returns the first of these fields that contains a text; a number is converted to its digits. */
export const readTextField = (of: UnknownRecord, ...names: string[]): string | null => {
  for (const name of names) {
    const value = of[name];
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return null;
};

/** Returns the first of these fields that contains a number. */
export const readNumberField = (of: UnknownRecord, ...names: string[]): number | null => {
  for (const name of names) {
    const value = of[name];
    if (typeof value === 'number' && Number.isFinite(value)) return value;
  }
  return null;
};

/** Returns the records of an answer: of the list itself, of the named field, or of the first field with a list. */
export const readRecordList = (answer: unknown, name: string): UnknownRecord[] => {
  if (Array.isArray(answer)) return answer.filter(isUnknownRecord);
  if (!isUnknownRecord(answer)) return [];
  const list = Array.isArray(answer[name]) ? answer[name] : Object.values(answer).find(Array.isArray);
  return (list ?? []).filter(isUnknownRecord);
};

/** Formats a field name as words: `handlingDays` is "Handling days". */
export const formatFieldLabel = (name: string): string => {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_.]+/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Returns each value in a record with its path as its name, except the paths in `without`. */
export const flattenRecordFacts = (
  of: unknown,
  without: readonly string[] = [],
  path = '',
): [name: string, value: string][] => {
  if (of === null || of === undefined || of === '') return [];
  if (Array.isArray(of) && of.every((one) => !isUnknownRecord(one)))
    return of.length > 0 ? [[path, of.join(', ')]] : [];
  if (typeof of !== 'object') return [[path, typeof of === 'string' ? of : JSON.stringify(of)]];
  return Object.entries(of).flatMap(([name, value]) => {
    const inner = path === '' ? name : `${path}.${name}`;
    return without.includes(inner) ? [] : flattenRecordFacts(value, without, inner);
  });
};
