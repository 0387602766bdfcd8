import { BrowserWindow, Notification } from 'electron';
import type { ApprovalView } from '../core/storage/tables/approvalRecord.ts';
import { Problem, toProblemView, type ProblemView } from '../core/base/problem.ts';
import { maxNoticeLengths, type Notice, type NoticeKind, type Notify } from '../core/base/ports.ts';
import type { ShownPrompt } from '../core/presence/windowSessions.ts';
import { toNoticeText, findApproveLabel } from '../host/noticeText.ts';
import type { NotificationSession } from '../host/runCompanion.ts';
import type { HostTranslator } from '../host/hostTranslator.ts';
import type { PendingApproval } from './tray/pendingApprovals.ts';

type NotificationsContext = {
  showWindow: (place?: string) => void;
  review: (approvalId: string) => void;
  reviewBatch: (batchId: string) => void;
  /** Opens a window session for one notification with an approve button, which shows this prompt from now on. */
  showPrompt: (prompt: ShownPrompt) => Promise<NotificationSession>;
  translator: HostTranslator;
};

const informational: ReadonlySet<NoticeKind> = new Set(['written', 'sales']);

/** A click on the notification opens the window, at `place` if `place` is set. */
export type PlainNotice = Pick<Notice, 'title' | 'text' | 'says' | 'place'>;

export type Notifications = {
  notify: Notify;
  show: (notice: PlainNotice) => void;
  /** Says why an act changed nothing. */
  showProblem: (problem: ProblemView) => void;
  setPending: (waiting: readonly PendingApproval[]) => void;
};

const createNoticeContent = (
  translator: HostTranslator,
  shown: PlainNotice,
  maxLength?: number,
): { title: string; body: string } => {
  const { title, text } = toNoticeText(translator, shown, maxLength);
  return { title, body: text };
};

const createPlainNotifications = ({
  showWindow,
  translator,
}: Pick<NotificationsContext, 'showWindow' | 'translator'>) => {
  // JavaScript would garbage-collect a notification without a reference before the person clicks it.
  const open = new Set<Notification>();
  return (notice: PlainNotice): void => {
    if (!Notification.isSupported()) return;
    const notification = new Notification(createNoticeContent(translator, notice));
    open.add(notification);
    notification.on('close', () => open.delete(notification));
    notification.on('click', () => {
      open.delete(notification);
      showWindow(notice.place);
    });
    notification.show();
  };
};

type ApprovalActions = {
  review: (id: string) => void;
  showPrompt: (prompt: ShownPrompt) => Promise<NotificationSession>;
  giveYes: (approvalId: string, session: Promise<NotificationSession>) => void;
};

/** Keeps the window session of one notification until its button is pressed or it is closed. */
const createSessionKeeper = () => {
  let kept: Promise<NotificationSession> | null = null;
  const take = (): Promise<NotificationSession> | null => {
    const taken = kept;
    kept = null;
    return taken;
  };
  return {
    keep: (session: Promise<NotificationSession>): void => {
      kept = session;
      // If the session could not be opened, the prompt opens when the person presses the button.
      session.catch(() => undefined);
    },
    take,
    close: (): void =>
      void take()?.then(
        ({ close }) => close(),
        () => undefined,
      ),
  };
};

const createApprovalNotifications = (translator: HostTranslator) => {
  const byId = new Map<string, Notification>();
  return {
    show: (notice: Notice, id: string, { review, showPrompt, giveYes }: ApprovalActions): void => {
      if (byId.has(id) || !Notification.isSupported()) return;
      const [reviewLabel, notNow] = [translator.format('shell.review'), translator.format('shell.notNow')];
      const yes = findApproveLabel(translator, notice);
      const maxLength = yes === null ? maxNoticeLengths.text : maxNoticeLengths.textWithYes;
      const labels = [...(yes === null ? [] : [yes]), reviewLabel, notNow];
      const actions = labels.map((text) => ({ type: 'button' as const, text }));
      const notification = new Notification({
        ...createNoticeContent(translator, notice, maxLength),
        actions,
        timeoutType: 'never',
      });
      // The system might still list a notification after `close`, and a second `close` removes it from the list.
      byId.set(id, notification);
      const openReview = (): void => {
        notification.close();
        review(id);
      };
      notification.on('click', openReview);
      notification.on('action', ({ actionIndex }) => {
        const pressed = labels[actionIndex];
        const isYes = yes !== null && pressed === yes;
        // Only the approve button may approve. If the system does not name the button, the prompt opens.
        if (!isYes && pressed !== notNow) return openReview();
        if (!isYes) return notification.close();
        // Without the system's `show` event, nothing says that the notification was drawn.
        const session = shown.take();
        if (session === null) return openReview();
        notification.close();
        giveYes(id, session);
      });
      const shown = createSessionKeeper();
      notification.on('close', shown.close);
      if (notice.yes && yes !== null) {
        const { digest } = notice.yes;
        notification.once('show', () => shown.keep(showPrompt({ approvalId: id, digest })));
      }
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

/** A notification about an approval appears once. "Not now" closes the notification but does not decline. */
export const createNotifications = ({
  showWindow,
  review,
  reviewBatch,
  showPrompt,
  translator,
}: NotificationsContext): Notifications => {
  const show = createPlainNotifications({ showWindow, translator });
  const approvalNotices = createApprovalNotifications(translator);

  const showProblem = ({ says, sentence }: ProblemView): void =>
    show({ title: translator.format('shell.nothingChanged'), text: translator.translate(says, sentence) });

  const approveFromNotification = async (approvalId: string, session: Promise<NotificationSession>): Promise<void> => {
    const approveAndClose = async ({ approve, close }: NotificationSession): Promise<ApprovalView> =>
      approve().finally(close);
    const now = await session.then(approveAndClose).catch((error: unknown) => {
      // The prompt opens too, but cannot say why the button had no effect.
      if (error instanceof Problem) showProblem(toProblemView(error));
      return null;
    });
    if (!now || now.state === 'pending') review(now?.approvalId ?? approvalId);
    else
      show({
        title: now.prompt.target?.title ?? translator.translate(now.prompt.says?.act, now.prompt.act),
        text: now.outcome
          ? translator.translate(now.outcome.says, now.outcome.sentence)
          : translator.format('shell.decided'),
      });
  };

  const createNoticeActions = (open: (id: string) => void): ApprovalActions => ({
    review: open,
    showPrompt,
    giveYes: (approvalId, session) => void approveFromNotification(approvalId, session),
  });

  const notify: Notify = (notice) => {
    // The window already shows this news if the window has the focus.
    const isSeen = informational.has(notice.kind) && BrowserWindow.getFocusedWindow() !== null;
    if (isSeen) return;
    // One notification represents all rows of a batch. The person can approve a batch only in the main window.
    const { yes: _yes, ...withoutYes } = notice;
    if (notice.batchId !== undefined)
      approvalNotices.show(withoutYes, notice.batchId, createNoticeActions(reviewBatch));
    else if (notice.approvalId !== undefined)
      approvalNotices.show(notice, notice.approvalId, createNoticeActions(review));
    else show(notice);
  };

  return {
    notify,
    show,
    showProblem,
    setPending: (waiting) => approvalNotices.withdrawOthers(new Set(waiting.map(({ id }) => id))),
  };
};
