import { app } from 'electron';
import { createDesktopCommand, type StartCommand } from '../../host/clients/startCommand.ts';

/** Returns the command with which other programs start this copy's CLI. */
export const startOfThisApp = (): StartCommand =>
  createDesktopCommand({
    platform: process.platform,
    env: process.env,
    program: process.execPath,
    appDir: app.isPackaged ? null : app.getAppPath(),
    noSandbox: app.commandLine.hasSwitch('no-sandbox'),
  });
