import * as z from 'zod';
import type { Approvals } from '../approvals/approvals.ts';
import { problemText, type ProblemText } from '../base/problem.ts';
import type { AssistantChanges } from '../assistants/assistantRow.ts';
import type { Assistants } from '../assistants/assistants.ts';
import type { Offers } from '../assistants/offers.ts';
import type { Foundation } from './foundation.ts';

/** The account that was connected last: another one begins with nothing waiting and nobody let in. */
const lastAccount = 'last account';

type AccessContext = {
  foundation: Foundation;
  assistants: Assistants;
  approvals: Approvals;
  offers: Offers;
};

export type AssistantAccess = ReturnType<typeof createAssistantAccess>;

/** What follows for questions and pages when somebody's access ends: nobody who is out asks for anything any more. */
export const createAssistantAccess = ({ foundation, assistants, approvals, offers }: AccessContext) => {
  const { connection, settings, approvalsTable } = foundation;

  /** What it asked is withdrawn, and whoever waits for it wakes. */
  const withdrawOf = (assistantId: string, reason: ProblemText): void => {
    if (connection.who()) approvals.withdrawAll(connection.account(), assistantId, reason);
  };
  const change = (assistantId: string, changes: AssistantChanges): void => {
    assistants.change(assistantId, changes);
    if (!changes.paused) return;
    offers.forget(assistantId);
    withdrawOf(assistantId, problemText('APPROVAL_WITHDRAWN.paused'));
  };

  return {
    change,
    pause: (assistantId: string): void => change(assistantId, { paused: true }),
    revoke: (assistantId: string): void => {
      assistants.revoke(assistantId);
      offers.forget(assistantId);
      withdrawOf(assistantId, problemText('APPROVAL_WITHDRAWN.revoked'));
    },
    /** What was asked for one account is never done to another. */
    leaveOtherAccounts: (): void => {
      const account = connection.account();
      const before = settings.read(lastAccount, z.string());
      if (before !== null && before !== account) assistants.accountChanged();
      settings.write(lastAccount, account);
      assistants.adopt();
      for (const other of approvalsTable.waitingAccounts())
        if (other !== account) approvals.withdrawAll(other, null, problemText('APPROVAL_WITHDRAWN.account'));
    },
    /** A copy that was restored brings back questions of who is held or gone now. */
    withdrawOfSilent: (): void => {
      const waiting = approvalsTable.inState(connection.account(), 'pending', 'approved');
      const askers = waiting.flatMap(({ asker }) => (asker.kind === 'assistant' ? [asker.assistantId] : []));
      for (const assistantId of new Set(askers))
        if (!assistants.isActive(assistantId)) withdrawOf(assistantId, problemText('APPROVAL_WITHDRAWN.paused'));
    },
  };
};
