/** A record whose fields the interface does not define. */
export type UnknownRecord = Record<string, unknown>;

export const isUnknownRecord = (value: unknown): value is UnknownRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const findKnownWord = <T extends string>(words: readonly T[], text: string): T | undefined =>
  words.find((word) => word === text);

export const findTextField = (of: UnknownRecord, ...names: string[]): string | null => {
  for (const name of names) {
    const value = of[name];
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return null;
};

export const findNumberField = (of: UnknownRecord, ...names: string[]): number | null => {
  for (const name of names) {
    const value = of[name];
    if (typeof value === 'number' && Number.isFinite(value)) return value;
  }
  return null;
};

/** Returns the records of the list itself, of the named field, or of the first field that contains a list. */
export const listRecords = (answer: unknown, name: string): UnknownRecord[] => {
  if (Array.isArray(answer)) return answer.filter(isUnknownRecord);
  if (!isUnknownRecord(answer)) return [];
  const list = Array.isArray(answer[name]) ? answer[name] : Object.values(answer).find(Array.isArray);
  return (list ?? []).filter(isUnknownRecord);
};

/** For example, `handlingDays` becomes "Handling days". */
export const formatFieldLabel = (name: string): string => {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_.]+/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The name of each value is its path. The paths in `without` are left out. */
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
