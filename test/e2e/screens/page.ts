import { test as base, type Browser, type Page } from 'playwright/test';
import type { Language } from '../../../src/i18n/languages.ts';
import type { Scenario } from '../../helpers/fakes/fakeCompanion.ts';
import { serveRenderer } from '../../helpers/fakes/serveRenderer.ts';
import { findChromium, fewProcesses } from '../findChromium.ts';
import { createKeptPages, type KeptPage } from './keptPages.ts';

type Look = {
  colorScheme?: 'light' | 'dark';
  width?: number;
  /** Opens the built page, which loads unopened screens while idle; the harness page contains all screens. */
  loadsAhead?: boolean;
  /** Reuses the page that the test opened before and no longer needs. */
  instead?: boolean;
};
/** Opens the window at a hash. */
export type Open = (hash: string, scenario: Scenario, look?: Look) => Promise<Page>;
type Served = Awaited<ReturnType<typeof serveRenderer>>;
type Shared = { harness: { served: Served; chrome: Browser; pages: ReturnType<typeof createKeptPages> } };

/**
 * A test takes a second or two, too short for optimised code to pay off. Source positions are recorded at once, because
 * the first error of each function would otherwise parse the whole script again.
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

/**
 * Tests of the screens with the fake companion, under the hosts' content security policy. A page that throws an error
 * fails its test.
 */
export const test = base.extend<{ open: Open }, Shared>({
  harness: [
    async ({ playwright }, use) => {
      const served = await serveRenderer({ withHarness: true });
      const chrome = await playwright.chromium.launch({ executablePath: findChromium(), args: forShortLives });
      const pages = createKeptPages(chrome, served.harnessUrl);
      await use({ served, chrome, pages });
      await pages.closeAll();
      await chrome.close();
      served.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  open: async ({ harness }, use) => {
    const thrown: string[] = [];
    const note = (error: Error): void => void thrown.push(error.message);
    const taken = new Set<KeptPage>();
    const giveBack = async (kept: KeptPage): Promise<void> => {
      taken.delete(kept);
      kept.page.off('pageerror', note);
      await harness.pages.giveBack(kept);
    };
    await use(
      async (hash, scenario, { colorScheme = 'light', width = 1280, loadsAhead = false, instead = false } = {}) => {
        if (instead) for (const before of taken) await giveBack(before);
        const kept = await harness.pages.take();
        taken.add(kept);
        const { page } = kept;
        await page.setViewportSize({ width, height: 800 });
        // Tests need not wait for animations.
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        page.on('pageerror', note);
        if (loadsAhead) await loadBuilt(page, harness.served, hash, scenario);
        else await page.evaluate(([at, given]) => window.harness.start(at, given), [hash, scenario] as const);
        return page;
      },
    );
    for (const kept of taken) await giveBack(kept);
    base.expect(thrown).toEqual([]);
  },
});

export { expect } from 'playwright/test';

/** Changes the language of an open page, as the settings do. */
export const setLanguage = async (page: Page, language: Language): Promise<void> => {
  await page.evaluate((code) => {
    const { state } = window.fake;
    window.fake.state = { ...state, settings: { ...state.settings, language: code } };
    window.fake.changed('app');
  }, language);
  await base.expect(page.locator('html')).toHaveAttribute('lang', language);
};

/** Changes the status of a listing at the service and notifies the window. */
export const putStatus = (page: Page, listingId: string, status: string): Promise<void> =>
  page.evaluate(
    ([id, given]) => {
      const { fake } = window;
      fake.listings[id] = { ...fake.listings[id], status: given };
      fake.changed('listings');
    },
    [listingId, status] as const,
  );

type SentRequest = { route: string; input: { body?: Record<string, unknown> } };

/** Returns the requests of a route that the window sent through the core, in order. It can send others at the same time. */
export const listRequests = (page: Page, route: string): Promise<SentRequest[]> =>
  page.evaluate(
    (wanted) =>
      window.fake.asked
        .filter(({ name }) => name === 'service.perform')
        .map(({ input }) => input as SentRequest)
        .filter((one) => one.route === wanted),
    route,
  );

export const readLastRequest = async (page: Page, route: string): Promise<SentRequest | undefined> =>
  (await listRequests(page, route)).at(-1);
