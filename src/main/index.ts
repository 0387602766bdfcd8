import { app, dialog } from 'electron';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../core/base/problem.ts';
import type { Options } from '../host/options.ts';
import { createHostWords } from '../host/words.ts';
import { arrivalHandedOver, arrivalOf, createArrivals, type Arrival, type Arrivals } from './arriving/arrivals.ts';
import { linkScheme } from './arriving/deepLinks.ts';
import { isLong, keepLong, sweepLong, takeLong } from './arriving/longArrival.ts';
import { readCommandLine } from './readCommandLine.ts';
import { registerAppScheme } from './serveAppProtocol.ts';
import { startDesktop } from './startDesktop.ts';
import { keepCrashes } from './system/keepCrashes.ts';
import { userModelId } from './system/userModelId.ts';

const fail = async (error: unknown): Promise<void> => {
  const sentence = error instanceof Problem ? error.message : String(error);
  console.error(sentence);
  const words = createHostWords([app.getLocale()]);
  await words.turnTo('system');
  const says = error instanceof Problem ? error.says : undefined;
  dialog.showErrorBox(words.say('shell.cannotStart'), words.translate(says, sentence));
  app.exit(1);
};

/** Everything by which folders, photos and links reach an app from outside. */
const listenForArrivals = (openRequests: Arrivals): void => {
  app.on('second-instance', (_event, _argv, _folder, data) => openRequests.arrive(arrivalHandedOver(data)));
  app.on('open-file', (event, path) => {
    event.preventDefault();
    openRequests.arrive({ paths: [path], link: null });
  });
  app.on('open-url', (event, link) => {
    event.preventDefault();
    openRequests.arrive({ paths: [], link });
  });
};

/** Starts the app anew with the name of a file in the place of what was given; false where there is no room for one. */
const startWithList = ({ dataDir }: Options, before: readonly string[], openRequest: Arrival): boolean => {
  try {
    // The program of an AppImage is gone with the process that runs from it.
    const { APPIMAGE: execPath } = process.env;
    app.relaunch({ args: [...before, keepLong(dataDir, openRequest)], ...(execPath ? { execPath } : {}) });
    return true;
  } catch {
    return false;
  }
};

const begin = (options: Options, given: readonly string[], before: readonly string[]): void => {
  const openRequest = arrivalOf(given, process.cwd());
  if (isLong(given) && startWithList(options, before, openRequest)) return app.exit(0);

  const windowData = join(options.dataDir, 'window');
  mkdirSync(windowData, { recursive: true, mode: 0o700 });
  app.setPath('userData', windowData);
  keepCrashes(options.dataDir);
  registerAppScheme();
  if (process.platform === 'win32')
    app.setAppUserModelId(userModelId({ packaged: app.isPackaged, program: process.execPath }));
  // Closing the window leaves the companion in the tray, where assistants still reach it.
  app.on('window-all-closed', () => undefined);
  if (!app.requestSingleInstanceLock({ arrival: openRequest })) {
    console.error('Listing Companion is running on this data already; its window has been brought to the front.');
    return app.exit(0);
  }
  // Behind "--" nothing of a link can be read as a flag.
  if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme, process.execPath, ['--']);
  sweepLong(options.dataDir, Date.now());
  const openRequests = createArrivals((request) => takeLong(options.dataDir, request));
  listenForArrivals(openRequests);
  if (given.length > 0) openRequests.arrive(openRequest);
  startDesktop(options, openRequests).catch((error: unknown) => void fail(error));
};

const { parsed, given, before } = readCommandLine(process.argv, {
  packaged: app.isPackaged,
  hasSwitch: (name) => app.commandLine.hasSwitch(name),
});
if (!parsed.ok) {
  console.error(parsed.sentence);
  app.exit(2);
} else begin(parsed.options, given, before);
