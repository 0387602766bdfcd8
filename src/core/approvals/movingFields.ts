import { listing as listingShape } from '../../contract/index.ts';
import type { FieldMovesTable } from '../storage/tables/fieldMovesTable.ts';
import type { Difference } from './subject.ts';

/** Fields that the interface names, and those whose meaning is known: they never move by themselves. */
const named: ReadonlySet<string> = new Set(Object.keys(listingShape.shape));

const isTime = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value));
const isCountOrTime = (value: unknown): boolean => typeof value === 'number' || isTime(value);

export type MovingFields = ReturnType<typeof createMovingFields>;

/**
 * Fields of listings that move by themselves at the service, as a counter or a time. One that the interface does not name
 * and that no asker ever wrote is shown the first time it differs; the second time it is noted for the account and no
 * longer bound.
 */
export const createMovingFields = (table: FieldMovesTable) => {
  return {
    /** The fields that are not bound. */
    of: (account: string): ReadonlySet<string> => new Set(table.moving(account)),
    /** A field that any asker ever wrote is always bound. */
    written: (account: string, body: unknown): void => {
      if (body === null || typeof body !== 'object') return;
      for (const field of Object.keys(body)) {
        if (named.has(field)) continue;
        table.noteWrite(account, field);
      }
    },
    /**
     * Notes differences that nobody here can have made; answers the fields that are not bound from now on. Differences of
     * anything else note nothing.
     */
    seen: (account: string, differences: readonly Difference[]): string[] => {
      const fields = new Map<string, Difference[]>();
      for (const one of differences) {
        const [part, field = ''] = one.path;
        if (part !== 'listing' || named.has(field) || table.isWritten(account, field)) return [];
        fields.set(field, [...(fields.get(field) ?? []), one]);
      }
      return [...fields].flatMap(([field, all]) => {
        const times = table.see(account, field);
        if (times < 2 || !all.every(({ before, after }) => isCountOrTime(before) && isCountOrTime(after))) return [];
        table.move(account, field);
        return [field];
      });
    },
  };
};
