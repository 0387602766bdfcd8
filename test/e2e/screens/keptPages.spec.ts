import type { Page } from 'playwright/test';
import { expect, test } from './page.ts';

test('a page that a test gives back is the next one’s, with nothing left in its storage', async ({ stage }) => {
  const kept = await stage.pages.take();
  await kept.page.goto(stage.served.emptyUrl);
  await kept.page.evaluate(() => localStorage.setItem('left', 'behind'));
  await stage.pages.giveBack(kept);
  const again = await stage.pages.take();
  expect(again).toBe(kept);
  expect(await again.page.evaluate(() => localStorage.length)).toBe(0);
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
