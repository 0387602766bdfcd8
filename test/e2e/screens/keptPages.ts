import type { Browser, Page } from 'playwright/test';

/** A page of its own context, which tests have one after the other. */
export type KeptPage = {
  page: Page;
  isSpoilt: () => boolean;
};

/** So many wait for the next test: few have more than one page. */
const mostKept = 2;

/** Has `note` called before any of the named methods is. */
const watch = <T extends object>(of: T, names: readonly (keyof T)[], note: () => void): void => {
  for (const name of names) {
    const own = of[name] as (...given: unknown[]) => unknown;
    const watched = (...given: unknown[]): unknown => {
      note();
      return own.apply(of, given);
    };
    Object.assign(of, { [name]: watched });
  }
};

/**
 * Notes what a test does that would still be there when the page is loaded anew. Size, colours and storage are set back
 * instead, as many tests change these.
 */
const watchForSpoiling = (page: Page): (() => boolean) => {
  let isSpoilt = false;
  const spoil = (): void => void (isSpoilt = true);
  watch(page, ['addInitScript', 'exposeBinding', 'exposeFunction', 'route', 'routeWebSocket'], spoil);
  watch(page, ['setDefaultTimeout', 'setExtraHTTPHeaders'], spoil);
  watch(page.context(), ['addInitScript', 'addCookies', 'exposeBinding', 'exposeFunction', 'grantPermissions'], spoil);
  watch(page.context(), ['newCDPSession', 'newPage', 'route', 'setGeolocation', 'setOffline'], spoil);
  watch(page.clock, ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'], spoil);
  watch(page.keyboard, ['down'], spoil);
  watch(page.mouse, ['down'], spoil);
  // Windows that a page opens share its context.
  page.on('popup', spoil);
  return () => isSpoilt || page.isClosed();
};

/**
 * Pages that stay open from test to test, and show the app anew in one document: to load the page, compile its scripts and
 * lay out what never changes takes longer than most tests. What was not left as it came is closed.
 */
export const createKeptPages = (chrome: Browser, url: string) => {
  const idle: KeptPage[] = [];
  const openOne = async (): Promise<KeptPage> => {
    const context = await chrome.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.goto(url);
    return { page, isSpoilt: watchForSpoiling(page) };
  };
  const close = ({ page }: KeptPage): Promise<void> => page.context().close();
  return {
    take: async (): Promise<KeptPage> => idle.pop() ?? openOne(),
    giveBack: async (kept: KeptPage): Promise<void> => {
      if (kept.isSpoilt() || idle.length >= mostKept) return close(kept);
      await kept.page.evaluate(() => window.stage.clear());
      // Otherwise what comes to lie below the pointer is hovered over.
      await kept.page.mouse.move(-1, -1);
      idle.push(kept);
    },
    closeAll: async (): Promise<void> => {
      for (const kept of idle.splice(0)) await close(kept);
    },
  };
};
