import type { Page } from 'playwright/test';
import { expect, test } from '../page.ts';

const requestAll = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /Select all ready to review/ }).click();
  await page.getByRole('button', { name: /^Publish \d+…/ }).click();
  await expect(page.getByRole('dialog', { name: /^Publish \d+/ })).toBeVisible();
};
const getPrompt = (page: Page) => page.getByRole('dialog');
const getApproveButton = (page: Page) => getPrompt(page).getByRole('button', { name: /^(Publish \d|Nothing ticked)/ });
const readSentRows = (page: Page) =>
  page.evaluate(() => window.fake.asked.find(({ name }) => name === 'batch.approve')?.input);

test('twenty items are published with three clicks', async ({ open }) => {
  const page = await open('', { items: 'ready' });
  await page.getByRole('button', { name: 'Select all ready to review (20)' }).click();
  await page.getByRole('button', { name: 'Publish 20…' }).click();
  await expect(getPrompt(page).getByRole('button', { name: 'Not now' })).toBeFocused();
  await expect(getApproveButton(page)).toBeDisabled();
  await getApproveButton(page).click();
  await expect(getPrompt(page)).toContainText('Open listing');
  expect(await readSentRows(page)).toMatchObject({ batchId: 'bat_1' });
});

test('the total and the approve button follow the ticked rows', async ({ open }) => {
  const page = await open('', { items: 'ready' });
  await requestAll(page);
  await expect(getApproveButton(page)).toHaveText('Publish 18 for US$3.50 + €1.40, 4 free');
  await expect(getPrompt(page).getByRole('row', { name: 'Total fees of 10 listings US$3.50' })).toBeVisible();
  await getPrompt(page).getByRole('checkbox', { name: 'Publish Red fox figurine no. 1', exact: true }).uncheck();
  await expect(getApproveButton(page)).toHaveText('Publish 17 for US$3.15 + €1.40, 4 free');
  await getPrompt(page)
    .getByRole('checkbox', { name: /of 18 ticked/ })
    .check();
  await getPrompt(page)
    .getByRole('checkbox', { name: /of 18 ticked/ })
    .uncheck();
  await expect(getApproveButton(page)).toBeDisabled();
  await getPrompt(page).getByRole('checkbox', { name: 'Publish Film camera no. 2', exact: true }).check();
  await expect(getApproveButton(page)).toHaveText('Publish 1 for US$0.35');
  await expect(getPrompt(page).getByRole('region', { name: 'Fee notice' })).toHaveCount(0);
  await getPrompt(page).getByRole('checkbox', { name: 'Publish Paperback novel no. 3', exact: true }).check();
  await expect(getPrompt(page).getByRole('region', { name: 'Fee notice' })).toHaveCount(1);
  await getApproveButton(page).click();
  const sent = await readSentRows(page);
  expect(sent).toMatchObject({
    batchId: 'bat_1',
    rows: [
      { approvalId: 'apr_b1', digest: 'digest-b1' },
      { approvalId: 'apr_b2', digest: 'digest-b2' },
    ],
  });
  // The refusal of the other rows also names the digest of each.
  expect(sent).toHaveProperty('unticked.length', 16);
});

test('a row that cannot be published has no checkbox and says why', async ({ open }) => {
  const page = await open('', { items: 'ready' });
  await requestAll(page);
  const line = getPrompt(page).getByRole('listitem').nth(9);
  await expect(line).toContainText('Shipping needs the packed weight');
  await expect(line.getByRole('checkbox')).toHaveCount(0);
  await line.getByRole('link', { name: 'Open the item' }).click();
  await expect(page).toHaveURL(/items\/ready-9/);
  await expect(page.getByText('is waiting for your answer')).toBeVisible();
});

/** Returns whether the button with this text is disabled when it first appears; it is enabled a moment later. */
const isDisabledAtFirst = (page: Page, words: string): Promise<boolean> =>
  page.evaluate(
    (wanted) =>
      new Promise<boolean>((resolve) => {
        const look = (): void => {
          const button = [...document.querySelectorAll('button')].find((one) => one.textContent === wanted);
          if (!button) return;
          watching.disconnect();
          resolve(button.disabled);
        };
        const watching = new MutationObserver(look);
        watching.observe(document.body, { subtree: true, childList: true, characterData: true });
        look();
      }),
    words,
  );

test('an approved batch shows each row’s result and asks again about changed rows', async ({ open }) => {
  const page = await open('', { items: 'ready' });
  await page.evaluate(() => (window.fake.beatMs = 20));
  await requestAll(page);
  const wasOff = isDisabledAtFirst(page, 'Publish 2 for US$1.00');
  await getApproveButton(page).click();
  await expect(getPrompt(page).getByText('14 are live, 6 need you')).toBeVisible();
  await expect(getPrompt(page).getByRole('listitem').nth(2)).toContainText('does not take the condition');
  const changed = getPrompt(page).getByRole('listitem').first();
  await expect(changed).toContainText('Changed since your yes');
  await expect(changed.getByRole('checkbox')).toBeChecked();
  expect(await wasOff).toBe(true);
  await expect(getApproveButton(page)).toHaveText('Publish 2 for US$1.00');
  await expect(getApproveButton(page)).toBeEnabled();
  await page.keyboard.press('Control+Enter');
  await expect(getPrompt(page).getByText('16 are live, 4 need you')).toBeVisible();
  await getPrompt(page).getByRole('button', { name: 'Close' }).click();
  await expect(getPrompt(page)).toHaveCount(0);
});

test('a row that changes before any answer does not speak of a yes', async ({ open }) => {
  const page = await open('', { items: 'ready' });
  await requestAll(page);
  await page.evaluate(() => {
    const { fake } = window;
    const sinceShown = [{ key: 'price', label: 'Price', before: 'US$5.00', after: 'US$6.00' }];
    fake.batches = fake.batches.map((batch) => ({
      ...batch,
      rows: batch.rows.map((row, at) =>
        at === 0 && row.approval ? { ...row, approval: { ...row.approval, sinceShown } } : row,
      ),
    }));
    fake.changed('approvals');
  });
  await expect(getPrompt(page).getByRole('listitem').first()).toContainText('Changed since you looked');
  await expect(getPrompt(page)).not.toContainText('your yes');
});

test('no further rows are sent after the person stops a batch', async ({ open }) => {
  const page = await open('', { items: 'ready' });
  await page.evaluate(() => (window.fake.beatMs = 300));
  await requestAll(page);
  await getApproveButton(page).click();
  await getPrompt(page).getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(getPrompt(page).getByRole('button', { name: 'Close' })).toBeVisible();
  await expect(getPrompt(page).getByRole('listitem').nth(17)).toContainText('Left out, nothing was sent');
});

test('a batch stays pending after “Not now” and can still be declined', async ({ open }) => {
  const page = await open('', { items: 'ready' });
  await requestAll(page);
  await getPrompt(page).getByRole('checkbox', { name: 'Publish Film camera no. 2', exact: true }).uncheck();
  await getPrompt(page).getByRole('button', { name: 'Not now' }).click();
  await expect(getPrompt(page)).toHaveCount(0);
  await expect(page.getByText('Your question about 17 listings is waiting for your answer')).toBeVisible();
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  await expect(
    getPrompt(page).getByRole('checkbox', { name: 'Publish Film camera no. 2', exact: true }),
  ).not.toBeChecked();
  await getPrompt(page).getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('menuitem', { name: 'No', exact: true }).click();
  await expect(getPrompt(page)).toHaveCount(0);
  await expect(page.getByText('is waiting for your answer')).toHaveCount(0);
});

test('Escape withdraws a batch that the person requested', async ({ open }) => {
  const page = await open('', { items: 'ready' });
  await requestAll(page);
  // The dialog receives keys only once it has the focus.
  await expect(getPrompt(page).locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(getPrompt(page)).toHaveCount(0);
  await expect(page.getByText('is waiting for your answer')).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => window.fake.batches)).toEqual([]);
});

test('Space selects an item, and Shift+click selects a range', async ({ open }) => {
  const page = await open('', { items: 'ready' });
  await page.getByRole('listitem').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press(' ');
  await expect(page.getByText('1 selected')).toBeVisible();
  // A held key does not toggle the selection repeatedly.
  await page.keyboard.down(' ');
  for (let at = 0; at < 3; at += 1) await page.keyboard.down(' ');
  await page.keyboard.up(' ');
  await expect(page.getByText('1 selected')).toHaveCount(0);
  await page.keyboard.press(' ');
  await page.getByLabel('Select Film camera no. 6').click({ modifiers: ['Shift'] });
  await expect(page.getByText('6 selected')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('6 selected')).toHaveCount(0);
});

test('a batch of two hundred rows renders only a few rows', async ({ open }) => {
  const page = await open('', { items: 'ready200' });
  await requestAll(page);
  await expect(getPrompt(page).getByRole('listitem').first()).toHaveAttribute('aria-setsize', '200');
  expect(await getPrompt(page).getByRole('listitem').count()).toBeLessThan(40);
  await page.evaluate(() => (window.fake.beatMs = 5));
  await getApproveButton(page).click();
  await expect(getPrompt(page).getByRole('button', { name: 'Stop' })).toBeVisible();
  await expect(getPrompt(page).getByRole('heading', { name: /\d+ (is|are) live/ })).toBeVisible();
});
