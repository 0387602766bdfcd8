import type { Scope } from './scope.ts';
import type { Asker } from '../base/asker.ts';

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object';

/** An answer as an asker may see it: without what is about listings that it may not touch, in whichever list it stands. */
export const visibleTo = (scope: Scope, by: Asker, answer: unknown): unknown => {
  if (scope.seesAll(by)) return answer;
  const mayBeSeen = (one: unknown): boolean =>
    !isObject(one) || typeof one['listingId'] !== 'string' || scope.mayTouch(by, one['listingId']);
  const seen = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter(mayBeSeen).map(seen);
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, seen(part)]))
      : value;
  };
  return seen(answer);
};
