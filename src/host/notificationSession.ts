import type { Companion } from '../core/companion/createCompanion.ts';
import type { ShownPrompt } from '../core/presence/windowSessions.ts';
import type { ApprovalView } from '../core/storage/tables/approvalRecord.ts';

/** Only the notification itself can use its window session to approve. */
export type NotificationSession = { approve: () => Promise<ApprovalView>; close: () => void };

/** Opens a window session of its own for a notification that shows this whole prompt from now on. */
export const openNotificationSession = (
  { approvals }: Pick<Companion, 'approvals'>,
  { approvalId, digest }: ShownPrompt,
): NotificationSession => {
  const windowSession = approvals.windowSessions.open('notification');
  approvals.recordShown(windowSession, [{ approvalId, digest, drawnAs: 'prompt' }]);
  return {
    approve: () => approvals.approve(approvalId, digest, windowSession),
    close: () => approvals.windowSessions.close(windowSession),
  };
};
