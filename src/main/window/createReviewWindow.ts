import { BrowserWindow, screen, type Rectangle, type WebContents } from 'electron';
import { systemClock } from '../../core/base/clock.ts';
import type { ApprovalView } from '../../core/storage/tables/approvalRecord.ts';
import type { FormatMessage } from '../../host/hostTranslator.ts';
import { appOrigin } from '../appAddress.ts';
import { isTrayPositionKnown, computeReviewBounds } from './windowBounds.ts';
import type { CrashLog } from '../system/crashLog.ts';
import { createPage, createReloadLimiter, createWindowPreferences } from './createPage.ts';

export type ReviewWindow = {
  open: (approvalId?: string) => void;
  /** Must be called when the person answers an approval in the window that shows `contents`. */
  noteAnswer: (contents: WebContents, approvalId: string) => void;
  /** Returns whether the window shows `contents`. */
  isShowing: (contents: WebContents) => boolean;
  setPending: (approvals: readonly ApprovalView[]) => void;
};

type ReviewContext = {
  outDir: string;
  trayBounds: () => Rectangle;
  showWindow: (place?: string) => void;
  format: FormatMessage;
  crashes: CrashLog;
};

/** Waits until the prompt closes. The delay is needed because another prompt might open at once. */
const promptClosedScript = `new Promise((resolve) => {
  let seen = false;
  let timer;
  const look = () => {
    const open = document.querySelector('[role=dialog]') !== null;
    seen ||= open;
    clearTimeout(timer);
    if (seen && !open) timer = setTimeout(resolve, 400);
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
  look();
})`;

const createReviewBrowserWindow = (outDir: string, tray: Rectangle, title: string): BrowserWindow => {
  const near = isTrayPositionKnown(tray) ? { x: tray.x, y: tray.y } : screen.getCursorScreenPoint();
  const window = new BrowserWindow({
    ...computeReviewBounds(tray, screen.getDisplayNearestPoint(near)),
    minWidth: 420,
    minHeight: 480,
    show: false,
    title,
    alwaysOnTop: true,
    minimizable: false,
    maximizable: false,
    fullscreenable: false,
    webPreferences: createWindowPreferences(outDir),
  });
  window.removeMenu();
  // The page sets one title in both windows, but this window needs a title of its own.
  window.on('page-title-updated', (event) => event.preventDefault());
  window.once('ready-to-show', () => window.show());
  return window;
};

const closeAfterPrompt = async (window: BrowserWindow): Promise<void> => {
  // Ignore a rejection: either the window has closed, or its page has crashed. After a crash, the script runs again
  // with the next load of the page.
  await window.webContents.executeJavaScript(promptClosedScript).then(
    () => !window.isDestroyed() && window.close(),
    () => undefined,
  );
};

/** The window shows only the prompt. It closes when the person closes the prompt, or when no approval is pending. */
export const createReviewWindow = ({
  outDir,
  trayBounds,
  showWindow,
  format,
  crashes,
}: ReviewContext): ReviewWindow => {
  let window: BrowserWindow | null = null;
  const mayReload = createReloadLimiter(systemClock.elapsedMs);
  let waiting: ReadonlySet<string> = new Set();
  const answeredHere = new Set<string>();

  const open: ReviewWindow['open'] = (approvalId) => {
    if (window !== null) {
      window.show();
      window.focus();
      return;
    }
    if (waiting.size === 0) return showWindow('/approvals');
    const opened = createReviewBrowserWindow(outDir, trayBounds(), format('shell.reviewTitle'));
    window = opened;
    const forgetWindow = (): void => {
      if (window !== opened) return;
      window = null;
      answeredHere.clear();
    };
    // A closing window cannot be kept open, so the next request must open a new window.
    opened.on('close', forgetWindow);
    opened.on('closed', forgetWindow);
    opened.webContents.on('did-finish-load', () => void closeAfterPrompt(opened));
    const query = approvalId === undefined ? '' : `?approval=${encodeURIComponent(approvalId)}`;
    const address = `${appOrigin}/index.html${query}#/approvals`;
    createPage(opened, { name: 'review', address, mayReload, crashes });
  };

  const isShowing: ReviewWindow['isShowing'] = (contents) => contents.id === window?.webContents.id;

  return {
    open,
    isShowing,
    noteAnswer: (contents, approvalId) => {
      if (isShowing(contents)) answeredHere.add(approvalId);
    },
    setPending: (approvals) => {
      const gone = [...waiting].filter((id) => !approvals.some(({ approvalId }) => approvalId === id));
      waiting = new Set(approvals.map(({ approvalId }) => approvalId));
      const over = waiting.size === 0 && gone.length > 0;
      // If the person has answered in this window, keep the window open, because it shows the outcome until the person
      // closes it.
      if (over && !gone.some((id) => answeredHere.has(id))) window?.close();
    },
  };
};
