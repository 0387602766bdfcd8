import type { Page } from 'playwright/test';
import { expect, test } from './page.ts';

const listInputs = (page: Page, name: string) =>
  page.evaluate((wanted) => window.fake.asked.filter((one) => one.name === wanted).map(({ input }) => input), name);

test('a message to support is sent only after the person approves it', async ({ open }) => {
  const page = await open('#/help', {});
  const form = page.getByRole('form', { name: 'Write to the service' });
  await expect(form.getByLabel('Reply to')).toHaveValue('robin@example.org');
  await form.getByRole('button', { name: 'Send…' }).press('Enter');
  await expect(form).toContainText('What would you like to say?');
  await form.getByLabel('Message').fill('The fox has no tail.');
  await form.getByRole('button', { name: 'Send…' }).press('Enter');
  const sheet = page.getByRole('dialog', { name: "Send a message to the service's support" });
  await expect(sheet).toContainText('The fox has no tail.');
  await sheet.getByRole('button', { name: 'Not now' }).press('Enter');
  await expect(form).toContainText('It is waiting for your yes.');
  await form.getByRole('button', { name: 'Send…' }).press('Enter');
  await sheet.getByRole('button', { name: 'Decline' }).press('Enter');
  await page.getByRole('menuitem', { name: 'No', exact: true }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().press('Enter');
  await expect(form).toContainText('It was not sent. What you wrote is still here.');
  await expect(form.getByLabel('Message')).toHaveValue('The fox has no tail.');
  await form.getByRole('button', { name: 'Send…' }).press('Enter');
  await sheet.getByRole('button', { name: 'Send the message' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().press('Enter');
  await expect(page.getByText('Sent. The answer comes by e-mail to robin@example.org.')).toBeVisible();
});

test('Escape ends the tour for good, and Help can restart it', async ({ open }) => {
  const page = await open('', { tour: true });
  const tour = page.getByRole('region', { name: 'Tour' });
  await expect(tour.getByRole('button', { name: 'Next' })).toBeFocused();
  for (const [step, words] of ['Drop photos', 'Look it over', 'One yes'].entries()) {
    await expect(tour).toContainText(`Step ${step + 1} of 3`);
    await expect(tour).toContainText(words);
    if (step < 2) await page.keyboard.press('Enter');
  }
  await page.keyboard.press('Escape');
  await expect(tour).toHaveCount(0);
  expect(await listInputs(page, 'app.settings')).toEqual([{ tourSeen: true }]);
  await page.getByRole('link', { name: 'Help', exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Show the tour' }).press('Enter');
  await expect(tour).toContainText('Step 1 of 3');
  await expect.poll(() => page.evaluate(() => location.hash)).toBe('#/');
  for (const name of ['Next', 'Next', 'Done']) await tour.getByRole('button', { name }).press('Enter');
  await expect(tour).toHaveCount(0);
});

test('the tour resumes at its step after the window reloads', async ({ open }) => {
  const page = await open('', { tour: true });
  const tour = page.getByRole('region', { name: 'Tour' });
  await tour.getByRole('button', { name: 'Next' }).press('Enter');
  await expect(tour).toContainText('Step 2 of 3');
  await page.reload();
  await expect(tour).toContainText('Step 2 of 3');
});

test('Help lists the same keyboard shortcuts as the ? dialog', async ({ open }) => {
  const page = await open('#/help', {});
  const keys = page.getByRole('region', { name: 'Keys' }).locator('dl > div');
  await expect(keys.filter({ hasText: 'Publish what is selected' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'How it works' }).getByRole('heading', { level: 3 })).toHaveCount(10);
  const inHelp = await keys.count();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' }).locator('dl > div')).toHaveCount(inHelp);
  await page.keyboard.press('Escape');
  await page
    .getByRole('definition')
    .filter({ hasText: 'diagnostics file' })
    .getByRole('link', { name: 'Settings' })
    .press('Enter');
  await expect(page.getByRole('button', { name: 'Save diagnostics' })).toBeVisible();
});

test('a banner says what still works while the service is offline', async ({ open }) => {
  const page = await open('', { state: { offline: 'The service cannot be reached.' } });
  const line = page.getByText('You can still add photos and search your listings.');
  await expect(line).toBeVisible();
  await page.evaluate(() => {
    window.fake.state = { ...window.fake.state, offline: null };
    window.fake.changed('app');
  });
  await expect(line).toHaveCount(0);
});

/** Adds a new item in this step; all other items are live. */
const putNewItem = (page: Page, step: 'draft' | 'review'): Promise<void> =>
  page.evaluate((to) => {
    const others = window.fake.items.filter(({ itemId }) => itemId !== 'new');
    const [like] = others;
    if (!like) return;
    window.fake.items = [
      {
        ...{ ...like, itemId: 'new', step: to, listingId: 'lst_new' },
        photos: like.photos.map((photo) => ({ ...photo, photoId: `${photo.photoId}-new` })),
      },
      ...others.map((one) => ({ ...one, step: 'live' as const })),
    ];
    window.fake.changed('items');
  }, step);
const openNew = (page: Page): Promise<void> => page.locator('[data-item=new]').click();

test('the tour advances with the person’s progress and ends after the first approval', async ({ open }) => {
  const page = await open('', { tour: true, items: 'ready6' });
  const tour = page.getByRole('region', { name: 'Tour' });
  await expect(tour).toContainText('Step 1 of 3');
  await expect(page.getByRole('link', { name: 'Items, 6 waiting' })).toBeVisible();
  await page.getByRole('list', { name: 'Items' }).getByRole('listitem').first().waitFor();
  // A draft is one more item but has no generated text yet.
  await putNewItem(page, 'draft');
  await expect(tour).toContainText('Your photos are here');
  await expect(tour).toContainText('Step 1 of 3');
  await openNew(page);
  await expect(page.getByRole('region', { name: 'Item', exact: true })).toBeVisible();
  await expect(tour).toContainText('Step 1 of 3');
  await page.keyboard.press('Escape');
  await putNewItem(page, 'review');
  await expect(tour).toContainText('Step 2 of 3');
  await openNew(page);
  await expect(tour).toContainText('Step 3 of 3');
  await page.evaluate(() => {
    const approval = { ...window.fake.publish(), state: 'done' as const, decidedAt: Date.now() };
    window.fake.history = [approval, ...window.fake.history];
    window.fake.changed('approvals');
  });
  await expect(tour).toHaveCount(0);
  expect(await listInputs(page, 'app.settings')).toEqual([{ tourSeen: true }]);
});

test('the main region has the focus after the tour', async ({ open }) => {
  const page = await open('', { tour: true });
  const tour = page.getByRole('region', { name: 'Tour' });
  for (const name of ['Next', 'Next', 'Done']) await tour.getByRole('button', { name }).press('Enter');
  await expect(tour).toHaveCount(0);
  await expect(page.locator('main')).toBeFocused();
});

/** Returns the text of each matching element that the message covers. */
const listCovered = (page: Page, message: string, within: string): Promise<string[]> =>
  page.evaluate(
    ({ words, rooms }) => {
      const said = [...document.querySelectorAll('[role=alert]')].find((one) => one.textContent.includes(words));
      const box = said?.getBoundingClientRect();
      if (!box) return [`no message says ${words}`];
      return [...document.querySelectorAll(rooms)].flatMap((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const [x, y] = [Math.max(left, box.left), Math.max(top, box.top)];
        const isOver = x < Math.min(right, box.right) && y < Math.min(bottom, box.bottom);
        return isOver && said?.contains(document.elementFromPoint(x + 1, y + 1)) ? [one.textContent] : [];
      });
    },
    { words: message, rooms: within },
  );

test('a toast message covers no navigation link, main button or prompt', async ({ open }) => {
  for (const width of [480, 900, 1280, 1920]) {
    const page = await open('#/items/fox', { tour: true }, { width, instead: true });
    await expect(page.getByRole('button', { name: 'Publish…' })).toBeVisible();
    await page.keyboard.press('n');
    await expect(page.getByText('Nothing else to review.')).toBeVisible();
    const pressed = 'nav a, [data-variant=ink], header a';
    expect(await listCovered(page, 'Nothing else', pressed), `at ${width} px`).toEqual([]);
    await page.evaluate(() => {
      window.fake.approvals = [window.fake.publish()];
      window.fake.changed('approvals');
    });
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await listCovered(page, 'Nothing else', '[role=dialog]'), `at ${width} px`).toEqual([]);
  }
});

test('the close button of a dialog is labelled in the UI language', async ({ open }) => {
  const page = await open('#/help', { language: 'de' });
  await expect(page.getByRole('region', { name: 'Tasten' })).toBeVisible();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Schließen', exact: true }).press('Enter');
  await expect(dialog).toBeHidden();
});
