import { shell, app, session, type WebContents } from 'electron';
import { appOrigin, isOwnAddress } from './appAddress.ts';

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Opens a page in the person's browser: https, or plain http on this machine; nothing else. */
export const openLink = async (address: string): Promise<void> => {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null) return;
  if (url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname))) {
    await shell.openExternal(url.href);
  }
};

/** Opens a page that the core lets through; it answers to a link that is none of the window's own buttons, too. */
type OpenPage = (url: string) => Promise<unknown>;

const guard = (contents: WebContents, openPage: OpenPage): void => {
  contents.on('will-navigate', (event) => {
    if (!isOwnAddress(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!isOwnAddress(event.url)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    // A page that is refused stays closed: the window asks about it where its link is.
    openPage(url).catch(() => undefined);
    return { action: 'deny' };
  });
};

/** The one permission that a page may have, as its Copy buttons need it: to write plain things to the clipboard. */
const isGranted = (permission: string, address: string): boolean =>
  permission === 'clipboard-sanitized-write' && isOwnAddress(address);

/**
 * No window ever leaves the app, opens another one, or is given another permission. What a window would open otherwise, as
 * by a middle click, goes the way of its links: through the core, which judges it.
 */
export const guardContents = (openPage: OpenPage): void => {
  app.on('web-contents-created', (_event, contents) => guard(contents, openPage));
  session.defaultSession.setPermissionRequestHandler((_contents, permission, decide, { isMainFrame, requestingUrl }) =>
    decide(isMainFrame && isGranted(permission, requestingUrl)),
  );
  session.defaultSession.setPermissionCheckHandler(
    (_contents, permission, origin, { isMainFrame }) => isMainFrame && isGranted(permission, origin),
  );
  session.defaultSession.setDevicePermissionHandler(() => false);
  // What a window saves it has made itself; the system asks the person where to.
  session.defaultSession.on('will-download', (event, item) => {
    if (!item.getURL().startsWith(`blob:${appOrigin}/`)) event.preventDefault();
  });
};
