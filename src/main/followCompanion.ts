import { app, nativeImage, nativeTheme, type BrowserWindow } from 'electron';
import { type WorkProgress, watchWorkProgress, watchPendingApprovals } from '../host/watchCompanion.ts';
import type { FormatMessage, HostTranslator } from '../host/hostTranslator.ts';
import { formatPendingCount, listPendingPrompts } from './tray/pendingApprovals.ts';
import { pendingPng } from './tray/trayImage.ts';
import type { RunningCompanion } from '../host/runCompanion.ts';
import { announceTopic } from './window/announceTopic.ts';
import type { Notifications } from './createNotifications.ts';
import { createTray, type CompanionTray } from './tray/createTray.ts';
import type { ReviewWindow } from './window/createReviewWindow.ts';
import type { MainWindow } from './window/createMainWindow.ts';
import type { Backend } from './startBackend.ts';

/** Windows has no badge count, so the taskbar icon gets an overlay. */
export const showPendingBadge = (count: number, window: BrowserWindow | null, format: FormatMessage): void => {
  app.setBadgeCount(count);
  if (process.platform !== 'win32' || window === null) return;
  window.setOverlayIcon(
    count > 0 ? nativeImage.createFromDataURL(pendingPng) : null,
    formatPendingCount(count, format),
  );
};

export const showTaskbarProgress = ({ running, done, paused }: WorkProgress, window: BrowserWindow | null): void =>
  window?.setProgressBar(running === 0 ? -1 : done, { mode: paused ? 'paused' : 'normal' });

export const followThemeSetting = ({ handlers, onChanged }: Pick<RunningCompanion, 'handlers' | 'onChanged'>): void => {
  const applyThemeSetting = async (): Promise<void> => {
    const { settings } = await handlers['app.state']({});
    if (nativeTheme.themeSource !== settings.theme) nativeTheme.themeSource = settings.theme;
  };
  void applyThemeSetting().catch(() => undefined);
  onChanged((topic) => void (topic === 'app' && applyThemeSetting().catch(() => undefined)));
};

const followRecovery = (
  { handlers, onChanged }: Pick<RunningCompanion, 'handlers' | 'onChanged'>,
  showRecovery: CompanionTray['showRecovery'],
): void => {
  const readRecovery = async (): Promise<void> =>
    showRecovery((await handlers['proofs.state']({})).recoveryLeftMs !== null);
  void readRecovery().catch(() => undefined);
  onChanged((topic) => void (topic === 'app' && readRecovery().catch(() => undefined)));
};

type FollowContext = {
  main: MainWindow;
  review: ReviewWindow;
  notices: Notifications;
  translator: HostTranslator;
  /** Pauses or resumes all work, if needed with a ceremony. */
  setPaused: (paused: boolean) => Promise<void>;
};

export const followCompanion = (
  { running, updates }: Backend,
  { main, review, notices, translator, setPaused }: FollowContext,
): CompanionTray => {
  const tray = createTray({
    showWindow: main.show,
    review: review.open,
    pause: (paused) => void setPaused(paused).catch(() => undefined),
    translator,
  });
  watchPendingApprovals(running, ({ approvals, batches }) => {
    review.setPending(approvals);
    const pending = listPendingPrompts(approvals, batches);
    tray.showPending(pending);
    notices.setPending(pending);
    showPendingBadge(pending.length, main.current(), translator.format);
    void updates?.retryInstall();
  });
  watchWorkProgress(running, (work) => {
    tray.showWork(work);
    showTaskbarProgress(work, main.current());
    void updates?.retryInstall();
  });
  running.onChanged(announceTopic);
  followThemeSetting(running);
  followRecovery(running, tray.showRecovery);
  return tray;
};
