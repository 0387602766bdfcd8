import type { Browser } from 'playwright';
import { startHeadless, testFlags } from '../helpers/hosts/startHeadless.ts';
import { pressAsLongAsAHand } from './handSpeed.ts';
import type { Host } from './host.ts';

/** Starts the headless host and opens its link in a new browser context. */
export const openInBrowserHost = async (dataDir: string, browser: Browser): Promise<Host> => {
  const headless = await startHeadless(testFlags(dataDir));
  // Animations would be rendered while a test waits.
  const context = await browser.newContext({ viewport: { width: 1240, height: 820 }, reducedMotion: 'reduce' });
  const page = pressAsLongAsAHand(await context.newPage());
  await page.goto(headless.ui);
  return {
    kind: 'browser',
    runs: browser.version(),
    page,
    bridgeUrl: async () => headless.bridge,
    dropFolder: async (path) => {
      await page.locator('input[webkitdirectory]').first().setInputFiles(path);
    },
    stop: async () => {
      await context.close();
      await headless.stop();
    },
  };
};
