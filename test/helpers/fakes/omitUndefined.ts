/** Returns the defined fields of an object: an undefined field means "unchanged" and must not overwrite anything. */
export const omitUndefined = <T extends object>(changes: T): { [K in keyof T]?: Exclude<T[K], undefined> } => {
  const kept: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const key in changes) {
    const value = changes[key];
    if (isThere(value)) kept[key] = value;
  }
  return kept;
};

const isThere = <T>(value: T): value is Exclude<T, undefined> => value !== undefined;
