import { BrowserWindow } from 'electron';
import { watchWaiting } from '../host/watchWaiting.ts';
import { watchWork } from '../host/watchWork.ts';
import type { HostWords } from '../host/words.ts';
import type { createNotices } from './createNotices.ts';
import { createTray } from './createTray.ts';
import type { createReview } from './reviewWindow.ts';
import type { MainWindow } from './showWindow.ts';
import type { Behind } from './startBehind.ts';
import { showBadge, showProgress } from './window/showCounts.ts';

type Parts = {
  main: MainWindow;
  review: ReturnType<typeof createReview>;
  notices: ReturnType<typeof createNotices>;
  words: HostWords;
};

/** The tray, the badge, the progress bar, the notifications and the windows follow what waits and what runs. */
export const showOutside = ({ running, updates }: Behind, { main, review, notices, words }: Parts) => {
  const tray = createTray({
    showWindow: main.show,
    review: review.open,
    pause: (paused) => void running.handlers['app.pause']({ paused }),
    words,
  });
  watchWaiting(running, (waiting) => {
    review.keep(waiting);
    tray.showWaiting(waiting);
    notices.keep(waiting);
    showBadge(waiting.length, main.current(), words.say);
    void updates?.look();
  });
  watchWork(running, (work) => {
    tray.showWork(work);
    showProgress(work, main.current());
    void updates?.look();
  });
  running.onChanged((topic) => {
    for (const window of BrowserWindow.getAllWindows()) window.webContents.send('companion:changed', topic);
  });
  return tray;
};
