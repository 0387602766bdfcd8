import { test as base, chromium, type Browser, type BrowserContext, type Page } from 'playwright/test';
import type { Scenario } from '../../renderer/fakeCompanion.ts';
import { serveRenderer } from '../../renderer/serveRenderer.ts';

type Look = { colorScheme?: 'light' | 'dark'; width?: number };
type Open = (hash: string, scenario: Scenario, look?: Look) => Promise<Page>;
type Shared = { served: Awaited<ReturnType<typeof serveRenderer>>; chrome: Browser };

/** The screens alone, with the fake companion, under the policy that the hosts send. A page that throws fails its test. */
export const test = base.extend<{ open: Open }, Shared>({
  served: [
    async ({}, use) => {
      const served = await serveRenderer();
      await use(served);
      served.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  chrome: [
    async ({}, use) => {
      const chrome = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' });
      await use(chrome);
      await chrome.close();
    },
    { scope: 'worker' },
  ],
  open: async ({ served, chrome }, use) => {
    const thrown: string[] = [];
    const contexts: BrowserContext[] = [];
    await use(async (hash, scenario, { colorScheme = 'light', width = 1280 } = {}) => {
      const context = await chrome.newContext({ colorScheme, viewport: { width, height: 800 } });
      contexts.push(context);
      const page = await context.newPage();
      page.on('pageerror', (error) => thrown.push(error.message));
      await page.addInitScript((given) => {
        window.scenario = given;
      }, scenario);
      await page.addInitScript({ content: served.fake });
      await page.goto(served.url + hash);
      return page;
    });
    for (const context of contexts) await context.close();
    base.expect(thrown).toEqual([]);
  },
});

export { expect } from 'playwright/test';
