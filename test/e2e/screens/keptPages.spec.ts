import type { Page } from 'playwright/test';
import { expect, test } from './page.ts';

test('a browser page that one test has returned is reused by the next test', async ({ harness }) => {
  const kept = await harness.pages.take();
  await harness.pages.giveBack(kept);
  const again = await harness.pages.take();
  expect(again).toBe(kept);
  await harness.pages.giveBack(again);
});

const lastingChanges: Record<string, (page: Page) => Promise<unknown>> = {
  'a fake clock': (page) => page.clock.install(),
  'a fake clock by moving it': (page) => page.clock.runFor(1),
  'an init script': (page) => page.addInitScript(() => undefined),
};

for (const [name, leave] of Object.entries(lastingChanges))
  test(`a page is not reused after a test installed ${name}`, async ({ harness }) => {
    const kept = await harness.pages.take();
    await leave(kept.page);
    await harness.pages.giveBack(kept);
    expect(kept.page.isClosed()).toBe(true);
  });

const isAnswered = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    fetch('/intake', { method: 'POST' }).then(
      ({ ok }) => ok,
      () => false,
    ),
  );

/** Returns a property of the next event of this kind after an action. */
const readNextEvent = async <T>(page: Page, kind: string, part: string, act: () => Promise<void>): Promise<T> => {
  await page.evaluate(
    ([name, key]) => addEventListener(name, (event) => (window.name = String(Reflect.get(event, key)))),
    [kind, part] as const,
  );
  await act();
  return page.evaluate(() => JSON.parse(window.name) as never);
};

/** Changes that a test makes to a page, each with a check that the change is undone. */
const undoneChanges: Record<
  string,
  { leave: (page: Page) => Promise<unknown>; isEnded: (page: Page) => Promise<boolean> }
> = {
  'a route': { leave: (page) => page.route('**/intake', (route) => route.abort()), isEnded: isAnswered },
  'a pressed key': {
    leave: (page) => page.keyboard.down('Shift'),
    isEnded: async (page) =>
      !(await readNextEvent<boolean>(page, 'keydown', 'shiftKey', () => page.keyboard.press('a'))),
  },
  'a pressed mouse button': {
    leave: (page) => page.mouse.down({ button: 'right' }),
    isEnded: async (page) =>
      (await readNextEvent<number>(page, 'mousemove', 'buttons', () => page.mouse.move(9, 9))) === 0,
  },
  'a second page': {
    leave: (page) => page.context().newPage(),
    isEnded: (page) => Promise.resolve(page.context().pages().length === 1),
  },
  'a popup': {
    leave: async (page) => {
      const opened = page.waitForEvent('popup');
      await page.evaluate(() => void open('about:blank'));
      await opened;
    },
    isEnded: (page) => Promise.resolve(page.context().pages().length === 1),
  },
};

for (const [name, { leave, isEnded }] of Object.entries(undoneChanges))
  test(`${name} left by a test is gone when the page is reused`, async ({ harness }) => {
    const kept = await harness.pages.take();
    await leave(kept.page);
    await harness.pages.giveBack(kept);
    const again = await harness.pages.take();
    expect(again).toBe(kept);
    expect(await isEnded(again.page)).toBe(true);
    await harness.pages.giveBack(again);
  });

test('a pending route request is aborted before the next test', async ({ harness }) => {
  const kept = await harness.pages.take();
  const { page } = kept;
  const asked = Promise.withResolvers<void>();
  await page.route('**/intake', () => asked.resolve());
  await page.evaluate(() => void fetch('/intake', { method: 'POST' }).catch(() => undefined));
  await asked.promise;
  const over = Promise.race([
    page.waitForEvent('requestfailed').then(() => 'given up'),
    page.waitForEvent('requestfinished').then(() => 'answered'),
  ]);
  await harness.pages.giveBack(kept);
  expect(await over).toBe('given up');
});

/** Each function leaves something, clears the page and returns what is still there. */
const leftovers: Record<string, () => unknown> = {
  'web storage': () => {
    localStorage.setItem('left', 'behind');
    sessionStorage.setItem('left', 'behind');
    window.harness.clear();
    return localStorage.length + sessionStorage.length;
  },
  'event listeners': () => {
    let heard = 0;
    addEventListener('resize', () => (heard += 1));
    document.addEventListener('resize', () => (heard += 1), { capture: true });
    window.harness.clear();
    document.dispatchEvent(new Event('resize', { bubbles: true }));
    return heard;
  },
  'timers and idle callbacks': async () => {
    let come = 0;
    setTimeout(() => (come += 1), 10);
    setInterval(() => (come += 1), 10);
    requestAnimationFrame(() => (come += 1));
    requestIdleCallback(() => (come += 1), { timeout: 10 });
    window.harness.clear();
    await new Promise(requestAnimationFrame);
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 10 }));
    // Timers of equal length fire in the order in which they were set.
    await new Promise((resolve) => setTimeout(resolve, 10));
    return come;
  },
  'a mutation observer': async () => {
    let seen = 0;
    new MutationObserver(() => (seen += 1)).observe(document, { subtree: true, childList: true });
    window.harness.clear();
    document.body.append('text');
    await Promise.resolve();
    return seen;
  },
  'a message channel': async () => {
    let come = 0;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => (come += 1);
    window.harness.clear();
    port2.postMessage('');
    // Messages of one page arrive in the order in which they were sent.
    const next = new MessageChannel();
    const arrived = new Promise((resolve) => (next.port1.onmessage = resolve));
    next.port2.postMessage('');
    await arrived;
    return come;
  },
  'globals and replaced functions': () => {
    // The app has already replaced one of these functions.
    window.harness.clear();
    const own: unknown = Reflect.get(window, 'requestIdleCallback');
    window.requestIdleCallback = () => 0;
    Object.assign(window, { left: 'behind' });
    document.hasFocus = () => false;
    window.harness.clear();
    return [
      own !== Reflect.get(window, 'requestIdleCallback'),
      'left' in window,
      Object.hasOwn(document, 'hasFocus'),
    ].filter(Boolean).length;
  },
  'attributes, styles and the title': () => {
    document.documentElement.lang = 'de';
    document.body.setAttribute('data-scroll-locked', '1');
    const style = document.createElement('style');
    style.id = 'left';
    document.head.append(style);
    document.title = 'left';
    window.harness.clear();
    const { documentElement, body, title } = document;
    return [
      documentElement.lang !== 'en',
      body.attributes.length,
      document.getElementById('left'),
      title === 'left',
    ].filter(Boolean).length;
  },
};

for (const [name, leave] of Object.entries(leftovers))
  test(`no state of one test reaches the next test: ${name}`, async ({ open }) => {
    const page = await open('#/help', {});
    await page.locator('main').waitFor();
    expect(await page.evaluate(leave)).toBe(0);
  });

test('a restarted app has lost its module state and opens the requested screen', async ({ open }) => {
  const page = await open('', { items: 'ready' });
  await page.getByRole('button', { name: /Select all/ }).click();
  const publish = page.getByRole('button', { name: /^Publish \d+…/ });
  await expect(publish).toBeVisible();
  const start = (hash: string): Promise<void> =>
    page.evaluate((at) => window.harness.start(at, { items: 'ready' }), hash);
  await start('#/listings');
  await expect(page).toHaveURL(/#\/listings$/);
  await expect(page.getByRole('table').first()).toBeVisible();
  await start('');
  await expect(page.getByRole('button', { name: /Select all/ })).toBeVisible();
  await expect(publish).toHaveCount(0);
});

test('a reloaded page shows the same content', async ({ open }) => {
  const page = await open('#/listings', { listings: 3 });
  await expect(page.getByText('3 listings')).toBeVisible();
  await page.reload();
  await expect(page.getByText('3 listings')).toBeVisible();
});

test('a window that replaces another window reuses its page', async ({ open }) => {
  const before = await open('', { items: 'ready' });
  await before.getByRole('button', { name: /Select all/ }).click();
  expect(await open('#/listings', { listings: 3 }, { width: 900, instead: true })).toBe(before);
  await expect(before.getByText('3 listings')).toBeVisible();
  expect(await open('', {})).not.toBe(before);
});
