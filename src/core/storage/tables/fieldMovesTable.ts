import * as z from 'zod';
import { type Db, textValues } from '../database.ts';

export type FieldMovesTable = ReturnType<typeof createFieldMovesTable>;

/** Creates the table of fields that the service changes by itself, and of fields that the companion has written. */
export const createFieldMovesTable = (db: Db) => {
  const moving = db.prepare('select field from field_moves where account = ? and moves = 1').pluck();
  const written = db.prepare('select 1 from field_writes where account = ? and field = ?').pluck();
  const noteWrite = db.prepare('insert or ignore into field_writes (account, field) values (?, ?)');
  const stop = db.prepare(
    `delete from field_moves where account = @account and (field = @field or substr(field, 1, length(@field) + 1) = @field || '.')`,
  );
  const see = db
    .prepare(
      `insert into field_moves (account, field, seen) values (?, ?, 1)
       on conflict (account, field) do update set seen = seen + 1 returning seen`,
    )
    .pluck();
  const move = db.prepare('update field_moves set moves = 1 where account = ? and field = ?');
  return {
    moving: (account: string): string[] => textValues.parse(moving.all(account)),
    isWritten: (account: string, field: string): boolean => written.get(account, field) !== undefined,
    /** A field that the companion writes, and its subfields, no longer count as changed by the service. */
    noteWrite: (account: string, field: string): void => {
      noteWrite.run(account, field);
      stop.run({ account, field });
    },
    /** Counts one more difference of a field, and returns how many there were. */
    see: (account: string, field: string): number => z.int().parse(see.get(account, field)),
    move: (account: string, field: string): void => void move.run(account, field),
  };
};
