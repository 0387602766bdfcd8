import { existsSync } from 'node:fs';
import { chromium } from 'playwright';
import { startHeadless, testFlags } from '../helpers/startHeadless.ts';
import type { Host } from './host.ts';

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine: nothing is downloaded for a test. */
const browserOptions = (): { executablePath: string } | { channel: string } => {
  const executablePath = process.env['COMPANION_CHROMIUM'] ?? installed.find((path) => existsSync(path));
  return executablePath === undefined ? { channel: 'chrome' } : { executablePath };
};

/** Starts the headless host and opens its link in a browser. */
export const openInBrowserHost = async (dataDir: string): Promise<Host> => {
  const headless = await startHeadless(testFlags(dataDir));
  const browser = await chromium.launch(browserOptions());
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
