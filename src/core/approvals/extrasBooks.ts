import * as z from 'zod';
import { extrasApprovalId, limits } from '../../contract/index.ts';
import type { Clock } from '../base/ports.ts';
import type { Db } from '../storage/database.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import { type Asker, askerIdOf } from '../base/asker.ts';

const row = z.object({ extras_approval_id: z.string(), asker: z.string(), asker_id: z.string(), remaining: z.int() });

export type ExtrasBooks = ReturnType<typeof createExtrasBooks>;

/** Ends whatever was set aside, of every account: what the books say may be spent already. */
export const endExtras = (db: Db): void => void db.prepare('update extras_books set remaining = 0').run();

/**
 * Whose extras are whose. The service holds one approval for the companion's key and cannot tell its askers apart, so the
 * companion keeps the books: an asker spends only what it was given itself, and a newer approval ends what others have left.
 */
export const createExtrasBooks = (db: Db, clock: Clock, account: () => string) => {
  const open = db.prepare(
    'select * from extras_books where account = ? and remaining > 0 and made_at > ? order by made_at desc',
  );
  const clear = db.prepare('update extras_books set remaining = 0 where account = ?');
  const add = db.prepare(
    `insert or replace into extras_books (extras_approval_id, account, asker, asker_id, remaining, made_at)
     values (?, ?, ?, ?, ?, ?)`,
  );
  const take = db.prepare(
    'update extras_books set remaining = remaining - 1 where extras_approval_id = ? and remaining > 0',
  );
  const giveBack = db.prepare('update extras_books set remaining = remaining + 1 where extras_approval_id = ?');

  const rows = () => z.array(row).parse(open.all(account(), clock.now() - limits.extras.approvalLifeMs));

  return {
    /** The approval that an asker may spend, and how much of it is left. */
    of: (by: Asker): { extrasApprovalId: string; remaining: number } | null => {
      const own = rows().find(({ asker_id }) => asker_id === askerIdOf(by));
      return own ? { extrasApprovalId: own.extras_approval_id, remaining: own.remaining } : null;
    },
    /** What is left to whom; a newer approval ends it. */
    left: (): { asker: string; left: number }[] => rows().map(({ asker, remaining }) => ({ asker, left: remaining })),
    /** The person approved extras for an asker. */
    approved: (by: Asker, extrasApprovalId: string, count: number): void =>
      db.transaction(() => {
        clear.run(account());
        const name = by.kind === 'person' ? '' : by.name;
        add.run(extrasApprovalId, account(), name, askerIdOf(by), count, clock.now());
      })(),
    /** Extras were turned off: every approval has ended. */
    ended: (): void => void clear.run(account()),
    /** One is on its way: counted before it is sent, so that a crash spends none twice. */
    take: (extrasApprovalId: string): void => void take.run(extrasApprovalId),
    /** One was spent that the service took from whatever is open. */
    takeAny: (): void => {
      const [newest] = rows();
      if (newest) take.run(newest.extras_approval_id);
    },
    giveBack: (extrasApprovalId: string): void => void giveBack.run(extrasApprovalId),
  };
};

const approved = z.looseObject({ approvalId: extrasApprovalId });

/** Keeps the books by what an approved request did: extras set aside, all of them ended, or one spent for a writing. */
export const noteExtras = (books: ExtrasBooks, { asker, route, subject }: ApprovalRow, answer: unknown): void => {
  const { body } = subject.request.input as { body?: Record<string, unknown> };
  if (route === 'approveExtras') {
    const parsed = approved.safeParse(answer);
    if (parsed.success) books.approved(asker, parsed.data.approvalId, Number(body?.['count'] ?? 0));
  }
  if (route === 'setExtras' && body?.['enabled'] === false) books.ended();
  const isExtra = route === 'generateListing' && subject.version === 2 && subject.context['kind'] === 'extra';
  if (isExtra) books.takeAny();
};
