import { app } from 'electron';

const relaunchArguments = (): string[] => {
  const [, ...given] = process.argv;
  const at = given.indexOf('--restore');
  // A backup that was named on the command line has been restored already.
  return given.filter((word, place) => !word.startsWith('--restore') && (at === -1 || place !== at + 1));
};

const relaunchApp = (): void => {
  // The program inside an AppImage disappears when the process ends, so the AppImage file itself is started.
  const { APPIMAGE: execPath } = process.env;
  app.relaunch({ args: relaunchArguments(), ...(execPath ? { execPath } : {}) });
};

/** Quits the app and starts it, unless the person keeps the app running. */
export const restartApp = (): void => {
  app.once('quit', relaunchApp);
  app.quit();
};

/** Called if the person keeps the app running, so that a later quit does not start it. */
export const cancelRestart = (): void => void app.off('quit', relaunchApp);
