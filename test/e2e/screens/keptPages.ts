import type { Browser, Page, Request, Route } from 'playwright/test';

/** A page of its own context, which tests have one after the other. */
export type KeptPage = {
  page: Page;
  isSpoilt: () => boolean;
  /** Ends what a test did to the browser's side of the page. */
  mend: () => Promise<void>;
};

/** So many wait for the next test: few have more than one page. */
const maxKept = 2;

/** Has `note` called with what any of the named methods is given, before it is. */
const watch = <T extends object, K extends keyof T>(
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
 * Notes what a test does that would still be there when the page is loaded anew. Size, colours and storage are set back
 * instead, as many tests change these, and what can be ended is.
 */
const watchForSpoiling = (page: Page): (() => boolean) => {
  let isSpoilt = false;
  const spoil = (): void => void (isSpoilt = true);
  watch(page, ['addInitScript', 'exposeBinding', 'exposeFunction', 'routeWebSocket'], spoil);
  watch(page, ['setDefaultTimeout', 'setExtraHTTPHeaders'], spoil);
  watch(page.context(), ['addInitScript', 'addCookies', 'exposeBinding', 'exposeFunction', 'grantPermissions'], spoil);
  watch(page.context(), ['newCDPSession', 'route', 'setGeolocation', 'setOffline'], spoil);
  watch(page.clock, ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'], spoil);
  return () => isSpoilt || page.isClosed();
};

type Button = 'left' | 'right' | 'middle';

/** Notes keys and buttons that are pressed. Answers what lets go of them. */
const watchPressed = ({ keyboard, mouse }: Page): (() => Promise<void>) => {
  const keys = new Set<string>();
  const buttons = new Set<Button>();
  const buttonOf = (given: unknown): Button => (given as { button?: Button } | undefined)?.button ?? 'left';
  watch(keyboard, ['down'], (key) => keys.add(String(key)));
  watch(keyboard, ['up'], (key) => keys.delete(String(key)));
  watch(mouse, ['down'], (given) => buttons.add(buttonOf(given)));
  watch(mouse, ['up'], (given) => buttons.delete(buttonOf(given)));
  return async () => {
    for (const key of keys) await keyboard.up(key);
    for (const button of buttons) await mouse.up({ button });
  };
};

/** Notes what is asked of routes. Answers what gives up what still waits for an answer, and ends the routes. */
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
    // One that was answered says so.
    for (const route of asked.splice(0)) await route.abort().catch(() => undefined);
    if (isRouted) await page.unrouteAll();
    isRouted = false;
  };
};

/** Closes what came to stand beside a page, which shares its context. */
const closeOthers = async (page: Page): Promise<void> => {
  for (const other of page.context().pages()) if (other !== page) await other.close();
};

const keep = (page: Page): KeptPage => {
  const [isSpoilt, letGo, unroute] = [watchForSpoiling(page), watchPressed(page), watchRoutes(page)];
  const mend = async (): Promise<void> => {
    await unroute();
    await closeOthers(page);
    await letGo();
  };
  return { page, isSpoilt, mend };
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
    return keep(page);
  };
  const close = ({ page }: KeptPage): Promise<void> => page.context().close();
  return {
    take: async (): Promise<KeptPage> => idle.pop() ?? openOne(),
    giveBack: async (kept: KeptPage): Promise<void> => {
      if (kept.isSpoilt() || idle.length >= maxKept) return close(kept);
      await kept.mend();
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
