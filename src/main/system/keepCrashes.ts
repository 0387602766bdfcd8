import { app, crashReporter } from 'electron';
import { join } from 'node:path';

/** Crash dumps stay in the data folder; nothing is sent anywhere. Must be called before the app is ready. */
export const keepCrashes = (dataDir: string): void => {
  app.setPath('crashDumps', join(dataDir, 'crashes'));
  crashReporter.start({ uploadToServer: false });
};
