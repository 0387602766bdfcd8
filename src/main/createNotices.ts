import { BrowserWindow, Notification } from 'electron';
import type { ApprovalView } from '../core/approvals/approval.ts';
import type { Notice, NoticeKind, Notify } from '../core/ports.ts';
import { plainLine } from '../host/plainLine.ts';

type Parts = {
  showWindow: (place?: string) => void;
  review: (approvalId: string) => void;
  /** Gives the yes that a notification offered, and answers the approval as it then is. */
  approve: (approvalId: string, digest: string) => Promise<ApprovalView>;
};

/** News that asks for nothing. */
const passing: ReadonlySet<NoticeKind> = new Set(['written', 'sales']);

const review = 'Review';
const notNow = 'Not now';

/** What is said without an approval: a click opens the window, at a place where one is named. */
export type Said = Pick<Notice, 'title' | 'text' | 'place'>;

const wordsOf = ({ title, text }: Said) => ({ title: plainLine(title, 120), body: plainLine(text, 240) });

/**
 * Shows notices outside the window. One about an approval has its buttons, comes once, and is withdrawn when the
 * approval waits no more; "Not now" only puts it away.
 */
export const createNotices = ({ showWindow, review: openReview, approve }: Parts) => {
  // A notification that nothing refers to is collected before it is clicked.
  const plain = new Set<Notification>();
  const asking = new Map<string, Notification>();

  const say = (notice: Said): void => {
    if (!Notification.isSupported()) return;
    const notification = new Notification(wordsOf(notice));
    plain.add(notification);
    notification.on('close', () => plain.delete(notification));
    notification.on('click', () => {
      plain.delete(notification);
      showWindow(notice.place);
    });
    notification.show();
  };

  /** A yes from outside the window: what came of it is said there too, and what changed is shown instead of sent. */
  const giveYes = async (approvalId: string, digest: string): Promise<void> => {
    const now = await approve(approvalId, digest).catch(() => null);
    if (!now || now.state === 'pending') openReview(now?.approvalId ?? approvalId);
    else
      say({
        title: now.prompt.target?.title ?? now.prompt.act,
        text: now.outcome?.sentence ?? 'This is decided already.',
      });
  };

  const ask = (notice: Notice, approvalId: string): void => {
    if (asking.has(approvalId)) return;
    const labels = [...(notice.yes ? [plainLine(notice.yes.label, 60)] : []), review, notNow];
    const actions = labels.map((text) => ({ type: 'button' as const, text }));
    const notification = new Notification({ ...wordsOf(notice), actions, timeoutType: 'never' });
    // Kept after its close as well: it may still lie in the system's list, and closing it again takes it away there.
    asking.set(approvalId, notification);
    const open = (): void => {
      notification.close();
      openReview(approvalId);
    };
    notification.on('click', open);
    notification.on('action', ({ actionIndex }) => {
      const pressed = labels[actionIndex];
      if (pressed === review) return open();
      notification.close();
      if (pressed !== notNow && notice.yes) void giveYes(approvalId, notice.yes.digest);
    });
    notification.show();
  };

  const notify: Notify = (notice) => {
    // Who looks at the window sees it there.
    const isSeen = passing.has(notice.kind) && BrowserWindow.getFocusedWindow() !== null;
    if (isSeen) return;
    if (notice.approvalId === undefined) say(notice);
    else if (Notification.isSupported()) ask(notice, notice.approvalId);
  };

  return {
    notify,
    /** Says something of the shell's own. */
    say,
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
