import type { Page } from 'playwright/test';
import { expect, test } from './page.ts';

test('a page that a test gives back is the next one’s', async ({ stage }) => {
  const kept = await stage.pages.take();
  await stage.pages.giveBack(kept);
  const again = await stage.pages.take();
  expect(again).toBe(kept);
  await stage.pages.giveBack(again);
});

const lasting: Record<string, (page: Page) => Promise<unknown>> = {
  'a clock': (page) => page.clock.install(),
  'a route': (page) => page.route('**/intake', (route) => route.abort()),
  'a script': (page) => page.addInitScript(() => undefined),
  'a key that stays down': (page) => page.keyboard.down('Shift'),
  'a second page': (page) => page.context().newPage(),
};

for (const [name, leave] of Object.entries(lasting))
  test(`a page is nobody’s after ${name}`, async ({ stage }) => {
    const kept = await stage.pages.take();
    await leave(kept.page);
    await stage.pages.giveBack(kept);
    expect(kept.page.isClosed()).toBe(true);
  });

/** What would be heard, seen or read by the next test: each leaves it, clears the page and answers what is still there. */
const left: Record<string, () => unknown> = {
  stored: () => {
    localStorage.setItem('left', 'behind');
    sessionStorage.setItem('left', 'behind');
    window.stage.clear();
    return localStorage.length + sessionStorage.length;
  },
  'a listener': () => {
    let heard = 0;
    addEventListener('resize', () => (heard += 1));
    document.addEventListener('resize', () => (heard += 1), { capture: true });
    window.stage.clear();
    document.dispatchEvent(new Event('resize', { bubbles: true }));
    return heard;
  },
  'a wait': async () => {
    let come = 0;
    setTimeout(() => (come += 1), 10);
    setInterval(() => (come += 1), 10);
    requestAnimationFrame(() => (come += 1));
    requestIdleCallback(() => (come += 1), { timeout: 10 });
    window.stage.clear();
    await new Promise(requestAnimationFrame);
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 10 }));
    // Timers of one length go off in the order in which they were set.
    await new Promise((resolve) => setTimeout(resolve, 10));
    return come;
  },
  'an observer': async () => {
    let seen = 0;
    new MutationObserver(() => (seen += 1)).observe(document, { subtree: true, childList: true });
    window.stage.clear();
    document.body.append('text');
    await Promise.resolve();
    return seen;
  },
  'globals and what stands in place of one': () => {
    // The scene has one of its own already.
    window.stage.clear();
    const own: unknown = Reflect.get(window, 'requestIdleCallback');
    window.requestIdleCallback = () => 0;
    Object.assign(window, { left: 'behind' });
    document.hasFocus = () => false;
    window.stage.clear();
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
    window.stage.clear();
    const { documentElement, body, title } = document;
    return [
      documentElement.lang !== 'en',
      body.attributes.length,
      document.getElementById('left'),
      title === 'left',
    ].filter(Boolean).length;
  },
};

for (const [name, leave] of Object.entries(left))
  test(`what a test leaves is not there for the next one: ${name}`, async ({ open }) => {
    const page = await open('#/help', {});
    await page.locator('main').waitFor();
    expect(await page.evaluate(leave)).toBe(0);
  });

test('the app begins anew: nothing that its modules kept is there, and it is at its place', async ({ open }) => {
  const page = await open('', { items: 'ready' });
  await page.getByRole('button', { name: /Select all/ }).click();
  const publish = page.getByRole('button', { name: /^Publish \d+…/ });
  await expect(publish).toBeVisible();
  const start = (hash: string): Promise<void> =>
    page.evaluate((at) => window.stage.start(at, { items: 'ready' }), hash);
  await start('#/listings');
  await expect(page).toHaveURL(/#\/listings$/);
  await expect(page.getByRole('table').first()).toBeVisible();
  await start('');
  await expect(page.getByRole('button', { name: /Select all/ })).toBeVisible();
  await expect(publish).toHaveCount(0);
});

test('loaded anew, a page shows what it showed before', async ({ open }) => {
  const page = await open('#/listings', { listings: 3 });
  await expect(page.getByText('3 listings')).toBeVisible();
  await page.reload();
  await expect(page.getByText('3 listings')).toBeVisible();
});
