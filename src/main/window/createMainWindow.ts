import { BrowserWindow, nativeTheme, screen } from 'electron';
import { systemClock } from '../../core/base/clock.ts';
import { appOrigin } from '../appAddress.ts';
import type { CrashLog } from '../system/crashLog.ts';
import { windowPreferences, createPage, type Page, createReloadLimit } from './createPage.ts';
import { persistWindowState, type WindowStateStore } from './windowState.ts';
import { windowBounds } from './windowBounds.ts';

type MainWindowContext = {
  outDir: string;
  windowState: WindowStateStore;
  crashes: CrashLog;
  /** The window has gone and the companion goes on. */
  onClosed: () => void;
};

/** What is seen before the page has painted: as light or dark as the page will be. */
const pageBackground = (): string => (nativeTheme.shouldUseDarkColors ? '#1b1916' : '#faf9f6');

const createMainBrowserWindow = ({ outDir, windowState }: MainWindowContext): BrowserWindow => {
  const main = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id);
  const window = new BrowserWindow({
    ...windowBounds(windowState.now().bounds, [main.workArea, ...others.map(({ workArea }) => workArea)]),
    minWidth: 420,
    minHeight: 480,
    show: false,
    title: 'Listing Companion',
    autoHideMenuBar: true,
    backgroundColor: pageBackground(),
    webPreferences: windowPreferences(outDir),
  });
  if (windowState.now().maximized) window.maximize();
  persistWindowState(window, windowState);
  window.once('ready-to-show', () => window.show());
  return window;
};

export type MainWindow = {
  current: () => BrowserWindow | null;
  /** Brings the window to the front, opening it if it is closed; at a place in it ("/settings"), when one is named. */
  show: (place?: string) => void;
};

/** The companion's one large window: it is opened, brought to the front, and led to a place in it. */
export const createMainWindow = (context: MainWindowContext): MainWindow => {
  const { crashes } = context;
  const mayReload = createReloadLimit(systemClock.elapsedMs);
  let open: { window: BrowserWindow; page: Page } | null = null;

  const openAt = (hash: string): void => {
    const window = createMainBrowserWindow(context);
    const page = createPage(window, { name: 'main', address: `${appOrigin}/index.html${hash}`, mayReload, crashes });
    open = { window, page };
    // From here on it goes, whatever is done with it: who wants a window meanwhile gets another one.
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
      if (open === null) return openAt(hash);
      const { window, page } = open;
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
      if (hash === '') page.wake();
      else page.go(hash);
    },
  };
};
