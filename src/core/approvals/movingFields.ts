import * as z from 'zod';
import { listing as listingShape } from '../../contract/index.ts';
import type { Db } from '../storage/database.ts';
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
export const createMovingFields = (db: Db) => {
  const moving = db.prepare('select field from field_moves where account = ? and moves = 1').pluck();
  const written = db.prepare('select 1 from field_writes where account = ? and field = ?').pluck();
  const noteWrite = db.prepare('insert or ignore into field_writes (account, field) values (?, ?)');
  const stop = db.prepare('delete from field_moves where account = ? and field = ?');
  const see = db
    .prepare(
      `insert into field_moves (account, field, seen) values (?, ?, 1)
       on conflict (account, field) do update set seen = seen + 1 returning seen`,
    )
    .pluck();
  const move = db.prepare('update field_moves set moves = 1 where account = ? and field = ?');

  return {
    /** The fields that are not bound. */
    of: (account: string): ReadonlySet<string> => new Set(z.array(z.string()).parse(moving.all(account))),
    /** A field that any asker ever wrote is always bound. */
    written: (account: string, body: unknown): void => {
      if (body === null || typeof body !== 'object') return;
      for (const field of Object.keys(body)) {
        if (named.has(field)) continue;
        noteWrite.run(account, field);
        stop.run(account, field);
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
        if (part !== 'listing' || named.has(field) || written.get(account, field) !== undefined) return [];
        fields.set(field, [...(fields.get(field) ?? []), one]);
      }
      return [...fields].flatMap(([field, all]) => {
        const times = z.int().parse(see.get(account, field));
        if (times < 2 || !all.every(({ before, after }) => isCountOrTime(before) && isCountOrTime(after))) return [];
        move.run(account, field);
        return [field];
      });
    },
  };
};
