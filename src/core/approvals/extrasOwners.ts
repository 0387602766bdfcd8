import * as z from 'zod';
import { extrasApprovalId, limits } from '../../contract/index.ts';
import type { Clock } from '../base/ports.ts';
import type { StoredAgeTracker } from '../base/storedAges.ts';
import { getRequestBody, toRecordOrEmpty } from '../base/json.ts';
import type { ExtrasTable } from '../storage/tables/extrasTable.ts';
import type { ApprovalRow } from '../storage/tables/approvalsTable.ts';
import { type Asker, toAskerId } from '../base/request.ts';

type ExtrasOwnersContext = { table: ExtrasTable; clock: Clock; ages: StoredAgeTracker; account: () => string };

export type ExtrasTracker = ReturnType<typeof createExtrasTracker>;

/** Tracks the extras of each asker, because the service does not distinguish askers. */
export const createExtrasTracker = ({ table, clock, ages, account }: ExtrasOwnersContext) => {
  const listOpenExtras = (whose = account()) =>
    table.open(whose).filter((row) => ages.ageMs(row.extras_approval_id, row.made_at) < limits.extras.approvalLifeMs);

  return {
    /** Returns the extras approval that the asker may use; null if the asker has none. */
    findSpendable: (by: Asker): { extrasApprovalId: string; remaining: number } | null => {
      const own = listOpenExtras().find(({ asker_id }) => asker_id === toAskerId(by));
      return own ? { extrasApprovalId: own.extras_approval_id, remaining: own.remaining } : null;
    },
    listLeft: (): { extrasApprovalId: string; asker: string; left: number }[] =>
      listOpenExtras().map(({ extras_approval_id, asker, remaining }) => ({
        extrasApprovalId: extras_approval_id,
        asker,
        left: remaining,
      })),
    recordApproved: (whose: string, by: Asker, extrasApprovalId: string, count: number): void => {
      ages.note(extrasApprovalId);
      table.replace(whose, by, { extrasApprovalId, count, at: clock.now() });
    },
    /** Ends all extras of an account. To be called after the account turns extras off. */
    endAll: (whose: string): void => table.clear(whose),
    /** Counts an extra as used before its request is sent, so that a crash cannot spend it twice. */
    take: table.take,
    /** Counts an extra as used in the newest open approval of the account, because the service takes it from there. */
    takeAny: (whose: string): void => {
      const [newest] = listOpenExtras(whose);
      if (newest) table.take(newest.extras_approval_id);
    },
    giveBack: table.giveBack,
  };
};

const approveExtrasAnswer = z.looseObject({ approvalId: extrasApprovalId });

/** Updates the stored extras after an approved request that affects them. */
export const recordExtrasOutcome = (
  extrasOwners: ExtrasTracker,
  { account, asker, route, subject }: ApprovalRow,
  answer: unknown,
): void => {
  const body = toRecordOrEmpty(getRequestBody(subject.request.input));
  if (route === 'approveExtras') {
    const parsed = approveExtrasAnswer.safeParse(answer);
    if (parsed.success) extrasOwners.recordApproved(account, asker, parsed.data.approvalId, Number(body['count'] ?? 0));
  }
  if (route === 'setExtras' && body['enabled'] === false) extrasOwners.endAll(account);
  const isExtra = route === 'generateListing' && subject.version === 2 && subject.context['kind'] === 'extra';
  if (isExtra) extrasOwners.takeAny(account);
};
