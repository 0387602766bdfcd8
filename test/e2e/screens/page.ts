import { join } from 'node:path';
import { test as base, type Browser, type BrowserContext, type Page } from 'playwright/test';
import type { Scenario } from '../../helpers/fakes/fakeCompanion.ts';
import { serveRenderer } from '../../helpers/fakes/serveRenderer.ts';
import { chromiumPath } from '../chromiumPath.ts';

type Look = {
  colorScheme?: 'light' | 'dark';
  width?: number;
  /** Has the window load, while it rests, what nobody has looked at yet. That is a third of the work of a page. */
  loadsAhead?: boolean;
};
/** Opens the window at a hash. */
export type Open = (hash: string, scenario: Scenario, look?: Look) => Promise<Page>;
type Shared = { stage: { served: Awaited<ReturnType<typeof serveRenderer>>; chrome: Browser } };

const builtRenderer = join(import.meta.dirname, '..', '..', '..', 'out', 'renderer');

/** A page lives for a second or two: too short for what optimising its code, or a process for drawing it, would save. */
const forShortLives = ['--js-flags=--no-opt,--no-maglev', '--in-process-gpu'];

/** A window that never rests: every screen is loaded when it is looked at. */
const neverResting = (): void => {
  window.requestIdleCallback = () => 0;
};

/** The screens alone, with the fake companion, under the policy that the hosts send. A page that throws fails its test. */
export const test = base.extend<{ open: Open }, Shared>({
  stage: [
    async ({ playwright }, use) => {
      const served = await serveRenderer(builtRenderer);
      const chrome = await playwright.chromium.launch({ executablePath: chromiumPath(), args: forShortLives });
      await use({ served, chrome });
      await chrome.close();
      served.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  open: async ({ stage }, use) => {
    const thrown: string[] = [];
    const contexts: BrowserContext[] = [];
    await use(async (hash, scenario, { colorScheme = 'light', width = 1280, loadsAhead = false } = {}) => {
      // Nothing is to be waited for that only moves.
      const context = await stage.chrome.newContext({
        colorScheme,
        reducedMotion: 'reduce',
        viewport: { width, height: 800 },
      });
      contexts.push(context);
      const page = await context.newPage();
      page.on('pageerror', (error) => thrown.push(error.message));
      await page.addInitScript((given) => {
        window.scenario = given;
      }, scenario);
      if (!loadsAhead) await page.addInitScript(neverResting);
      await page.addInitScript({ content: stage.served.fake });
      await page.goto(stage.served.url + hash);
      return page;
    });
    for (const context of contexts) await context.close();
    base.expect(thrown).toEqual([]);
  },
});

export { expect } from 'playwright/test';
