import { join } from 'node:path';
import { test as base, type Browser, type Page } from 'playwright/test';
import type { Language } from '../../../src/i18n/languages.ts';
import type { Scenario } from '../../helpers/fakes/fakeCompanion.ts';
import { serveRenderer } from '../../helpers/fakes/serveRenderer.ts';
import { chromiumPath, fewProcesses } from '../chromiumPath.ts';
import { createKeptPages, type KeptPage } from './keptPages.ts';

type Look = {
  colorScheme?: 'light' | 'dark';
  width?: number;
  /** Shows the built page itself, which loads while it rests what nobody has looked at yet: the stage has it all. */
  loadsAhead?: boolean;
  /** In place of what the story opened before, of which it needs nothing any more. */
  instead?: boolean;
};
/** Opens the window at a hash. */
export type Open = (hash: string, scenario: Scenario, look?: Look) => Promise<Page>;
type Served = Awaited<ReturnType<typeof serveRenderer>>;
type Shared = { stage: { served: Served; chrome: Browser; pages: ReturnType<typeof createKeptPages> } };

const builtRenderer = join(import.meta.dirname, '..', '..', '..', 'out', 'renderer');

/**
 * A screen is shown for a second or two: too short for what optimising its code would save. Where a function stands is noted
 * when it is read, as the whole stage is read anew for the first error of each.
 */
const forShortLives = [
  '--js-flags=--no-opt,--no-maglev,--no-enable-lazy-source-positions,--min-semi-space-size=32',
  ...fewProcesses,
];

const loadBuilt = async (page: Page, { url, fake }: Served, hash: string, scenario: Scenario): Promise<void> => {
  await page.addInitScript((given) => void (window.scenario = given), scenario);
  await page.addInitScript({ content: fake });
  await page.goto(url + hash);
};

/** The screens alone, with the fake companion, under the policy that the hosts send. A page that throws fails its test. */
export const test = base.extend<{ open: Open }, Shared>({
  stage: [
    async ({ playwright }, use) => {
      const served = await serveRenderer(builtRenderer, { staged: true });
      const chrome = await playwright.chromium.launch({ executablePath: chromiumPath(), args: forShortLives });
      const pages = createKeptPages(chrome, served.stageUrl);
      await use({ served, chrome, pages });
      await pages.closeAll();
      await chrome.close();
      served.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  open: async ({ stage }, use) => {
    const thrown: string[] = [];
    const note = (error: Error): void => void thrown.push(error.message);
    const taken = new Set<KeptPage>();
    const giveBack = async (kept: KeptPage): Promise<void> => {
      taken.delete(kept);
      kept.page.off('pageerror', note);
      await stage.pages.giveBack(kept);
    };
    await use(
      async (hash, scenario, { colorScheme = 'light', width = 1280, loadsAhead = false, instead = false } = {}) => {
        if (instead) for (const before of taken) await giveBack(before);
        const kept = await stage.pages.take();
        taken.add(kept);
        const { page } = kept;
        await page.setViewportSize({ width, height: 800 });
        // Nothing is to be waited for that only moves.
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        page.on('pageerror', note);
        if (loadsAhead) await loadBuilt(page, stage.served, hash, scenario);
        else await page.evaluate(([at, given]) => window.stage.start(at, given), [hash, scenario] as const);
        return page;
      },
    );
    for (const kept of taken) await giveBack(kept);
    base.expect(thrown).toEqual([]);
  },
});

export { expect } from 'playwright/test';

/** Turns a page that is open to another language, as the settings do. */
export const setLanguage = async (page: Page, language: Language): Promise<void> => {
  await page.evaluate((code) => {
    const { state } = window.fake;
    window.fake.state = { ...state, settings: { ...state.settings, language: code } };
    window.fake.changed('app');
  }, language);
  await base.expect(page.locator('html')).toHaveAttribute('lang', language);
};

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
