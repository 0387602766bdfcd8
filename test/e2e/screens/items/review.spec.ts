import type { Locator, Page } from 'playwright/test';
import { languages, type Language } from '../../../../src/i18n/languages.ts';
import { expect, listRequests, readLastRequest, test } from '../page.ts';

const readLastBody = async (page: Page, route: string): Promise<unknown> =>
  (await readLastRequest(page, route))?.input.body;

/** Gives each ready item its own listing without publish blockers. */
const addListingsForItems = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { fake } = window;
    for (const { listingId, title } of fake.items)
      fake.listings[listingId ?? ''] = {
        ...fake.listings.lst_fox,
        listingId,
        title,
        packageWeightGrams: 350,
        publishBlockers: [],
      };
    // The first item opens by itself, so its listing may have been read before.
    fake.changed('listings');
  });

test('listings are reviewed, edited and published one after another by keyboard', async ({ open }) => {
  const page = await open('', { items: 'ready' });
  await page.getByRole('list', { name: 'Items' }).waitFor();
  await addListingsForItems(page);
  await page.keyboard.press('n');
  await expect(page).toHaveURL(/items\/ready-0$/);
  const title = page.getByLabel('Title', { exact: true });
  await expect(title).toHaveValue('Red fox figurine no. 1');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('button', { name: /^Look closer at Photo 2 of 4/ })).toBeVisible();
  await page.keyboard.press('e');
  await expect(title).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.type(', sitting');
  await page.keyboard.press('Escape');
  await expect(title).not.toBeFocused();
  expect(await readLastBody(page, 'updateListing')).toEqual({ title: 'Red fox figurine no. 1, sitting' });
  await page.keyboard.press('p');
  const prompt = page.getByRole('dialog', { name: /^Publish/ });
  const yes = prompt.getByRole('button', { name: /^Publish for/ });
  await expect(yes).toBeEnabled();
  await yes.press('Enter');
  await expect(page.getByRole('dialog', { name: /^Live on/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/items\/ready-1$/);
  await expect(title).toHaveValue('Film camera no. 2');
  // Without a yes, the item stays open, because the person wants to change something.
  for (const key of ['Escape', 'Enter'] as const) {
    await page.keyboard.press('p');
    await expect(prompt.getByRole('button', { name: 'Not now' })).toBeFocused();
    await page.keyboard.press(key);
    await expect(prompt).toHaveCount(0);
    await expect(page).toHaveURL(/items\/ready-1$/);
  }
  await page.keyboard.press('j');
  await expect(page).toHaveURL(/items\/ready-2$/);
  await page.keyboard.press('k');
  await expect(page).toHaveURL(/items\/ready-1$/);
});

test('a discard needs approval, and the listing stays on the screen if the prompt is closed', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await expect(page.getByLabel('Title', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Go there' }).press('Enter');
  await expect(page.getByLabel('Packed weight')).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('d');
  await expect(page.getByRole('dialog').getByText('This cannot be undone.', { exact: false })).toBeVisible();
  expect(await listRequests(page, 'deleteListing')).toHaveLength(1);
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/items\/fox$/);
  await page.keyboard.press('n');
  await expect(page.getByText('Nothing else to review.')).toBeVisible();
});

test('“Go there” finds a field below even before the lower fields are rendered', async ({ open }) => {
  const page = await open('#/help', {});
  await page.getByRole('heading', { name: 'Help' }).waitFor();
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Go there');
      if (!button) return;
      observer.disconnect();
      button.click();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    location.hash = '#/items/fox';
  });
  await expect(page.getByLabel('Packed weight')).toBeFocused();
});

test('a failed generation says why and can be reverted to review', async ({ open }) => {
  const page = await open('#/items/fox', {});
  const publish = page.getByRole('button', { name: 'Publish…' });
  await expect(publish).toBeVisible();
  await page.evaluate(() => {
    const { fake } = window;
    fake.listings.lst_fox = {
      ...fake.listings.lst_fox,
      status: 'failed',
      processingError: 'The photos were too dark.',
    };
    fake.changed('listings');
  });
  await expect(page.getByText('The photos were too dark.')).toBeVisible();
  await expect(publish).toHaveCount(0);
  await page.getByRole('button', { name: 'Take it back for review' }).press('Enter');
  await expect(publish).toBeVisible();
});

test('changes since the generation are listed and can be undone one by one', async ({ open }) => {
  const page = await open('#/items/fox', {});
  const changed = page.getByRole('region', { name: /changed since it was written/ });
  await expect(changed.getByRole('button', { name: '4 fields changed since it was written' })).toBeVisible();
  await page.keyboard.press('c');
  const row = changed.getByRole('row', { name: /^Title/ });
  await expect(row.locator('del')).toHaveText(['Ceramic,']);
  await expect(row.locator('ins').first()).toHaveText(/Red/);
  await changed.getByRole('button', { name: 'Put back Style' }).press('Enter');
  await expect(changed.getByRole('row')).toHaveCount(4);
  expect(await readLastBody(page, 'updateListing')).toEqual({
    itemSpecifics: { Material: 'Ceramic', Colour: 'Red, white', Height: '12 cm' },
  });
  for (const field of ['Title', 'Price', 'Colour'])
    await changed.getByRole('button', { name: `Put back ${field}` }).press('Enter');
  await expect(changed).toHaveCount(0);
  await expect(page.getByLabel('Price', { exact: true })).toHaveValue('39.99');
});

test('item specifics show required fields first and suggest others', async ({ open }) => {
  const page = await open('#/items/fox', {});
  // Appliances require a brand.
  await page.evaluate(() => {
    window.fake.listings.lst_fox = { ...window.fake.listings.lst_fox, categoryId: '4004' };
    window.fake.changed('listings');
  });
  const specifics = page.getByRole('region', { name: 'Item specifics' });
  await expect(specifics.getByRole('listitem').first()).toContainText('Brand required');
  const brand = specifics.getByLabel('Brand required');
  await expect(brand).toHaveAttribute('aria-required', 'true');
  await brand.fill('Unbranded');
  await brand.press('Control+Enter');
  await expect(specifics.getByText('Saved')).toBeVisible();
  await specifics.getByRole('button', { name: 'Add Model' }).press('Enter');
  await expect(specifics.getByLabel('Value of Model')).toBeFocused();
  await page.keyboard.type('1972');
  await page.keyboard.press('Escape');
  await expect
    .poll(() => readLastBody(page, 'updateListing'))
    .toMatchObject({
      itemSpecifics: { Material: 'Ceramic', Brand: 'Unbranded', Model: '1972' },
    });
});

test('asking prices of similar items are read only on request, and only once', async ({ open }) => {
  const page = await open('#/items/fox', {});
  const button = page.getByRole('button', { name: 'Similar items' });
  await expect(button).toBeVisible();
  expect(await listRequests(page, 'searchComps')).toHaveLength(0);
  await button.press('Enter');
  const found = page.getByRole('region', { name: 'Similar items' });
  await expect(found).toContainText('9 similar items are offered for US$5.99 to US$33.99');
  await expect(found).toContainText('not what they sold for');
  await expect(found.locator('circle')).toHaveCount(9);
  await expect(found.locator('svg')).toContainText('Yours US$34.99');
  await found.getByText('The same as a table').press('Enter');
  await expect(found.getByRole('row')).toHaveCount(10);
  await found.getByRole('button', { name: 'Use suggested price US$39.99' }).press('Enter');
  await expect(page.getByLabel('Price', { exact: true })).toHaveValue('39.99');
  await button.press('Enter');
  await button.press('Enter');
  await expect(found).toContainText('9 similar items');
  expect(await listRequests(page, 'searchComps')).toHaveLength(1);
});

test('a Best Offer change needs approval, and contradictory limits are not sent', async ({ open }) => {
  const page = await open('#/items/fox', {});
  const sells = page.getByRole('region', { name: 'How it sells' });
  await expect(sells).toContainText('Fixed price · No Best Offer');
  await sells.getByRole('button', { name: 'Change…' }).press('Enter');
  await sells.getByRole('switch', { name: 'Best Offer' }).press('Space');
  await sells.getByLabel('Auto-accept from').fill('30');
  await sells.getByLabel('Auto-decline below').fill('30');
  await page.keyboard.press('Enter');
  await expect(sells).toContainText('auto-decline amount must be below the auto-accept amount');
  expect(await listRequests(page, 'updateListing')).toHaveLength(0);
  await sells.getByLabel('Auto-decline below').fill('20');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Set Best Offer' })).toBeVisible();
  expect(await readLastBody(page, 'updateListing')).toEqual({
    bestOffer: { enabled: true, autoAcceptCents: 3_000, autoDeclineCents: 2_000 },
  });
});

test('a listing adapted to another site is generated again and shows its new text', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await page.getByRole('button', { name: 'Adapt to another site…' }).press('Enter');
  const form = page.getByRole('form', { name: 'Adapt to another site' });
  await expect(form).toContainText('It uses none of your listings.');
  await form.getByLabel('Site').selectOption('MKT_DE');
  await expect(form.getByLabel('Language').getByRole('option').first()).toHaveText('Language of the site: German');
  await form.getByRole('button', { name: 'Rewrite it' }).press('Enter');
  await expect(
    page.getByRole('region', { name: 'Item', exact: true }).getByText('Being written').first(),
  ).toBeVisible();
  expect(await readLastBody(page, 'generateListing')).toEqual({
    intent: 'adapt_marketplace',
    targetMarketplaceId: 'MKT_DE',
  });
  await page.evaluate(() => window.fake.endWriting());
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue('Roter Fuchs aus Keramik, handbemalt');
});

test('a listing offers only the actions of its state', async ({ open }) => {
  const page = await open('#/listings/lst_fox', {});
  const put = (change: Record<string, unknown>): Promise<void> =>
    page.evaluate((given) => {
      const { fake } = window;
      fake.listings.lst_fox = { ...fake.listings.lst_fox, ...given };
      fake.changed('listings');
    }, change);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const discard = page.getByRole('menuitem', { name: 'Discard…' });
  await button('More').click();
  await expect(discard).toBeVisible();
  await page.keyboard.press('Escape');
  await put({ status: 'draft' });
  await expect(button('Write the listing')).toBeVisible();
  await expect(button('Discard…')).toBeVisible();
  await put({ status: 'sold', everLive: true });
  await expect(button('Write the listing')).toHaveCount(0);
  await expect(button('Bring back for review')).toHaveCount(0);
  await put({ status: 'ended' });
  await expect(button('Bring back for review')).toBeVisible();
  await put({ status: 'pending_review' });
  await expect(button('Publish…')).toBeVisible();
  await button('More').click();
  await expect(page.getByRole('menuitem', { name: 'Labels…' })).toBeVisible();
  // A listing that was live is kept.
  await expect(discard).toHaveCount(0);
});

test('a listing without a title or specifics opens and can be edited', async ({ open }) => {
  const page = await open('#/listings/lst_fox', {});
  await page.evaluate(() => {
    const { lst_fox: fox } = window.fake.listings;
    window.fake.listings.lst_bare = { ...fox, listingId: 'lst_bare', title: null, itemSpecifics: null };
    location.hash = '#/listings/lst_bare';
  });
  const pane = page.getByRole('region', { name: 'Listing', exact: true });
  const title = pane.getByLabel('Title', { exact: true });
  await expect(title).toHaveValue('');
  await title.fill('Blue vase');
  await title.press('Tab');
  await expect(pane.getByText('Saved').first()).toBeVisible();
  await expect(pane.getByRole('region', { name: 'Item specifics' })).toBeVisible();
});

const measureTop = async (what: Locator): Promise<number> => (await what.boundingBox())?.y ?? NaN;

test('an item’s main fields are visible beside its photos', async ({ open }) => {
  const page = await open('#/items/fox', {});
  const pane = page.getByRole('region', { name: 'Item', exact: true });
  const title = pane.getByLabel('Title', { exact: true });
  const photos = pane.getByRole('region', { name: 'Photos' });
  await expect(title).toBeVisible();
  const [left, right] = [await photos.boundingBox(), await title.boundingBox()];
  expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThan(right?.x ?? 0);
  expect(left?.width).toBeGreaterThan(180);
  const foot = (await pane.getByRole('button', { name: 'Publish…' }).boundingBox())?.y ?? 0;
  for (const field of [
    title,
    pane.getByLabel('Price', { exact: true }),
    pane.getByLabel('Condition', { exact: true }),
  ]) {
    const box = await field.boundingBox();
    expect((box?.y ?? foot) + (box?.height ?? 0)).toBeLessThan(foot);
  }
  await expect(pane.getByText('One field below needs a look first.')).toBeInViewport();
  await expect(pane.getByText('Figurines & Ornaments')).toBeInViewport({ ratio: 1 });
  expect(await measureTop(title)).toBeLessThan(await measureTop(pane.getByText('One field below needs a look first.')));
  const shownPhoto = await pane.getByRole('button', { name: /^Look closer/ }).boundingBox();
  expect(Math.max(shownPhoto?.width ?? 0, shownPhoto?.height ?? 0)).toBeGreaterThanOrEqual(320);
  const buttons = await pane.locator('.mantine-Button-root, .mantine-ActionIcon-root').all();
  const tops = await Promise.all(buttons.map(measureTop));
  // The buttons of the bar, and two quiet buttons above it.
  expect(tops.filter((top) => top < foot).length).toBeLessThanOrEqual(2);
  await expect(pane.getByRole('button', { name: 'Publish…' }).locator('..').getByRole('button')).toHaveCount(3);
  // A second heading exists for screen readers only.
  const shown = await pane
    .getByText('Vintage Red Fox Ceramic Figurine', { exact: false })
    .evaluateAll((found) => found.filter((one) => one.closest('.unseen') === null).length);
  expect(shown).toBe(1);
});

test('conditions are named in the UI language, not in the service’s words', async ({ open }) => {
  const page = await open('#/items/fox', { language: 'de' });
  const conditions = page.getByLabel('Zustand', { exact: true });
  await expect(conditions.getByRole('option')).toHaveText([
    'Neu',
    'Neu, sonstige',
    'Wie neu',
    'Gebraucht, hervorragend',
    'Gebraucht, gut',
    'Gebraucht, akzeptabel',
    'Als Ersatzteil / defekt',
  ]);
});

const measureMiddle = (box: { y: number; height: number } | null): number => (box?.y ?? 0) + (box?.height ?? 0) / 2;

test.describe('a slow service', () => {
  const slow = (page: Page) => page.getByRole('alert').filter({ hasText: 'Waiting for the service…' });

  test('is reported with a button that cancels the call', async ({ open }) => {
    const page = await open('#/items/fox', {});
    await page.evaluate(() => window.fake.slow.push('publishListing'));
    const publish = page.getByRole('button', { name: 'Publish…' });
    await publish.click();
    await expect(publish).toBeDisabled();
    const [button, spinner] = await Promise.all([
      publish.boundingBox(),
      publish.locator('.mantine-Button-loader').boundingBox(),
    ]);
    expect(measureMiddle(spinner)).toBeCloseTo(measureMiddle(button), 0);
    await expect(slow(page)).toBeVisible();
    await slow(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByText('You stopped waiting.')).toBeVisible();
    await expect(slow(page)).toBeHidden();
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(publish).toBeEnabled();
  });

  test('is still reported if the host cannot cancel the call', async ({ open }) => {
    const page = await open('#/items/fox', {});
    await page.evaluate(() => {
      const { companion, fake } = window;
      fake.slow.push('publishListing');
      if (companion === undefined) return;
      const { call } = companion;
      const refusal = { ok: false, problem: { code: 'NO_HOST', sentence: 'The host is away.' } } as const;
      companion.call = async (name, input) => (name === 'service.stopWaiting' ? refusal : call(name, input));
    });
    await page.getByRole('button', { name: 'Publish…' }).click();
    await slow(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'The host is away.' })).toBeVisible();
    await expect(slow(page)).toBeVisible();
  });

  test('is not reported for background reads', async ({ open }) => {
    const page = await open('#/account', {});
    const invoices = page.getByRole('button', { name: 'Show invoices' });
    await expect(invoices).toBeVisible();
    await page.clock.install();
    await page.evaluate(() => window.fake.slow.push('readStanding', 'listInvoices'));
    const before = (await listRequests(page, 'readStanding')).length;
    await page.evaluate(() => window.fake.changed('account'));
    await expect.poll(async () => (await listRequests(page, 'readStanding')).length).toBeGreaterThan(before);
    await page.clock.runFor(10_000);
    await expect(slow(page)).toBeHidden();
    await invoices.click();
    await expect.poll(async () => (await listRequests(page, 'listInvoices')).length).toBe(1);
    await page.clock.runFor(3_000);
    await expect(slow(page)).toBeVisible();
  });

  test('receives edits one at a time', async ({ open }) => {
    const page = await open('#/items/fox', {});
    await page.evaluate(() => window.fake.slow.push('updateListing'));
    const title = page.getByLabel('Title', { exact: true });
    await title.fill('Fox');
    await title.blur();
    await expect.poll(() => readLastBody(page, 'updateListing')).toEqual({ title: 'Fox' });
    for (const name of ['Red fox', 'Red fox, sitting']) {
      await title.fill(name);
      await title.blur();
      await expect(page.getByText('Saved after the edit before it')).toBeVisible();
    }
    expect(await listRequests(page, 'updateListing')).toHaveLength(1);
    await page.evaluate(() => {
      window.fake.slow = [];
      window.fake.answer();
    });
    await expect.poll(() => readLastBody(page, 'updateListing')).toEqual({ title: 'Red fox, sitting' });
    expect(await listRequests(page, 'updateListing')).toHaveLength(2);
    await expect(title).toHaveValue('Red fox, sitting');
  });
});

test('a wide window shows the first item beside the list, and the keys apply to it', async ({ open }) => {
  const page = await open('', { items: 'ready' });
  const title = page.getByLabel('Title', { exact: true });
  await expect(title).toBeVisible();
  await addListingsForItems(page);
  await page.evaluate(() => window.fake.changed('listings'));
  await expect(title).toHaveValue('Red fox figurine no. 1');
  await expect(page.locator('[data-item=ready-0]')).toHaveAttribute('aria-current', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('listitem', { name: 'Red fox figurine no. 1 – Checked' })).toBeVisible();
  await expect(page).toHaveURL(/items\/ready-1$/);
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/items\/ready/);
  // The checked item is in a later section now.
  await expect(title).toHaveValue('Film camera no. 2');
});

test('a narrow window shows the list alone until an item is opened', async ({ open }) => {
  const page = await open('', { items: 'ready' }, { width: 900 });
  await expect(page.getByRole('list', { name: 'Items' })).toBeVisible();
  await expect(page.getByLabel('Title', { exact: true })).toHaveCount(0);
});

for (const language of Object.keys(languages) as Language[])
  test(`a question about a barcode is one line of 32 pixels beside the photo: ${language}`, async ({ open }) => {
    const page = await open('#/items/fox', { language });
    await page.evaluate(() => {
      const fox = window.fake.items.find(({ itemId }) => itemId === 'fox');
      fox?.barcodes.push({
        value: '9780306406157',
        format: 'EAN-13',
        photoId: fox.photos[0]?.photoId ?? '',
        state: 'offered',
      });
      window.fake.changed('items');
    });
    const line = page.locator('main').getByRole('listitem').filter({ hasText: '9780306406157' });
    await expect(line.getByRole('button')).toHaveCount(2);
    for (const button of await line.getByRole('button').all()) await expect(button).toBeInViewport({ ratio: 1 });
    expect((await line.boundingBox())?.height).toBe(32);
    const words = line.locator('span');
    expect(await words.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
  });

test('an ended or sold listing names no changes since it was written', async ({ open }) => {
  const page = await open('#/listings/lst_fox', {});
  const changed = page.getByRole('region', { name: /changed since it was written/ });
  await expect(changed).toBeVisible();
  for (const status of ['sold', 'published', 'ended'] as const) {
    await page.evaluate((now) => {
      const { fake } = window;
      fake.listings.lst_fox = { ...fake.listings.lst_fox, status: now };
      fake.changed('listings');
    }, status);
    await expect(changed).toHaveCount(status === 'published' ? 1 : 0);
  }
});

test('the fields stay in place when the first edit shows how many fields have changed', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await page.getByLabel('Price').waitFor();
  await page.evaluate(() => {
    const { fake } = window;
    const title = 'Vintage Fox Figurine, Ceramic, Painted, 12 cm, Sitting';
    const itemSpecifics = { Material: 'Ceramic', Colour: 'Red', Height: '12 cm' };
    fake.listings.lst_fox = { ...fake.listings.lst_fox, title, price: 3_999, itemSpecifics };
    fake.changed('listings');
  });
  const changed = page.getByRole('button', { name: /changed since it was written/ });
  await expect(changed).toHaveCount(0);
  const price = page.getByLabel('Price');
  const condition = page.getByLabel('Condition', { exact: true });
  const before = [await price.boundingBox(), await condition.boundingBox()];
  await page.getByLabel('Title').fill('Vintage Fox Figurine, Ceramic, Painted, 13 cm, Sitting');
  await page.getByLabel('Title').blur();
  await expect(changed).toHaveText('1 field changed since it was written');
  expect([await price.boundingBox(), await condition.boundingBox()]).toEqual(before);
  await page.keyboard.press('Escape');
  await page.keyboard.press('c');
  await expect(page.getByRole('columnheader', { name: 'As written' })).toBeInViewport();
});
