import { app } from 'electron';
import { join } from 'node:path';

/** Where the built bundles lie: main, preload and renderer. */
export const outDir = join(app.getAppPath(), 'out');
