import type { Page } from 'playwright/test';
import { expect, test } from '../page.ts';

const getPrompt = (page: Page) => page.getByRole('dialog', { name: /^Publish/ });
const listInputs = (page: Page, name: string): Promise<unknown[]> =>
  page.evaluate((wanted) => window.fake.asked.filter((one) => one.name === wanted).map(({ input }) => input), name);
const selectFirstItems = async (page: Page, count: number): Promise<void> => {
  await page.getByRole('listitem', { name: /figurine no. 1 / }).waitFor();
  for (let at = 0; at < count; at += 1) {
    await page.keyboard.press('j');
    await page.keyboard.press('x');
  }
  await expect(page.getByText(`${count} selected`)).toBeVisible();
};

test('an approved batch clears the selection, with the listings that were left out', async ({ open }) => {
  const page = await open('', { items: 'ready6' });
  await page.evaluate(() => (window.fake.beatMs = 20));
  await selectFirstItems(page, 3);
  await page.keyboard.press('p');
  const prompt = page.getByRole('dialog');
  await prompt.getByRole('checkbox').last().uncheck();
  await prompt.getByRole('button', { name: /^Publish 2/ }).click();
  await expect(prompt.getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(prompt).toHaveCount(0);
  await expect(page.getByText(/\d selected/)).toHaveCount(0);
  await expect(page.getByRole('checkbox', { name: /^Select /, checked: true })).toHaveCount(0);
});

test('P publishes only the selected items that the search shows, and Show brings the others back', async ({ open }) => {
  const page = await open('', { items: 'ready6' });
  await selectFirstItems(page, 2);
  await page.getByLabel('Find an item').fill('no. 2');
  await expect(page.getByText('2 selected · 1 not in view')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Publish 1…' })).toBeVisible();
  await page.getByLabel('Find an item').fill('no. 3');
  await expect(page.getByText('2 selected · 2 not in view')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Publish \d/ })).toHaveCount(0);
  await page
    .getByRole('listitem', { name: /no\. 3 / })
    .getByRole('link')
    .focus();
  await page.keyboard.press('p');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(page.getByLabel('Find an item')).toHaveValue('');
  await expect(page.getByText('2 selected')).toHaveText('2 selected');
  await expect(page.getByRole('checkbox', { name: /^Select .*no\. [12]$/, checked: true })).toHaveCount(2);
  expect(await listInputs(page, 'batch.ask')).toEqual([]);
  await page.keyboard.press('p');
  await expect(getPrompt(page)).toBeVisible();
  expect(await listInputs(page, 'batch.ask')).toHaveLength(1);
});
