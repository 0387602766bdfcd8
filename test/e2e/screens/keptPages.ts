import type { Browser, Page, Request, Route } from 'playwright/test';
import { pressAsLongAsAHand } from '../handSpeed.ts';

/** A page in its own context that several tests use one after another. */
export type KeptPage = {
  page: Page;
  isChanged: () => boolean;
  /** Undoes the changes that a test made outside the page's document. */
  undoChanges: () => Promise<void>;
};

/** The maximum number of idle pages; few tests use more than one. */
const maxKept = 2;

/** Calls `note` with the first argument of each named method before the method runs. */
const watchCalls = <T extends object, K extends keyof T>(
  of: T,
  names: readonly K[],
  note: (given: unknown) => void,
): void => {
  for (const name of names) {
    const own = of[name] as (...given: unknown[]) => unknown;
    const watched = (...given: unknown[]): unknown => {
      note(given[0]);
      return own.apply(of, given);
    };
    Object.assign(of, { [name]: watched });
  }
};

/**
 * Records changes that a page load would not undo. Size, colours and storage are reset instead, because many tests
 * change them; routes and pressed keys are undone by `mend`.
 */
const watchLastingChanges = (page: Page): (() => boolean) => {
  let isSpoilt = false;
  const spoil = (): void => void (isSpoilt = true);
  watchCalls(page, ['addInitScript', 'exposeBinding', 'exposeFunction', 'routeWebSocket'], spoil);
  watchCalls(page, ['setDefaultTimeout', 'setExtraHTTPHeaders'], spoil);
  watchCalls(
    page.context(),
    ['addInitScript', 'addCookies', 'exposeBinding', 'exposeFunction', 'grantPermissions'],
    spoil,
  );
  watchCalls(page.context(), ['newCDPSession', 'route', 'setGeolocation', 'setOffline'], spoil);
  // Each of these installs the fake clock. It keeps the timers of the first test, which no longer answer in the next.
  watchCalls(page.clock, ['fastForward', 'install', 'pauseAt', 'resume', 'runFor'], spoil);
  watchCalls(page.clock, ['setFixedTime', 'setSystemTime'], spoil);
  return () => isSpoilt || page.isClosed();
};

type Button = 'left' | 'right' | 'middle';

/** Records pressed keys and buttons and returns a function that releases them. */
const watchPressed = ({ keyboard, mouse }: Page): (() => Promise<void>) => {
  const keys = new Set<string>();
  const buttons = new Set<Button>();
  const buttonOf = (given: unknown): Button => (given as { button?: Button } | undefined)?.button ?? 'left';
  watchCalls(keyboard, ['down'], (key) => keys.add(String(key)));
  watchCalls(keyboard, ['up'], (key) => keys.delete(String(key)));
  watchCalls(mouse, ['down'], (given) => buttons.add(buttonOf(given)));
  watchCalls(mouse, ['up'], (given) => buttons.delete(buttonOf(given)));
  return async () => {
    for (const key of keys) await keyboard.up(key);
    for (const button of buttons) await mouse.up({ button });
  };
};

/** Records requests caught by routes and returns a function that aborts them and removes the routes. */
const watchRoutes = (page: Page): (() => Promise<void>) => {
  const asked: Route[] = [];
  let isRouted = false;
  const own = page.route.bind(page);
  page.route = (url, handler, options) => {
    isRouted = true;
    const noting = (route: Route, request: Request): unknown => {
      asked.push(route);
      return handler(route, request);
    };
    return own(url, noting, options);
  };
  return async () => {
    // An answered route throws.
    for (const route of asked.splice(0)) await route.abort().catch(() => undefined);
    if (isRouted) await page.unrouteAll();
    isRouted = false;
  };
};

/** Closes the other pages of the same context. */
const closeOthers = async (page: Page): Promise<void> => {
  for (const other of page.context().pages()) if (other !== page) await other.close();
};

const watchPage = (page: Page): KeptPage => {
  const [isSpoilt, letGo, unroute] = [watchLastingChanges(page), watchPressed(page), watchRoutes(page)];
  const mend = async (): Promise<void> => {
    await unroute();
    await closeOthers(page);
    await letGo();
  };
  return { page, isChanged: isSpoilt, undoChanges: mend };
};

/**
 * Keeps pages open between tests and restarts the app in the same document: loading the page and compiling its scripts
 * would take longer than most tests. Pages with lasting changes are closed.
 */
export const createKeptPages = (chrome: Browser, url: string) => {
  const idle: KeptPage[] = [];
  const openOne = async (): Promise<KeptPage> => {
    const context = await chrome.newContext({ viewport: { width: 1280, height: 800 } });
    const page = pressAsLongAsAHand(await context.newPage());
    await page.goto(url);
    return watchPage(page);
  };
  const close = ({ page }: KeptPage): Promise<void> => page.context().close();
  return {
    take: async (): Promise<KeptPage> => idle.pop() ?? openOne(),
    giveBack: async (kept: KeptPage): Promise<void> => {
      if (kept.isChanged() || idle.length >= maxKept) return close(kept);
      await kept.undoChanges();
      await kept.page.evaluate(() => window.harness.clear());
      // Otherwise the next test would hover over the element under the pointer.
      await kept.page.mouse.move(-1, -1);
      idle.push(kept);
    },
    closeAll: async (): Promise<void> => {
      for (const kept of idle.splice(0)) await close(kept);
    },
  };
};
