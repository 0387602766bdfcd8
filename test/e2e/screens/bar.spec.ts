import type { Page } from 'playwright/test';
import { languageCodes } from '../../../src/i18n/languages.ts';
import { expect, test } from './page.ts';

const getBar = (page: Page) => page.locator('[data-form=bar]');
const allNotices = {
  waiting: ['publish', 'revise', 'end'],
  pairings: true,
  offers: true,
  state: { paused: true },
} as const;

/** Opens the window with every kind of notice and closes the prompt. */
const openWithNotices = async (page: Page): Promise<void> => {
  await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
};

test('one bar of 40 px shows the most urgent notice and how many more there are', async ({ open }) => {
  const page = await open('', { ...allNotices, waiting: [...allNotices.waiting] });
  await openWithNotices(page);
  for (const width of [1280, 480]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(getBar(page)).toHaveCount(1);
    expect((await getBar(page).boundingBox())?.height).toBe(40);
    expect((await page.getByRole('main').boundingBox())?.y).toBe(40);
  }
  await expect(getBar(page)).toContainText('wants to work with this companion');
  // Three approvals, the suggested page and the pause.
  await getBar(page).getByRole('link', { name: 'and 5 more' }).press('Enter');
  await expect(page).toHaveURL(/#\/approvals$/);
  await expect(getBar(page)).toHaveCount(0);
  await expect(page.getByRole('status', { name: 'Access requests' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Waiting for you' }).getByRole('listitem')).toHaveCount(3);
  const notices = page.getByRole('region', { name: 'Notices' });
  await expect(notices).toContainText('Everything is paused.');
  await expect(notices).toContainText('The page is at market.example.');
  await notices.getByRole('button', { name: 'Resume' }).press('Enter');
  await expect(notices).not.toContainText('Everything is paused.');
});

test('a window without notices has no bar, and practice is a chip in the sidebar', async ({ open }) => {
  const page = await open('', {});
  await expect(page.getByRole('navigation').getByText('Practice', { exact: true })).toBeVisible();
  await expect(getBar(page)).toHaveCount(0);
  expect((await page.getByRole('main').boundingBox())?.y).toBe(0);
  await page.setViewportSize({ width: 480, height: 800 });
  await expect(page.getByRole('navigation').getByRole('img', { name: 'Practice' })).toBeVisible();
});

test('an assistant cannot hide a running recovery behind its requests', async ({ open }) => {
  const page = await open('', { waiting: ['publish', 'end'], pairings: true, proof: 'recovering' });
  await expect(getBar(page)).toContainText('Your passkeys and PIN will be removed in');
  await expect(getBar(page)).toContainText('and 3 more');
});

test('after a reload, no pending prompt covers the bar of a running recovery', async ({ open }) => {
  const page = await open('', { waiting: ['end', 'publish'], proof: 'recovering' });
  await page.reload();
  await expect(getBar(page)).toContainText('Your passkeys and PIN will be removed in');
  await expect(page.getByRole('link', { name: /^Approvals, 2/ })).toBeVisible();
  await getBar(page).getByRole('button', { name: 'Keep them' }).click({ timeout: 5_000 });
  await expect(getBar(page)).not.toContainText('Your passkeys and PIN');
  // The person opens a prompt themselves.
  await getBar(page).getByRole('button').first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('a long notice can be answered in the list that shows all of its text', async ({ open }) => {
  const ledgerAlarm = { kind: 'cut', rows: 40, keptRows: 42, row: null, copy: null, at: 0 } as const;
  const page = await open('', { state: { ledgerAlarm } }, { width: 480 });
  await expect(getBar(page).getByRole('button', { name: 'I have read it' })).toHaveCount(0);
  await getBar(page).getByRole('button', { name: 'Show' }).press('Enter');
  const notices = page.getByRole('region', { name: 'Notices' });
  await expect(notices).toContainText('at least 42, and there are 40');
  await expect(notices.getByRole('button', { name: 'I have read it' })).toBeVisible();
});

test('in the sidebar, only the counts that wait for an answer are amber', async ({ open }) => {
  const page = await open('', { waiting: ['publish'], pairings: true });
  await openWithNotices(page);
  const readFill = (name: RegExp) =>
    page
      .getByRole('link', { name })
      .locator('span')
      .last()
      .evaluate((count) => getComputedStyle(count).backgroundColor);
  const none = 'rgba(0, 0, 0, 0)';
  expect(await readFill(/^Approvals, 1/)).not.toBe(none);
  expect(await readFill(/^Assistants, 1/)).not.toBe(none);
  expect(await readFill(/^Items, 4/)).toBe(none);
  expect(await readFill(/^Notifications, 2/)).toBe(none);
});

test('the state of a live listing is dark text with a dot, not green', async ({ open }) => {
  const page = await open('#/listings', {});
  const live = page.getByRole('rowgroup').locator('[data-state=published]').first();
  await expect(live).toBeVisible();
  const { colour, dot } = await live.evaluate((words) => ({
    colour: getComputedStyle(words).color,
    dot: getComputedStyle(words, '::before').width,
  }));
  expect(colour).toBe('rgb(34, 31, 27)');
  expect(dot).toBe('6px');
});

const tourSteps = ['drop', 'look', 'yes'];

test('each step of the tour fits in the bar of 40 px, in every language', async ({ open }) => {
  for (const language of languageCodes) {
    const page = await open('', { language, tour: true }, { instead: true });
    const tour = page.locator('section:has(+ main)');
    for (const [step] of tourSteps.entries()) {
      for (const width of [1280, 480]) {
        await page.setViewportSize({ width, height: 800 });
        await expect(tour).toContainText(`${step + 1}`);
        expect((await tour.boundingBox())?.height).toBe(40);
        const words = tour.locator('p');
        const cut = await words.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
        expect(cut, `${language}, step ${step + 1} at ${width} px: ${await words.innerText()}`).toBeLessThanOrEqual(0);
      }
      await tour.locator('[data-variant=ink]').press('Enter');
    }
    await expect(tour).toHaveCount(0);
  }
});

test('a notice replaces the tour in its bar, and the tour returns afterwards', async ({ open }) => {
  const page = await open('', { tour: true, state: { offline: 'The service cannot be reached.' } });
  const tour = page.getByRole('region', { name: 'Tour' });
  await expect(getBar(page)).toBeVisible();
  await expect(tour).toBeHidden();
  expect((await page.getByRole('main').boundingBox())?.y).toBe(40);
  await page.evaluate(() => {
    window.fake.state = { ...window.fake.state, offline: null };
    window.fake.changed('app');
  });
  await expect(getBar(page)).toHaveCount(0);
  await expect(tour).toContainText('Step 1 of 3');
  expect((await page.getByRole('main').boundingBox())?.y).toBe(40);
});
