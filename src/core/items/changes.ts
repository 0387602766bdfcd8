import { randomUUID } from 'node:crypto';

/** Numbers every change of an item, so that a window asks only for what is new since it last asked. */
export const createChanges = () => {
  const run = randomUUID();
  const last = new Map<string, number>();
  let count = 0;
  const mark = (account: string): string => `${run} ${account} ${count}`;
  return {
    note: (itemId: string): void => void last.set(itemId, ++count),
    mark,
    /** Tells whether an item changed since that mark. Everything has for null, another run's or another account's. */
    since: (before: string | null, account: string): ((itemId: string) => boolean) => {
      const known = before?.startsWith(`${run} ${account} `) ? Number(before.split(' ').at(-1)) : -1;
      return (itemId) => (last.get(itemId) ?? 0) > known;
    },
  };
};
