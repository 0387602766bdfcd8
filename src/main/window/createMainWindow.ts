import { BrowserWindow, nativeTheme, screen } from 'electron';
import { systemClock } from '../../core/base/clock.ts';
import { appOrigin } from '../appAddress.ts';
import type { CrashLog } from '../system/crashLog.ts';
import { createWindowPreferences, createPage, type Page, createReloadLimiter } from './createPage.ts';
import { persistWindowState, type WindowStateStore } from './windowState.ts';
import { computeWindowBounds } from './windowBounds.ts';

type MainWindowContext = {
  outDir: string;
  windowState: WindowStateStore;
  crashes: CrashLog;
  /** Called when the window closes while the companion keeps running. */
  onClosed: () => void;
};

/** The window shows this colour before the first paint, so the colour must match the theme of the page. */
const choosePageBackground = (): string => (nativeTheme.shouldUseDarkColors ? '#1b1916' : '#faf9f6');

const createMainBrowserWindow = ({ outDir, windowState }: MainWindowContext): BrowserWindow => {
  const main = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id);
  const window = new BrowserWindow({
    ...computeWindowBounds(windowState.now().bounds, [main.workArea, ...others.map(({ workArea }) => workArea)]),
    minWidth: 420,
    minHeight: 480,
    show: false,
    title: 'Listing Companion',
    autoHideMenuBar: true,
    backgroundColor: choosePageBackground(),
    webPreferences: createWindowPreferences(outDir),
  });
  if (windowState.now().maximized) window.maximize();
  persistWindowState(window, windowState);
  window.once('ready-to-show', () => window.show());
  return window;
};

export type MainWindow = {
  current: () => BrowserWindow | null;
  /** Opens the window or brings it to the front. `place` is a path in the window, such as "/settings". */
  show: (place?: string) => void;
};

export const createMainWindow = (context: MainWindowContext): MainWindow => {
  const { crashes } = context;
  const mayReload = createReloadLimiter(systemClock.elapsedMs);
  let open: { window: BrowserWindow; page: Page } | null = null;

  const openWindowAt = (hash: string): void => {
    const window = createMainBrowserWindow(context);
    const page = createPage(window, { name: 'main', address: `${appOrigin}/index.html${hash}`, mayReload, crashes });
    open = { window, page };
    // A closing window cannot be kept open, so a request during the close must open a new window.
    window.on('close', () => {
      if (open?.window === window) open = null;
    });
    window.on('closed', () => {
      if (open?.window === window) open = null;
      context.onClosed();
    });
  };

  return {
    current: () => open?.window ?? null,
    show: (place) => {
      const hash = place === undefined ? '' : `#${place}`;
      if (open === null) return openWindowAt(hash);
      const { window, page } = open;
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
      if (hash === '') page.wake();
      else page.go(hash);
    },
  };
};
