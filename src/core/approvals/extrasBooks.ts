import * as z from 'zod';
import { extrasApprovalId, limits } from '../../contract/index.ts';
import type { Clock } from '../base/ports.ts';
import { bodyOf, recordOf } from '../base/json.ts';
import type { ExtrasTable } from '../storage/tables/extrasTable.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import { type Asker, askerIdOf } from '../base/request.ts';

export type ExtrasBooks = ReturnType<typeof createExtrasBooks>;

/**
 * Whose extras are whose. The service holds one approval for the companion's key and cannot tell its askers apart, so the
 * companion keeps the books: an asker spends only what it was given itself, and a newer approval ends what others have left.
 */
export const createExtrasBooks = (table: ExtrasTable, clock: Clock, account: () => string) => {
  const rows = () => table.open(account(), clock.now() - limits.extras.approvalLifeMs);

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
      table.replace(account(), by, extrasApprovalId, count, clock.now()),
    /** Extras were turned off: every approval has ended. */
    ended: (): void => table.clear(account()),
    /** One is on its way: counted before it is sent, so that a crash spends none twice. */
    take: table.take,
    /** One was spent that the service took from whatever is open. */
    takeAny: (): void => {
      const [newest] = rows();
      if (newest) table.take(newest.extras_approval_id);
    },
    giveBack: table.giveBack,
  };
};

const approved = z.looseObject({ approvalId: extrasApprovalId });

/** Keeps the books by what an approved request did: extras set aside, all of them ended, or one spent for a writing. */
export const noteExtras = (books: ExtrasBooks, { asker, route, subject }: ApprovalRow, answer: unknown): void => {
  const body = recordOf(bodyOf(subject.request.input));
  if (route === 'approveExtras') {
    const parsed = approved.safeParse(answer);
    if (parsed.success) books.approved(asker, parsed.data.approvalId, Number(body['count'] ?? 0));
  }
  if (route === 'setExtras' && body['enabled'] === false) books.ended();
  const isExtra = route === 'generateListing' && subject.version === 2 && subject.context['kind'] === 'extra';
  if (isExtra) books.takeAny();
};
