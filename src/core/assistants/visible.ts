import type { Scope } from './scope.ts';
import { isRecord } from '../base/unknownRecord.ts';
import type { Asker } from '../base/asker.ts';

/** An answer as an asker may see it: without what is about listings that it may not touch, in whichever list it stands. */
export const visibleTo = (scope: Scope, by: Asker, answer: unknown): unknown => {
  if (scope.seesAll(by)) return answer;
  const mayBeSeen = (one: unknown): boolean =>
    !isRecord(one) || typeof one['listingId'] !== 'string' || scope.mayTouch(by, one['listingId']);
  const seen = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter(mayBeSeen).map(seen);
    return isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, seen(part)]))
      : value;
  };
  return seen(answer);
};
