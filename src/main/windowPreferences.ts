import type { WebPreferences } from 'electron';
import { join } from 'node:path';

/** What every window of the companion is: the one preload, in a sandbox, without Node. */
export const windowPreferences = (outDir: string): WebPreferences => ({
  preload: join(outDir, 'preload', 'index.cjs'),
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  webSecurity: true,
  // Its dictionaries would come from afar.
  spellcheck: false,
});
