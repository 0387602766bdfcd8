import type { ElectronApplication, Page } from 'playwright';
import { callInWindow, controlPractice, answerAfterGeneration } from '../practiceControl.ts';
import { drawTextlessItem } from '../drawItem.ts';
import { join } from 'node:path';
import { expect, test } from './shell.ts';

const strange = 'https://evil.example/pay';

/** Records the addresses that the app would open in the person's browser. */
const recordOpened = async (app: ElectronApplication): Promise<() => Promise<string[]>> => {
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = async (url) => void opened.push(url);
  });
  return () => app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);
};

/** Publishes an item; the service's answer contains a page on an unknown host. */
const publishTo = async (page: Page, folder: string, drop: (path: string) => Promise<void>): Promise<void> => {
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await answerAfterGeneration(page);
  await drawTextlessItem(folder);
  await drop(folder);
  const item = page.getByRole('listitem', { name: /Ready to review/ });
  await expect(item).toBeVisible({ timeout: 60_000 });
  await item.getByRole('link').first().click();
  const fault = { method: 'POST', path: '/market/publish/{listingId}', body: { marketListingUrl: strange } };
  await controlPractice(page, '/faults', fault);
  await page.getByRole('button', { name: 'Publish…' }).click();
  // The address in the publish answer is used only if reading the listing shows none.
  const reading = { method: 'GET', path: '/listings/{listingId}', times: 100, body: { marketListingUrl: null } };
  await controlPractice(page, '/faults', reading);
  await page.getByRole('button', { name: /^Publish for/ }).click();
};

test('a page on an unknown host opens only after the person confirms the host', async ({ start, folder }) => {
  const { app, page, dropFolder } = await start();
  await publishTo(page, join(folder, 'Canon EOS 250D camera'), dropFolder);
  const opened = await recordOpened(app);
  const dialog = page.getByRole('dialog');
  const link = dialog.getByRole('button', { name: 'Open listing' });
  await expect(link).toBeVisible({ timeout: 30_000 });
  await expect(dialog).toContainText('evil.example');

  await link.click({ button: 'middle' });
  await page.evaluate((url) => void window.open(url), strange);
  await page.evaluate((url) => {
    const anchor = Object.assign(document.createElement('a'), { href: url, target: '_blank' });
    document.body.append(anchor);
    anchor.click();
  }, strange);
  expect(await callInWindow(page, 'app.open', { url: strange })).toMatchObject({ problem: { code: 'HOST_UNKNOWN' } });
  expect(await callInWindow(page, 'links.agree', { questionId: strange })).toMatchObject({
    problem: { code: 'NOT_FOUND' },
  });
  expect(await opened()).toEqual([]);

  await link.click();
  await expect(dialog.getByRole('alert')).toContainText('This page is on evil.example.');
  await dialog.getByRole('alert').getByRole('button', { name: 'Not now' }).click();
  expect(await opened()).toEqual([]);
  await link.click();
  await dialog.getByRole('button', { name: 'Open evil.example' }).click();
  await expect.poll(opened).toEqual([strange]);
  await dialog.getByRole('link', { name: 'Open listing' }).click();
  await expect.poll(opened).toEqual([strange, strange]);
});
