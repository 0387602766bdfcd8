/** The value lives outside of components. Components subscribe with `useSyncExternalStore`. */
export const createStore = <T>(initial: T) => {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: (): T => value,
    set: (next: T): void => {
      value = next;
      for (const listener of listeners) listener();
    },
    /** Returns a function that unsubscribes. */
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};

/** Returns a copy of the map. A null value removes the key. */
export const withMapEntry = <V>(map: ReadonlyMap<string, V>, key: string, value: V | null): ReadonlyMap<string, V> => {
  const next = new Map(map);
  if (value === null) next.delete(key);
  else next.set(key, value);
  return next;
};
