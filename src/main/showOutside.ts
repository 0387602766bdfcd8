import { BrowserWindow } from 'electron';
import type { ApprovalView } from '../core/storage/tables/approvalRecord.ts';
import { watchWaiting } from '../host/watchWaiting.ts';
import { watchWork } from '../host/watchWork.ts';
import type { HostWords } from '../host/words.ts';
import type { Notices } from './createNotices.ts';
import { followTheme } from './system/followTheme.ts';
import { createTray, type CompanionTray } from './createTray.ts';
import type { ReviewWindow } from './reviewWindow.ts';
import type { MainWindow } from './showWindow.ts';
import type { Behind } from './startBehind.ts';
import { countOf, waitingQuestions } from './waitingQuestions.ts';
import { showBadge, showProgress } from './window/showCounts.ts';

type ShowOutsideContext = {
  main: MainWindow;
  review: ReviewWindow;
  notices: Notices;
  words: HostWords;
};

/**
 * The tray, the badge, the progress bar, the notifications and the windows follow what waits and what runs; menus and
 * dialogs follow the theme that is set.
 */
export const showOutside = (
  { running, updates }: Behind,
  { main, review, notices, words }: ShowOutsideContext,
): CompanionTray => {
  const tray = createTray({
    showWindow: main.show,
    review: review.open,
    pause: (paused) => void running.handlers['app.pause']({ paused }),
    words,
  });
  let newest: readonly ApprovalView[] = [];
  const show = async (waiting: readonly ApprovalView[]): Promise<void> => {
    newest = waiting;
    const batches = await running.handlers['batch.list']({}).catch(() => []);
    // Told again while this was read: that is the newer one.
    if (newest !== waiting) return;
    const pending = waitingQuestions(waiting, batches);
    tray.showWaiting(pending);
    notices.keep(pending);
    showBadge(countOf(pending), main.current(), words.say);
  };
  watchWaiting(running, (waiting) => {
    review.keep(waiting);
    void show(waiting);
    void updates?.look();
  });
  watchWork(running, (work) => {
    tray.showWork(work);
    showProgress(work, main.current());
    void updates?.look();
  });
  running.onChanged((topic) => {
    for (const { webContents } of BrowserWindow.getAllWindows())
      // One that comes back reads everything anew.
      if (!webContents.isCrashed()) webContents.send('companion:changed', topic);
  });
  followTheme(running);
  return tray;
};
