import { shell, app, session, type WebContents } from 'electron';
import { appOrigin, isOwnAddress } from './appAddress.ts';

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Opens a page in the person's browser: https, or plain http on this machine; other addresses are ignored. */
export const openExternalLink = async (address: string): Promise<void> => {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null) return;
  if (url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname))) {
    await shell.openExternal(url.href);
  }
};

/** Opens a page if the core allows its address; it is also used for links that are not buttons of the window. */
type OpenPage = (url: string) => Promise<unknown>;

const guardWebContents = (contents: WebContents, openPage: OpenPage): void => {
  contents.on('will-navigate', (event) => {
    if (!isOwnAddress(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!isOwnAddress(event.url)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    // A refused page stays closed; the window shows the refusal next to its link.
    openPage(url).catch(() => undefined);
    return { action: 'deny' };
  });
};

/** Whether a permission is granted: only writing plain text to the clipboard, which Copy buttons need. */
const isPermissionGranted = (permission: string, address: string): boolean =>
  permission === 'clipboard-sanitized-write' && isOwnAddress(address);

/**
 * Prevents windows from leaving the app, opening other windows, or receiving permissions. A page that a window would
 * open, for example by a middle click, goes through the core's check.
 */
export const guardContents = (openPage: OpenPage): void => {
  app.on('web-contents-created', (_event, contents) => guardWebContents(contents, openPage));
  session.defaultSession.setPermissionRequestHandler((_contents, permission, decide, { isMainFrame, requestingUrl }) =>
    decide(isMainFrame && isPermissionGranted(permission, requestingUrl)),
  );
  session.defaultSession.setPermissionCheckHandler(
    (_contents, permission, origin, { isMainFrame }) => isMainFrame && isPermissionGranted(permission, origin),
  );
  session.defaultSession.setDevicePermissionHandler(() => false);
  // A window can save only what it created itself (blob URLs); the system asks for the target.
  session.defaultSession.on('will-download', (event, item) => {
    if (!item.getURL().startsWith(`blob:${appOrigin}/`)) event.preventDefault();
  });
};
