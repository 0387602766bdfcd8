/** Reading answers whose shape the interface leaves open: what is there is taken, what is not is missed. */
export type UnknownRecord = Record<string, unknown>;

/** Whether it is an object with named fields. */
export const isUnknownRecord = (value: unknown): value is UnknownRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The one of these words that a text is; undefined when it is another. */
export const oneOf = <T extends string>(words: readonly T[], text: string): T | undefined =>
  words.find((word) => word === text);

/** The first of these fields that holds a text; a number counts as its digits. */
export const textOf = (of: UnknownRecord, ...names: string[]): string | null => {
  for (const name of names) {
    const value = of[name];
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return null;
};

/** The first of these fields that holds a number. */
export const numberOf = (of: UnknownRecord, ...names: string[]): number | null => {
  for (const name of names) {
    const value = of[name];
    if (typeof value === 'number' && Number.isFinite(value)) return value;
  }
  return null;
};

/** The records of an answer: of the list itself, of the field that is named, or of the first field that is a list. */
export const recordsIn = (answer: unknown, name: string): UnknownRecord[] => {
  if (Array.isArray(answer)) return answer.filter(isUnknownRecord);
  if (!isUnknownRecord(answer)) return [];
  const list = Array.isArray(answer[name]) ? answer[name] : Object.values(answer).find(Array.isArray);
  return (list ?? []).filter(isUnknownRecord);
};

/** A field's name as words: `handlingDays` is "Handling days". */
export const fieldLabel = (name: string): string => {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_.]+/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Every single value in a record, named by its path; without the fields that are shown in another way. */
export const factsIn = (of: unknown, without: readonly string[] = [], path = ''): [name: string, value: string][] => {
  if (of === null || of === undefined || of === '') return [];
  if (Array.isArray(of) && of.every((one) => !isUnknownRecord(one)))
    return of.length > 0 ? [[path, of.join(', ')]] : [];
  if (typeof of !== 'object') return [[path, typeof of === 'string' ? of : JSON.stringify(of)]];
  return Object.entries(of).flatMap(([name, value]) => {
    const inner = path === '' ? name : `${path}.${name}`;
    return without.includes(inner) ? [] : factsIn(value, without, inner);
  });
};
