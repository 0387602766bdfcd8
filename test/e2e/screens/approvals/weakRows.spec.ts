import type { Page } from 'playwright/test';
import { expect, test } from '../page.ts';

const getPrompt = (page: Page) => page.getByRole('dialog');
const getTick = (page: Page, name: string) => getPrompt(page).getByRole('checkbox', { name, exact: true });
const getApproveButton = (page: Page) => getPrompt(page).getByRole('button', { name: /^(Publish \d|Nothing ticked)/ });

const requestAll = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Select (all|the first)/ }).click();
  await page.getByRole('button', { name: /^Publish \d+…/ }).click();
  await expect(getPrompt(page).getByRole('button', { name: 'Not now' })).toBeFocused();
};

test('weak rows are marked and unticked, and the yes leaves them out', async ({ open }) => {
  const page = await open('', { items: 'ready6', weak: true });
  await requestAll(page);
  await expect(getPrompt(page).getByRole('checkbox', { name: '4 of 6 ticked' })).toBeVisible();
  const third = getTick(page, 'Publish Paperback novel no. 3');
  await expect(third).not.toBeChecked();
  await expect(third).toHaveAccessibleDescription('The title is short · The category is too general');
  const sixth = getPrompt(page).getByRole('listitem').nth(5);
  await expect(sixth).toContainText('5 others have this title · 11 others have this price');
  await expect(sixth.getByRole('link', { name: 'Open the item' })).toBeVisible();
  await expect(getApproveButton(page)).toBeEnabled();
  await getApproveButton(page).click();
  const sent = await page.evaluate(() => window.fake.asked.find(({ name }) => name === 'batch.approve')?.input);
  expect(sent).toMatchObject({ rows: [{}, {}, {}, {}], unticked: [{}, {}] });
});

test('W moves to the next weak row, and the person can tick it', async ({ open }) => {
  const page = await open('', { items: 'ready6', weak: true });
  await requestAll(page);
  await expect(getPrompt(page).getByRole('button', { name: 'Next weak listing (2)' })).toHaveAttribute(
    'aria-keyshortcuts',
    'W',
  );
  await page.keyboard.press('w');
  await expect(getTick(page, 'Publish Paperback novel no. 3')).toBeFocused();
  await page.keyboard.press('Space');
  await expect(getPrompt(page).getByRole('checkbox', { name: '5 of 6 ticked' })).toBeVisible();
  await page.keyboard.press('w');
  await expect(getTick(page, 'Publish Film camera no. 6')).toBeFocused();
  await page.keyboard.press('w');
  await expect(getTick(page, 'Publish Paperback novel no. 3')).toBeFocused();
});

test('W reaches a weak row far below in a long batch', async ({ open }) => {
  const page = await open('', { items: 'ready200', weak: true });
  await requestAll(page);
  const getFocusedRow = () =>
    page.evaluate(() => Number(document.activeElement?.closest('[data-listing]')?.getAttribute('aria-posinset')));
  const reached: number[] = [];
  for (let at = 0; at < 8; at += 1) {
    const before = reached.at(-1) ?? 0;
    await page.keyboard.press('w');
    await expect.poll(getFocusedRow).toBeGreaterThan(before);
    reached.push(await getFocusedRow());
  }
  expect(reached).toEqual([3, 6, 11, 14, 19, 22, 27, 35]);
});

test('a tick on a weak row is kept while the selection lives', async ({ open }) => {
  const page = await open('', { items: 'ready6', weak: true });
  await requestAll(page);
  await getTick(page, 'Publish Paperback novel no. 3').check();
  await page.keyboard.press('Escape');
  await expect(getPrompt(page)).toHaveCount(0);
  await page.keyboard.press('p');
  await expect(getPrompt(page).getByRole('checkbox', { name: '5 of 6 ticked' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(getPrompt(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await requestAll(page);
  await expect(getPrompt(page).getByRole('checkbox', { name: '4 of 6 ticked' })).toBeVisible();
});
