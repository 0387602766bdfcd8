import { join } from 'node:path';
import { test as base, type Page } from 'playwright/test';
import type { Scenario } from '../../helpers/fakes/fakeCompanion.ts';
import { serveRenderer } from '../../helpers/fakes/serveRenderer.ts';
import { chromiumPath, fewProcesses } from '../chromiumPath.ts';
import { createKeptPages, type KeptPage } from './keptPages.ts';

type Look = {
  colorScheme?: 'light' | 'dark';
  width?: number;
  /** Has the window load, while it rests, what nobody has looked at yet. That is a third of the work of a page. */
  loadsAhead?: boolean;
};
/** Opens the window at a hash. */
export type Open = (hash: string, scenario: Scenario, look?: Look) => Promise<Page>;
type Served = Awaited<ReturnType<typeof serveRenderer>>;
type Shared = { stage: { served: Served; pages: ReturnType<typeof createKeptPages> } };

const builtRenderer = join(import.meta.dirname, '..', '..', '..', 'out', 'renderer');

/** A page is shown for a second or two: too short for what optimising its code would save. */
const forShortLives = ['--js-flags=--no-opt,--no-maglev,--min-semi-space-size=32', ...fewProcesses];

type Given = { scenario: Scenario; loadsAhead: boolean };

/** What the fake companion looks at; without loading ahead, a window that never rests. */
const setScene = ({ scenario, loadsAhead }: Given): void => {
  window.scenario = scenario;
  if (!loadsAhead) window.requestIdleCallback = () => 0;
};

/** The screens alone, with the fake companion, under the policy that the hosts send. A page that throws fails its test. */
export const test = base.extend<{ open: Open }, Shared>({
  stage: [
    async ({ playwright }, use) => {
      const served = await serveRenderer(builtRenderer);
      const chrome = await playwright.chromium.launch({ executablePath: chromiumPath(), args: forShortLives });
      const pages = createKeptPages(chrome, served.emptyUrl);
      await use({ served, pages });
      await pages.closeAll();
      await chrome.close();
      served.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  open: async ({ stage }, use) => {
    const thrown: string[] = [];
    const note = (error: Error): void => void thrown.push(error.message);
    const taken: { kept: KeptPage; setBack: () => Promise<void> }[] = [];
    await use(async (hash, scenario, { colorScheme = 'light', width = 1280, loadsAhead = false } = {}) => {
      const kept = await stage.pages.take();
      const { page } = kept;
      await page.setViewportSize({ width, height: 800 });
      // Nothing is to be waited for that only moves.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      page.on('pageerror', note);
      const scripts = [
        await kept.addScript(setScene, { scenario, loadsAhead }),
        await kept.addScript({ content: stage.served.fake }),
      ];
      const setBack = async (): Promise<void> => {
        page.off('pageerror', note);
        for (const script of scripts) await script.dispose();
      };
      taken.push({ kept, setBack });
      await page.goto(stage.served.url + hash);
      return page;
    });
    for (const { kept, setBack } of taken) {
      await setBack();
      await stage.pages.giveBack(kept);
    }
    base.expect(thrown).toEqual([]);
  },
});

export { expect } from 'playwright/test';

/** Has a listing stand otherwise at the service, and the window hear of it. */
export const putStatus = (page: Page, listingId: string, status: string): Promise<void> =>
  page.evaluate(
    ([id, given]) => {
      const { fake } = window;
      fake.listings[id] = { ...fake.listings[id], status: given };
      fake.changed('listings');
    },
    [listingId, status] as const,
  );
