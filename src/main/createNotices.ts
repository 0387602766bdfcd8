import { Notification } from 'electron';
import type { ApprovalView } from '../core/approvals/approval.ts';
import type { Notice, Notify } from '../core/ports.ts';
import { plainLine } from '../host/plainLine.ts';

type Parts = { showWindow: () => void; review: (approvalId: string) => void };

const buttons = [
  { type: 'button', text: 'Review' },
  { type: 'button', text: 'Not now' },
] as const;

const wordsOf = ({ title, text }: Notice) => ({ title: plainLine(title, 120), body: plainLine(text, 240) });

/**
 * Shows notices outside the window. One about an approval has its buttons, comes once, and is withdrawn when the
 * approval waits no more; "Not now" only puts it away.
 */
export const createNotices = ({ showWindow, review }: Parts) => {
  // A notification that nothing refers to is collected before it is clicked.
  const plain = new Set<Notification>();
  const asking = new Map<string, Notification>();

  const say = (notice: Notice): void => {
    const notification = new Notification(wordsOf(notice));
    plain.add(notification);
    notification.on('close', () => plain.delete(notification));
    notification.on('click', () => {
      plain.delete(notification);
      showWindow();
    });
    notification.show();
  };

  const ask = (notice: Notice, approvalId: string): void => {
    if (asking.has(approvalId)) return;
    const notification = new Notification({ ...wordsOf(notice), actions: [...buttons], timeoutType: 'never' });
    // Kept after its close as well: it may still lie in the system's list, and closing it again takes it away there.
    asking.set(approvalId, notification);
    const open = (): void => {
      notification.close();
      review(approvalId);
    };
    notification.on('click', open);
    notification.on('action', ({ actionIndex }) => (actionIndex === 0 ? open() : notification.close()));
    notification.show();
  };

  const notify: Notify = (notice) => {
    if (!Notification.isSupported()) return;
    if (notice.approvalId === undefined) say(notice);
    else ask(notice, notice.approvalId);
  };

  return {
    notify,
    /** What waits now: notifications of anything else are withdrawn. */
    keep: (waiting: readonly ApprovalView[]): void => {
      for (const [approvalId, notification] of asking) {
        if (waiting.some((approval) => approval.approvalId === approvalId)) continue;
        asking.delete(approvalId);
        notification.close();
      }
    },
  };
};
