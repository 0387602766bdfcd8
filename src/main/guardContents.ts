import { app, session, type WebContents } from 'electron';
import { openLink } from './openLink.ts';
import { appOrigin, isOwnAddress } from './appAddress.ts';

const guard = (contents: WebContents): void => {
  contents.on('will-navigate', (event) => {
    if (!isOwnAddress(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!isOwnAddress(event.url)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    void openLink(url);
    return { action: 'deny' };
  });
};

/** No window ever leaves the app, opens another one, or is given a permission; links open in the person's browser. */
export const guardContents = (): void => {
  app.on('web-contents-created', (_event, contents) => guard(contents));
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  session.defaultSession.setPermissionCheckHandler(() => false);
  session.defaultSession.setDevicePermissionHandler(() => false);
  // What a window saves it has made itself; the system asks the person where to.
  session.defaultSession.on('will-download', (event, item) => {
    if (!item.getURL().startsWith(`blob:${appOrigin}/`)) event.preventDefault();
  });
};
