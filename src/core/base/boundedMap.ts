type Weight<V> = { of: (value: V) => number; max: number };

export type BoundedMap<K, V> = {
  get: (key: K) => V | undefined;
  set: (key: K, value: V) => void;
  delete: (key: K) => void;
  entries: () => MapIterator<[K, V]>;
};

/** Creates a map that evicts its oldest entries when it exceeds `maxEntries` or `weight.max`. */
export const createBoundedMap = <K, V>(
  maxEntries: number,
  weight: Weight<V> = { of: () => 0, max: 0 },
): BoundedMap<K, V> => {
  const map = new Map<K, V>();
  let weighs = 0;
  const dropEntry = (key: K): void => {
    const value = map.get(key);
    if (value !== undefined) weighs -= weight.of(value);
    map.delete(key);
  };
  return {
    get: (key: K): V | undefined => map.get(key),
    set: (key: K, value: V): void => {
      dropEntry(key);
      map.set(key, value);
      weighs += weight.of(value);
      for (const oldest of map.keys()) {
        if (map.size <= maxEntries && weighs <= weight.max) return;
        dropEntry(oldest);
      }
    },
    delete: dropEntry,
    entries: () => map.entries(),
  };
};
