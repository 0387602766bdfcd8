import { shell, app, session, type WebContents } from 'electron';
import { parseSafeAddress } from '../text/webAddress.ts';
import { appOrigin, isOwnAddress } from './appAddress.ts';

/** Opens a page in the person's browser. Only https is allowed, or plain http on this machine. */
export const openExternalLink = async (address: string): Promise<void> => {
  const url = parseSafeAddress(address);
  if (url !== null) await shell.openExternal(url.href);
};

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
    // Ignore a refusal here, because the window shows it next to the link.
    openPage(url).catch(() => undefined);
    return { action: 'deny' };
  });
};

/** Copy buttons write plain text to the clipboard. No other permission is granted. */
const isPermissionGranted = (permission: string, address: string): boolean =>
  permission === 'clipboard-sanitized-write' && isOwnAddress(address);

/** The core checks every address that a window tries to open. */
export const guardContents = (openPage: OpenPage): void => {
  app.on('web-contents-created', (_event, contents) => guardWebContents(contents, openPage));
  session.defaultSession.setPermissionRequestHandler((_contents, permission, decide, { isMainFrame, requestingUrl }) =>
    decide(isMainFrame && isPermissionGranted(permission, requestingUrl)),
  );
  session.defaultSession.setPermissionCheckHandler(
    (_contents, permission, origin, { isMainFrame }) => isMainFrame && isPermissionGranted(permission, origin),
  );
  session.defaultSession.setDevicePermissionHandler(() => false);
  // The window may save only blobs that it has created itself, and exported files.
  session.defaultSession.on('will-download', (event, item) => {
    const allowed = [`blob:${appOrigin}/`, `${appOrigin}/exports/`];
    if (!allowed.some((start) => item.getURL().startsWith(start))) event.preventDefault();
  });
};
