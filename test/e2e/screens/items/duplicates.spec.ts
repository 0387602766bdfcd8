import { expectNoAxeProblem } from '../accessibility/axe.ts';
import { expect, test } from '../page.ts';

test('a listing in review is shown beside the live listing that it looks like, until the person says that they differ', async ({
  open,
}) => {
  const page = await open('#/items/fox', {});
  await expect(page.getByRole('region', { name: 'Shelf' })).toBeVisible();
  await page.evaluate(() => {
    const { fake } = window;
    const title = 'Red fox figure made of porcelain';
    const own = Object.entries(fake.listings).find(([id]) => id.includes('fox'));
    const live = Object.entries(fake.listings).find(([id]) => id !== own?.[0]);
    if (!own || !live) throw new Error(Object.keys(fake.listings).join(' '));
    fake.listings[own[0]] = { ...own[1], title };
    fake.listings[live[0]] = { ...live[1], title, status: 'published' };
    fake.changed('listings');
  });
  const warning = page.getByRole('button', { name: 'It looks like a listing that is live' });
  await warning.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Is it the same as this live listing?' });
  await expect(dialog.getByRole('region', { name: 'Live' })).toContainText('Red fox figure made of porcelain');
  await expectNoAxeProblem(page, { dark: true });
  await dialog.getByRole('button', { name: 'Different item' }).press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(warning).toHaveCount(0);
});
