import type { Statement } from 'better-sqlite3';
import type { Db } from '../../../src/core/storage/database.ts';

/** Counts the rows that statements of a database return: the total, and the maximum of one call. */
export const countReads = () => {
  let rows = 0;
  let most = 0;
  const note = (read: number): void => {
    rows += read;
    most = Math.max(most, read);
  };
  const counted = (statement: Statement): Statement =>
    new Proxy(statement, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]): unknown => {
          const answer: unknown = Reflect.apply(value, target, given);
          if (name === 'all') note((answer as unknown[]).length);
          if (name === 'get' && answer !== undefined) note(1);
          // `pluck` and `raw` return the statement itself, which must still be counted.
          return answer === target ? counted(target) : answer;
        };
      },
    });
  return {
    of: (db: Db): Db =>
      new Proxy(db, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== 'function') return value;
          return (...given: unknown[]): unknown => {
            const answer: unknown = Reflect.apply(value, target, given);
            return name === 'prepare' ? counted(answer as Statement) : answer;
          };
        },
      }),
    begin: (): void => {
      rows = 0;
      most = 0;
    },
    rows: (): number => rows,
    most: (): number => most,
  };
};
