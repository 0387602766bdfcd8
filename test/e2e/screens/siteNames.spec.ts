import type { Page } from 'playwright/test';
import { screenDefinitions, screenIds } from '../../../src/ipc/screens.ts';
import { expect, test } from './page.ts';

/** Returns every site code in the page's text and in the names of its controls. */
const findSiteCodes = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const words = [document.body.innerText];
    for (const one of document.querySelectorAll('[aria-label], [title], option'))
      words.push(one.getAttribute('aria-label') ?? one.getAttribute('title') ?? one.textContent);
    return words.flatMap((text) => text.match(/.{0,30}MKT_[A-Z]+/g) ?? []);
  });

test('no screen shows a site’s internal code', async ({ open }) => {
  const page = await open('', { pairings: true, offers: true });
  const routes = [...screenIds.map((id) => screenDefinitions[id].path), '/items/fox', '/listings/lst_0'];
  for (const route of routes) {
    await page.evaluate((hash) => (window.location.hash = hash), route);
    await page.locator('main :is(h1, h2)').first().waitFor({ state: 'attached' });
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
    expect.soft(await findSiteCodes(page), route).toEqual([]);
  }
  await expect(page.getByText('Germany').first()).toBeAttached();
});

test('no prompt, history or notification shows a site’s internal code', async ({ open }) => {
  for (const waiting of ['publish', 'revise', 'end', 'differing', 'unknown'] as const) {
    const page = await open('#/approvals', { waiting: [waiting] }, { instead: true });
    const dialog = page.getByRole('dialog');
    if (waiting === 'differing' || waiting === 'unknown') await page.locator('main li button').first().click();
    await expect(dialog).toBeVisible();
    for (const folded of await dialog.locator('details:not([open]) > summary').all()) await folded.click();
    expect.soft(await findSiteCodes(page), waiting).toEqual([]);
  }
  const batch = await open('#/approvals', { batches: ['mixed'] }, { instead: true });
  await expect(batch.getByRole('dialog')).toBeVisible();
  expect.soft(await findSiteCodes(batch), 'batch').toEqual([]);
  const history = await open('#/approvals', {}, { instead: true });
  const questions = history.getByRole('group', { name: 'Rows of the history' }).locator('li > button');
  await expect(questions.first()).toBeVisible();
  for (const question of (await questions.all()).slice(0, 6)) await question.click();
  await expect(history.getByRole('list', { name: 'Steps of this question' })).toHaveCount(6);
  expect.soft(await findSiteCodes(history), 'history').toEqual([]);
  await expect(history.getByText('MARKET_REFUSED')).toHaveCount(0);
  const news = await open('#/notifications', {}, { instead: true });
  await expect(news.getByText('is live on Germany', { exact: false })).toBeVisible();
  expect.soft(await findSiteCodes(news), 'notifications').toEqual([]);
});
