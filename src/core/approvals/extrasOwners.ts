import * as z from 'zod';
import { extrasApprovalId, limits } from '../../contract/index.ts';
import type { Clock } from '../base/ports.ts';
import type { StoredAges } from '../base/storedAges.ts';
import { bodyOf, recordOf } from '../base/json.ts';
import type { ExtrasTable } from '../storage/tables/extrasTable.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import { type Asker, askerIdOf } from '../base/request.ts';

type Parts = { table: ExtrasTable; clock: Clock; ages: StoredAges; account: () => string };

export type ExtrasOwners = ReturnType<typeof createExtrasOwners>;

/**
 * Whose extras are whose. The service holds one approval for the companion's key and cannot tell its askers apart, so the
 * companion keeps the books: an asker spends only what it was given itself, and a newer approval ends what others have left.
 */
export const createExtrasOwners = ({ table, clock, ages, account }: Parts) => {
  const rows = (whose = account()) =>
    table.open(whose).filter((row) => ages.ageMs(row.extras_approval_id, row.made_at) < limits.extras.approvalLifeMs);

  return {
    /** The approval that an asker may spend, and how much of it is left. */
    of: (by: Asker): { extrasApprovalId: string; remaining: number } | null => {
      const own = rows().find(({ asker_id }) => asker_id === askerIdOf(by));
      return own ? { extrasApprovalId: own.extras_approval_id, remaining: own.remaining } : null;
    },
    /** What is left to whom; a newer approval ends it. */
    left: (): { extrasApprovalId: string; asker: string; left: number }[] =>
      rows().map(({ extras_approval_id, asker, remaining }) => ({
        extrasApprovalId: extras_approval_id,
        asker,
        left: remaining,
      })),
    /** The person approved extras for an asker, as that account. */
    approved: (whose: string, by: Asker, extrasApprovalId: string, count: number): void => {
      ages.note(extrasApprovalId);
      table.replace(whose, by, { extrasApprovalId, count, at: clock.now() });
    },
    /** That account turned extras off: every approval of it has ended. */
    ended: (whose: string): void => table.clear(whose),
    /** One is on its way: counted before it is sent, so that a crash spends none twice. */
    take: table.take,
    /** One was spent that the service took from whatever that account has open. */
    takeAny: (whose: string): void => {
      const [newest] = rows(whose);
      if (newest) table.take(newest.extras_approval_id);
    },
    giveBack: table.giveBack,
  };
};

const approved = z.looseObject({ approvalId: extrasApprovalId });

/**
 * Keeps the books of the account that asked by what an approved request did: extras set aside, all of them ended, or one
 * spent for a writing.
 */
export const noteExtras = (
  books: ExtrasOwners,
  { account, asker, route, subject }: ApprovalRow,
  answer: unknown,
): void => {
  const body = recordOf(bodyOf(subject.request.input));
  if (route === 'approveExtras') {
    const parsed = approved.safeParse(answer);
    if (parsed.success) books.approved(account, asker, parsed.data.approvalId, Number(body['count'] ?? 0));
  }
  if (route === 'setExtras' && body['enabled'] === false) books.ended(account);
  const isExtra = route === 'generateListing' && subject.version === 2 && subject.context['kind'] === 'extra';
  if (isExtra) books.takeAny(account);
};
