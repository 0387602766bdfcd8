type Weight<V> = { of: (value: V) => number; most: number };

export type BoundedMap<K, V> = {
  get: (key: K) => V | undefined;
  set: (key: K, value: V) => void;
  delete: (key: K) => void;
  entries: () => MapIterator<[K, V]>;
};

/**
 * Creates a map that evicts the oldest entries when it has more than `maxEntries`, or when its values together
 * exceed the maximum weight.
 */
export const createBoundedMap = <K, V>(
  most: number,
  weight: Weight<V> = { of: () => 0, most: 0 },
): BoundedMap<K, V> => {
  const map = new Map<K, V>();
  let weighs = 0;
  const drop = (key: K): void => {
    const value = map.get(key);
    if (value !== undefined) weighs -= weight.of(value);
    map.delete(key);
  };
  return {
    get: (key: K): V | undefined => map.get(key),
    set: (key: K, value: V): void => {
      drop(key);
      map.set(key, value);
      weighs += weight.of(value);
      for (const oldest of map.keys()) {
        if (map.size <= most && weighs <= weight.most) return;
        drop(oldest);
      }
    },
    delete: drop,
    entries: () => map.entries(),
  };
};
