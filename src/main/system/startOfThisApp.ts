import { app } from 'electron';
import { desktopCommand, type StartCommand } from '../../host/clients/startCommand.ts';

/** How other programs start the command line of this copy of the app. */
export const startOfThisApp = (): StartCommand =>
  desktopCommand({
    platform: process.platform,
    env: process.env,
    program: process.execPath,
    appDir: app.isPackaged ? null : app.getAppPath(),
    noSandbox: app.commandLine.hasSwitch('no-sandbox'),
  });
