/** A map that forgets what was put first when it holds more than `most`. */
export const newestMap = <K, V>(most: number) => {
  const map = new Map<K, V>();
  return {
    get: (key: K): V | undefined => map.get(key),
    set: (key: K, value: V): void => {
      map.delete(key);
      map.set(key, value);
      if (map.size <= most) return;
      for (const oldest of map.keys()) return void map.delete(oldest);
    },
    delete: (key: K): void => void map.delete(key),
    entries: () => map.entries(),
  };
};
