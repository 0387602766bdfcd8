import { BrowserWindow, Notification } from 'electron';
import type { ApprovalView } from '../core/storage/tables/approvalRecord.ts';
import { noticeLengths, type Notice, type NoticeKind, type Notify } from '../core/base/ports.ts';
import { shownWords, shownYes } from '../host/noticeShown.ts';
import type { HostWords } from '../host/words.ts';
import type { WaitingQuestions } from './waitingQuestions.ts';

type Parts = {
  showWindow: (place?: string) => void;
  review: (approvalId: string) => void;
  /** Opens the window at a batch. */
  reviewBatch: (batchId: string) => void;
  /** Gives the yes that a notification offered, and answers the approval as it then is. */
  approve: (approvalId: string, digest: string) => Promise<ApprovalView>;
  words: HostWords;
};

/** News that asks for nothing. */
const passing: ReadonlySet<NoticeKind> = new Set(['written', 'sales']);

/** What is said without an approval: a click opens the window, at a place where one is named. */
export type Shown = Pick<Notice, 'title' | 'text' | 'says' | 'place'>;

const wordsOf = (words: HostWords, said: Shown, most?: number): { title: string; body: string } => {
  const { title, text } = shownWords(words, said, most);
  return { title, body: text };
};

/**
 * Shows notices outside the window. One about an approval has its buttons, comes once, and is withdrawn when the
 * approval or the batch waits no more; "Not now" only puts it away.
 */
export const createNotices = ({ showWindow, review: openReview, reviewBatch, approve, words }: Parts) => {
  const { say: speak, translate } = words;
  // A notification that nothing refers to is collected before it is clicked.
  const plain = new Set<Notification>();
  /** By the approval or the batch that it is about. */
  const asking = new Map<string, Notification>();

  const say = (notice: Shown): void => {
    if (!Notification.isSupported()) return;
    const notification = new Notification(wordsOf(words, notice));
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
        title: now.prompt.target?.title ?? translate(now.prompt.says?.act, now.prompt.act),
        text: now.outcome ? translate(now.outcome.says, now.outcome.sentence) : speak('shell.decided'),
      });
  };

  const ask = (notice: Notice, askedId: string, review: (askedId: string) => void): void => {
    if (asking.has(askedId)) return;
    const [look, notNow] = [speak('shell.review'), speak('shell.notNow')];
    const yes = shownYes(words, notice);
    const most = yes === null ? noticeLengths.text : noticeLengths.textWithYes;
    const labels = [...(yes === null ? [] : [yes]), look, notNow];
    const actions = labels.map((text) => ({ type: 'button' as const, text }));
    const notification = new Notification({ ...wordsOf(words, notice, most), actions, timeoutType: 'never' });
    // Kept after its close as well: it may still lie in the system's list, and closing it again takes it away there.
    asking.set(askedId, notification);
    const open = (): void => {
      notification.close();
      review(askedId);
    };
    notification.on('click', open);
    notification.on('action', ({ actionIndex }) => {
      const pressed = labels[actionIndex];
      if (pressed === look) return open();
      notification.close();
      if (pressed !== notNow && notice.yes) void giveYes(askedId, notice.yes.digest);
    });
    notification.show();
  };

  const notify: Notify = (notice) => {
    // Who looks at the window sees it there.
    const isSeen = passing.has(notice.kind) && BrowserWindow.getFocusedWindow() !== null;
    if (isSeen) return;
    if (notice.approvalId === undefined && notice.batchId === undefined) return say(notice);
    if (!Notification.isSupported()) return;
    // One for all rows of a batch, which the large window has the room for; its yes is given there.
    const { yes: _yes, ...withoutYes } = notice;
    if (notice.batchId !== undefined) ask(withoutYes, notice.batchId, reviewBatch);
    else if (notice.approvalId !== undefined) ask(notice, notice.approvalId, openReview);
  };

  return {
    notify,
    /** Says something of the shell's own. */
    say,
    /** What waits now: notifications of anything else are withdrawn. */
    keep: ({ approvals, batches }: WaitingQuestions): void => {
      const ids = new Set([...approvals.map(({ approvalId }) => approvalId), ...batches.map(({ batchId }) => batchId)]);
      for (const [askedId, notification] of asking) {
        if (ids.has(askedId)) continue;
        asking.delete(askedId);
        notification.close();
      }
    },
  };
};
