import { app } from 'electron';
import { listRestartArguments } from '../commandLine.ts';

const relaunchApp = (): void => {
  // The program inside an AppImage disappears when the process ends, so the AppImage file itself is started.
  const { APPIMAGE: execPath } = process.env;
  app.relaunch({
    args: listRestartArguments(process.argv, { packaged: app.isPackaged }),
    ...(execPath ? { execPath } : {}),
  });
};

/** Called if the person keeps the app running, so that a later quit does not start it. */
export const cancelRestart = (): void => void app.off('quit', relaunchApp);

/** Quits the app and starts it, unless the person keeps the app running. */
export const restartApp = (): void => {
  // A second click must not start the app twice.
  cancelRestart();
  app.once('quit', relaunchApp);
  app.quit();
};
