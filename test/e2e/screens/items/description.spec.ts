import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { expect, listRequests, test } from '../page.ts';

const setDescription = async (page: Page, listingId: string, description: string): Promise<void> => {
  await page.evaluate(
    ([id, html]) => {
      const { fake } = window;
      fake.listings[id] = { ...fake.listings[id], description: html };
      fake.changed('listings');
    },
    [listingId, description] as const,
  );
  await expect(page.frameLocator('iframe[title^="Description"]').locator('body')).not.toBeEmpty();
};
const listSavedDescriptions = async (page: Page): Promise<unknown[]> =>
  (await listRequests(page, 'updateListing')).map(({ input }) => input.body?.['description']);
const getField = (page: Page) => page.getByRole('textbox', { name: 'Description', exact: true });
const openEditor = (page: Page) => page.getByRole('button', { name: 'Edit description' }).press('Enter');

test('a description is formatted by keyboard and can be edited as HTML', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await setDescription(page, 'lst_fox', '<p>A fox.</p><ul><li>Hand-painted</li></ul>');
  await openEditor(page);
  await expect(getField(page)).toBeFocused();
  await page.keyboard.press('Control+b');
  await page.keyboard.type('Rare');
  await page.keyboard.press('Control+b');
  await page.keyboard.type(' & <b>old</b>: ');
  expect(await listSavedDescriptions(page)).toEqual([]);
  await page.keyboard.press('Control+Enter');
  const html = '<p><strong>Rare</strong> &amp; &lt;b&gt;old&lt;/b&gt;: A fox.</p><ul><li>Hand-painted</li></ul>';
  await expect.poll(() => listSavedDescriptions(page)).toEqual([html]);
  await page.getByRole('button', { name: 'Show HTML' }).press('Enter');
  await expect(getField(page)).toHaveValue(html);
  await getField(page).fill('<h2>Fox</h2><p>A fox.</p>');
  await page.getByRole('button', { name: 'Show as text' }).press('Enter');
  await expect(getField(page).getByRole('heading', { name: 'Fox' })).toBeVisible();
  await expect.poll(() => listSavedDescriptions(page)).toEqual([html, '<h2>Fox</h2><p>A fox.</p>']);
});

test('a description that is opened and left unchanged is not saved', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await setDescription(page, 'lst_fox', 'Plain words<br>on two lines');
  await openEditor(page);
  await expect(getField(page)).toBeFocused();
  await page.getByRole('button', { name: 'Done' }).press('Enter');
  await expect(getField(page)).toHaveCount(0);
  expect(await listSavedDescriptions(page)).toEqual([]);
});

const hostile =
  '<style>body{display:none}</style><script>window.pwned = 1</script><p style="color:red" onclick="pwned=1">A fox' +
  '<img src="https://evil.example/p.png" onerror="window.pwned=1"><!-- note --></p><table><tr><td>1</td></tr></table>';

test('a description with unsupported HTML is edited only as HTML and runs no scripts', async ({ open }) => {
  const page = await open('#/items/fox', {});
  const outside: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('evil.example')) outside.push(request.url());
  });
  await setDescription(page, 'lst_fox', hostile);
  await openEditor(page);
  await expect(getField(page)).toHaveValue(hostile);
  await expect(page.getByText('so it stays HTML')).toBeVisible();
  await page.getByRole('button', { name: 'Show as text' }).press('Enter');
  await expect(getField(page)).toHaveValue(hostile);
  await getField(page).press('Control+End');
  await page.keyboard.type('<p>One word more.</p>');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => listSavedDescriptions(page)).toEqual([`${hostile}<p>One word more.</p>`]);
  expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
  expect(outside).toEqual([]);
});

for (const html of [
  '<p class="x">A</p>',
  '<p>A<a href="https://example.com">b</a></p>',
  '<div>A</div>',
  '<p>A<img src="x"></p>',
  '<p>A<!-- b --></p>',
  '<p onclick="x()">A</p>',
  '<p><font color="red">A</font></p>',
  '<ul style="x"><li>A</li></ul>',
])
  test(`unsupported HTML is not opened in the text editor: ${html}`, async ({ open }) => {
    const page = await open('#/items/fox', {});
    await setDescription(page, 'lst_fox', html);
    await openEditor(page);
    await expect(getField(page)).toHaveValue(html);
    await expect(page.getByText('so it stays HTML')).toBeVisible();
  });

test('pasted HTML loses scripts, styles and images', async ({ open }) => {
  const page = await open('#/items/fox', {});
  const outside: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('evil.example')) outside.push(request.url());
  });
  await setDescription(page, 'lst_fox', '<p>A fox.</p>');
  await openEditor(page);
  await expect(getField(page)).toBeFocused();
  await getField(page).evaluate((element, html) => {
    const data = new DataTransfer();
    data.setData('text/html', html);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, hostile);
  await page.keyboard.press('Control+Enter');
  await expect.poll(async () => (await listSavedDescriptions(page)).length).toBe(1);
  expect(String((await listSavedDescriptions(page))[0])).not.toMatch(/script|style|onclick|onerror|img/);
  expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
  expect(outside).toEqual([]);
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`axe finds no problem in the text editor: ${colorScheme}`, async ({ open }) => {
    const page = await open('#/items/fox', {}, { colorScheme });
    await setDescription(page, 'lst_fox', '<h2>Fox</h2><p>A fox.</p>');
    await openEditor(page);
    await expect(getField(page)).toBeFocused();
    const { violations } = await new AxeBuilder({ page }).include('main').analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
  });

test('an edited title is offered as the replacement of the old title in the description', async ({ open }) => {
  const page = await open('#/items/fox', {});
  const old = 'Vintage Red Fox Ceramic Figurine, Hand Painted, 12 cm, Sitting';
  await setDescription(page, 'lst_fox', `<p>You are looking at: ${old}. See photos.</p>`);
  const offer = page.getByRole('region', { name: 'The description still has the old title.' });
  await expect(offer).toHaveCount(0);
  const title = page.getByRole('textbox', { name: 'Title' });
  await title.fill('Ceramic fox & cub');
  await title.press('Control+Enter');
  await expect(offer.locator('del').first()).toContainText('Vintage');
  await expect(offer.locator('ins').last()).toContainText('cub');
  expect(await listSavedDescriptions(page)).toEqual([undefined]);
  await offer.getByRole('button', { name: 'Replace it there' }).click();
  await expect(offer).toHaveCount(0);
  expect(await listSavedDescriptions(page)).toEqual([
    undefined,
    '<p>You are looking at: Ceramic fox &amp; cub. See photos.</p>',
  ]);
});
