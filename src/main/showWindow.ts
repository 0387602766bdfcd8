import { BrowserWindow, nativeTheme, screen } from 'electron';
import { appOrigin } from './appAddress.ts';
import { windowPreferences } from './windowPreferences.ts';
import { rememberWindow } from './window/rememberWindow.ts';
import { windowBounds } from './window/windowBounds.ts';
import type { createWindowMemory } from './window/windowMemory.ts';

type Parts = {
  outDir: string;
  memory: ReturnType<typeof createWindowMemory>;
  /** The window has gone and the companion goes on. */
  onClosed: () => void;
};

/** What is seen before the page has painted: as light or dark as the page will be. */
const paper = (): string => (nativeTheme.shouldUseDarkColors ? '#1b1916' : '#faf9f6');

const createWindow = ({ outDir, memory }: Parts): BrowserWindow => {
  const main = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id);
  const window = new BrowserWindow({
    ...windowBounds(memory.now().bounds, [main.workArea, ...others.map(({ workArea }) => workArea)]),
    minWidth: 420,
    minHeight: 480,
    show: false,
    title: 'Listing Companion',
    autoHideMenuBar: true,
    backgroundColor: paper(),
    webPreferences: windowPreferences(outDir),
  });
  if (memory.now().maximized) window.maximize();
  rememberWindow(window, memory);
  window.once('ready-to-show', () => window.show());
  return window;
};

export type MainWindow = ReturnType<typeof createMainWindow>;

/** The companion's one large window: it is opened, brought to the front, and led to a place in it. */
export const createMainWindow = (parts: Parts) => {
  let window: BrowserWindow | null = null;

  const open = (hash: string): void => {
    window = createWindow(parts);
    window.on('closed', () => {
      window = null;
      parts.onClosed();
    });
    void window.loadURL(`${appOrigin}/index.html${hash}`);
  };

  return {
    current: (): BrowserWindow | null => window,
    /** Brings the window to the front, opening it if it is closed; at a place in it ("/settings"), when one is named. */
    show: (place?: string): void => {
      const hash = place === undefined ? '' : `#${place}`;
      if (window === null) return open(hash);
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
      // Within the page: the screen changes, nothing is loaded again.
      if (hash !== '') void window.webContents.executeJavaScript(`location.hash=${JSON.stringify(hash)}`);
    },
  };
};
