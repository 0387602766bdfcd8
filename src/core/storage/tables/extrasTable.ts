import * as z from 'zod';
import { type Asker, toAskerId } from '../../base/request.ts';
import type { Db } from '../database.ts';

const row = z.object({
  extras_approval_id: z.string(),
  asker: z.string(),
  asker_id: z.string(),
  remaining: z.int(),
  made_at: z.int(),
});
export type ExtrasRow = z.infer<typeof row>;
const rows = z.array(row);

export type ExtrasTable = ReturnType<typeof createExtrasTable>;

export const createExtrasTable = (db: Db) => {
  const open = db.prepare('select * from extras_books where account = ? and remaining > 0 order by rowid desc');
  const clear = db.prepare('update extras_books set remaining = 0 where account = ?');
  const add = db.prepare(
    `insert or replace into extras_books (extras_approval_id, account, asker, asker_id, remaining, made_at)
     values (?, ?, ?, ?, ?, ?)`,
  );
  const take = db.prepare(
    'update extras_books set remaining = remaining - 1 where extras_approval_id = ? and remaining > 0',
  );
  const giveBack = db.prepare('update extras_books set remaining = remaining + 1 where extras_approval_id = ?');
  return {
    open: (account: string): ExtrasRow[] => rows.parse(open.all(account)),
    clear: (account: string): void => void clear.run(account),
    replace: (account: string, by: Asker, made: { extrasApprovalId: string; count: number; at: number }): void =>
      db.transaction(() => {
        clear.run(account);
        const { extrasApprovalId, count, at } = made;
        add.run(extrasApprovalId, account, by.kind === 'person' ? '' : by.name, toAskerId(by), count, at);
      })(),
    take: (extrasApprovalId: string): void => void take.run(extrasApprovalId),
    giveBack: (extrasApprovalId: string): void => void giveBack.run(extrasApprovalId),
    /** Ends the extras of every account. A restored database does not show which extras were used after the backup. */
    endAll: (): void => void db.prepare('update extras_books set remaining = 0').run(),
  };
};
