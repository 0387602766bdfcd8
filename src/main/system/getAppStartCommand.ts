import { app } from 'electron';
import { createDesktopCommand, type StartCommand } from '../../host/clients/startCommand.ts';

/** Returns the command that other programs use to start the CLI of this copy. */
export const getAppStartCommand = (): StartCommand =>
  createDesktopCommand({
    platform: process.platform,
    env: process.env,
    program: process.execPath,
    appDir: app.isPackaged ? null : app.getAppPath(),
    noSandbox: app.commandLine.hasSwitch('no-sandbox'),
  });
