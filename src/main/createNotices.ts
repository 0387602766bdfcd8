import { BrowserWindow, Notification } from 'electron';
import type { ApprovalView } from '../core/approvals/approval.ts';
import type { Notice, NoticeKind, Notify } from '../core/ports.ts';
import { plainLine } from '../host/plainLine.ts';
import type { HostWords } from '../host/words.ts';

type Parts = {
  showWindow: (place?: string) => void;
  review: (approvalId: string) => void;
  /** Gives the yes that a notification offered, and answers the approval as it then is. */
  approve: (approvalId: string, digest: string) => Promise<ApprovalView>;
  words: HostWords;
};

/** News that asks for nothing. */
const passing: ReadonlySet<NoticeKind> = new Set(['written', 'sales']);

/** What is said without an approval: a click opens the window, at a place where one is named. */
export type Said = Pick<Notice, 'title' | 'text' | 'says' | 'place'>;

const wordsIn =
  ({ told }: HostWords) =>
  ({ title, text, says }: Said) => ({
    title: plainLine(told(says?.title, title), 120),
    body: plainLine(told(says?.text, text), 240),
  });

/**
 * Shows notices outside the window. One about an approval has its buttons, comes once, and is withdrawn when the
 * approval waits no more; "Not now" only puts it away.
 */
export const createNotices = ({ showWindow, review: openReview, approve, words }: Parts) => {
  const { say: speak, told } = words;
  const wordsOf = wordsIn(words);
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
        title: now.prompt.target?.title ?? told(now.prompt.says?.act, now.prompt.act),
        text: now.outcome ? told(now.outcome.says, now.outcome.sentence) : speak('shell.decided'),
      });
  };

  const ask = (notice: Notice, approvalId: string): void => {
    if (asking.has(approvalId)) return;
    const [review, notNow] = [speak('shell.review'), speak('shell.notNow')];
    const yes = notice.yes ? [plainLine(told(notice.yes.says, notice.yes.label), 60)] : [];
    const labels = [...yes, review, notNow];
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
