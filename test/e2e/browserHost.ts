import { chromium } from 'playwright';
import { startHeadless, testFlags } from '../helpers/startHeadless.ts';
import { chromiumPath } from './chromiumPath.ts';
import type { Host } from './host.ts';

/** Starts the headless host and opens its link in a browser. */
export const openInBrowserHost = async (dataDir: string): Promise<Host> => {
  const headless = await startHeadless(testFlags(dataDir));
  const browser = await chromium.launch({ executablePath: chromiumPath() });
  const page = await browser.newPage({ viewport: { width: 1240, height: 820 } });
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
      await browser.close();
      await headless.stop();
    },
  };
};
