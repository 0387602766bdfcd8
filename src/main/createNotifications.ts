import { BrowserWindow, Notification } from 'electron';
import type { ApprovalView } from '../core/storage/tables/approvalRecord.ts';
import { noticeLengths, type Notice, type NoticeKind, type Notify } from '../core/base/ports.ts';
import { noticeText, noticeActionLabel } from '../host/noticeText.ts';
import type { HostTranslator } from '../host/hostTranslator.ts';
import type { PendingApproval } from './tray/pendingApprovals.ts';

type NotificationsContext = {
  showWindow: (place?: string) => void;
  review: (approvalId: string) => void;
  /** Opens the window at a batch. */
  reviewBatch: (batchId: string) => void;
  /** Gives the yes that a notification offered, and answers the approval as it then is. */
  approve: (approvalId: string, digest: string) => Promise<ApprovalView>;
  translator: HostTranslator;
};

/** News that asks for nothing. */
const informational: ReadonlySet<NoticeKind> = new Set(['written', 'sales']);

/** A notification without an approval: a click opens the window, at a place where one is named. */
export type PlainNotice = Pick<Notice, 'title' | 'text' | 'says' | 'place'>;

/** The system's notifications of this app. */
export type Notifications = {
  notify: Notify;
  /** Shows something of the shell's own. */
  show: (notice: PlainNotice) => void;
  /** What waits now: notifications about any other approval or batch are withdrawn. */
  keep: (waiting: readonly PendingApproval[]) => void;
};

const textsOf = (
  translator: HostTranslator,
  shown: PlainNotice,
  maxLength?: number,
): { title: string; body: string } => {
  const { title, text } = noticeText(translator, shown, maxLength);
  return { title, body: text };
};

/** Notifications that ask for nothing: a click opens the window. */
const createPlainNotifications = ({
  showWindow,
  translator,
}: Pick<NotificationsContext, 'showWindow' | 'translator'>) => {
  // A notification that nothing refers to is collected before it is clicked.
  const open = new Set<Notification>();
  return (notice: PlainNotice): void => {
    if (!Notification.isSupported()) return;
    const notification = new Notification(textsOf(translator, notice));
    open.add(notification);
    notification.on('close', () => open.delete(notification));
    notification.on('click', () => {
      open.delete(notification);
      showWindow(notice.place);
    });
    notification.show();
  };
};

/** What the buttons of a notification about an approval or a batch do. */
type ApprovalActions = {
  review: (id: string) => void;
  giveYes: (approvalId: string, digest: string) => void;
};

/** Notifications about an approval or a batch, by its id: one each, until it is withdrawn. */
const createApprovalNotifications = (translator: HostTranslator) => {
  const byId = new Map<string, Notification>();
  return {
    show: (notice: Notice, id: string, { review, giveYes }: ApprovalActions): void => {
      if (byId.has(id) || !Notification.isSupported()) return;
      const [reviewLabel, notNow] = [translator.format('shell.review'), translator.format('shell.notNow')];
      const yes = noticeActionLabel(translator, notice);
      const maxLength = yes === null ? noticeLengths.text : noticeLengths.textWithYes;
      const labels = [...(yes === null ? [] : [yes]), reviewLabel, notNow];
      const actions = labels.map((text) => ({ type: 'button' as const, text }));
      const notification = new Notification({
        ...textsOf(translator, notice, maxLength),
        actions,
        timeoutType: 'never',
      });
      // Kept after its close as well: it may still lie in the system's list, and closing it again takes it away there.
      byId.set(id, notification);
      const open = (): void => {
        notification.close();
        review(id);
      };
      notification.on('click', open);
      notification.on('action', ({ actionIndex }) => {
        const pressed = labels[actionIndex];
        const isYes = yes !== null && pressed === yes;
        // Only the button itself is a yes; one that the system does not name shows the whole question.
        if (!isYes && pressed !== notNow) return open();
        notification.close();
        if (isYes && notice.yes) giveYes(id, notice.yes.digest);
      });
      notification.show();
    },
    withdrawOthers: (ids: ReadonlySet<string>): void => {
      for (const [id, notification] of byId) {
        if (ids.has(id)) continue;
        byId.delete(id);
        notification.close();
      }
    },
  };
};

/**
 * Shows notices outside the window. One about an approval has its buttons, comes once, and is withdrawn when the
 * approval or the batch waits no more; "Not now" only puts it away.
 */
export const createNotifications = ({
  showWindow,
  review,
  reviewBatch,
  approve,
  translator,
}: NotificationsContext): Notifications => {
  const show = createPlainNotifications({ showWindow, translator });
  const approvalNotices = createApprovalNotifications(translator);

  /** A yes from outside the window: its outcome is a notification too, and what changed is shown instead of sent. */
  const giveYes = async (approvalId: string, digest: string): Promise<void> => {
    const now = await approve(approvalId, digest).catch(() => null);
    if (!now || now.state === 'pending') review(now?.approvalId ?? approvalId);
    else
      show({
        title: now.prompt.target?.title ?? translator.translate(now.prompt.says?.act, now.prompt.act),
        text: now.outcome
          ? translator.translate(now.outcome.says, now.outcome.sentence)
          : translator.format('shell.decided'),
      });
  };

  const actionsWith = (open: (id: string) => void): ApprovalActions => ({
    review: open,
    giveYes: (approvalId, digest) => void giveYes(approvalId, digest),
  });

  const notify: Notify = (notice) => {
    // Who looks at the window sees it there.
    const isSeen = informational.has(notice.kind) && BrowserWindow.getFocusedWindow() !== null;
    if (isSeen) return;
    // One for all rows of a batch, which the large window has the room for; its yes is given there.
    const { yes: _yes, ...withoutYes } = notice;
    if (notice.batchId !== undefined) approvalNotices.show(withoutYes, notice.batchId, actionsWith(reviewBatch));
    else if (notice.approvalId !== undefined) approvalNotices.show(notice, notice.approvalId, actionsWith(review));
    else show(notice);
  };

  return {
    notify,
    show,
    keep: (waiting) => approvalNotices.withdrawOthers(new Set(waiting.map(({ id }) => id))),
  };
};
