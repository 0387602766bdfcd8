import { BrowserWindow } from 'electron';
import { appOrigin } from './appAddress.ts';
import { windowPreferences } from './windowPreferences.ts';

const createWindow = (outDir: string): BrowserWindow => {
  const window = new BrowserWindow({
    width: 1240,
    height: 820,
    minWidth: 420,
    minHeight: 480,
    show: false,
    title: 'Listing Companion',
    autoHideMenuBar: true,
    webPreferences: windowPreferences(outDir),
  });
  window.once('ready-to-show', () => window.show());
  return window;
};

/** Answers how to bring the one window to the front, opening it (at a place in it, when one is named) if it is closed. */
export const windowShower = (outDir: string): ((place?: string) => void) => {
  let window: BrowserWindow | null = null;
  return (place) => {
    const hash = place === undefined ? '' : `#${place}`;
    if (window === null) {
      window = createWindow(outDir);
      window.on('closed', () => {
        window = null;
      });
      void window.loadURL(`${appOrigin}/index.html${hash}`);
      return;
    }
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    // Within the page: the screen changes, nothing is loaded again.
    if (hash !== '') void window.webContents.executeJavaScript(`location.hash=${JSON.stringify(hash)}`);
  };
};
