import { findCutOptions } from '../accessibility/findCutOptions.ts';
import { expect, test } from '../page.ts';
import { readLastInput, listChangedIds, getPreviewRow, getRows, selectListings } from './page.ts';

test('a bulk price change is previewed and approved with one prompt', async ({ open }) => {
  const page = await open('#/listings', {});
  await expect(getRows(page).first()).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Change 2…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Change 2 at once' });
  await dialog.getByLabel('Percent (−10 lowers by 10 %)').fill('-20');
  await expect(dialog.getByRole('row').nth(1)).toContainText('US$4.00');
  await page.keyboard.press('Enter');
  const batch = page.getByRole('dialog', { name: 'Change 2 listings' });
  await expect(batch.getByRole('listitem').first()).toContainText('US$5.00 → US$4.00');
  expect(await readLastInput(page, 'batch.askFor')).toMatchObject({
    requests: [{ route: 'reviseListing', input: { params: { listingId: 'lst_0' }, body: { price: 400 } } }, {}],
  });
  const yes = batch.getByRole('button', { name: 'Change 2' });
  await expect(yes).toBeEnabled();
  await yes.click();
  await expect(page.getByRole('dialog', { name: '2 changed' })).toBeVisible();
});

test('each preview row shows the price before and after, or why nothing changes', async ({ open }) => {
  const page = await open('#/listings', {});
  await selectListings(page, 1, 3, 4, 5);
  await page.getByRole('button', { name: 'Change 2…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change 4 at once' });
  await dialog.getByLabel('How').selectOption('suggested');
  await dialog.getByLabel('Ending').selectOption('99');
  await expect(getPreviewRow(page, 1)).toContainText('US$5.00');
  await expect(getPreviewRow(page, 1)).toContainText('US$7.99');
  await expect(getPreviewRow(page, 1).locator('img')).toHaveCount(1);
  await expect(getPreviewRow(page, 3)).toContainText('It can’t be changed in this status.');
  await expect(getPreviewRow(page, 5)).toContainText('No price is suggested for it.');
  await expect(dialog.getByRole('button', { name: 'Change 1 live listing…' })).toBeEnabled();
  await dialog.getByLabel('What', { exact: true }).selectOption('packageWeightGrams');
  await dialog.getByLabel('New weight').fill('400');
  await expect(getPreviewRow(page, 1)).toContainText('It is live, and the marketplace no longer lets this be changed.');
  await expect(getPreviewRow(page, 5)).toContainText('400 g');
});

test('a bulk edit excludes titles longer than the marketplace allows', async ({ open }) => {
  const page = await open('#/listings', {});
  await selectListings(page, 1);
  await page.getByRole('button', { name: 'Change 1…' }).click();
  await page.getByLabel('What', { exact: true }).selectOption('title');
  await page.getByLabel('Words to add').fill('x'.repeat(50));
  await expect(getPreviewRow(page, 1)).toContainText(`no. 1 ${'x'.repeat(50)}`);
  await page.getByLabel('Words to add').fill('x'.repeat(60));
  await expect(getPreviewRow(page, 1)).toContainText('The title would be too long.');
});

test('a bulk edit sends nothing until the person enters a value', async ({ open }) => {
  const page = await open('#/listings', {});
  await selectListings(page, 5, 6);
  await page.getByRole('button', { name: 'Change 2…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Change 2 at once' });
  await expect(dialog.getByLabel('Percent (−10 lowers by 10 %)')).toBeFocused();
  await expect(dialog.getByLabel('Percent (−10 lowers by 10 %)')).toHaveValue('');
  await expect(dialog.getByText('Enter a number')).toHaveCount(0);
  const send = dialog.locator('button[type=submit]');
  await page.keyboard.press('Enter');
  for (const field of ['sku', 'bestOffer', 'quantity', 'title', 'price']) {
    await dialog.getByLabel('What', { exact: true }).selectOption(field);
    await expect(send).toBeDisabled();
  }
  expect(await listChangedIds(page)).toEqual([]);
  await dialog.getByRole('button', { name: '−10%', exact: true }).click();
  await expect(dialog.getByLabel('Percent (−10 lowers by 10 %)')).toHaveValue('-10');
  await expect(send).toBeEnabled();
});

test('a bulk edit can exclude some listings and end others instead of changing them', async ({ open }) => {
  const page = await open('#/listings', {});
  await selectListings(page, 1, 2, 7);
  await page.getByRole('button', { name: 'Change 3…' }).click();
  await page.getByRole('button', { name: '−10%', exact: true }).click();
  await getPreviewRow(page, 2).getByRole('checkbox').uncheck();
  await getPreviewRow(page, 7)
    .getByRole('button', { name: /^End instead/ })
    .press('Enter');
  await expect(getPreviewRow(page, 7)).toContainText('Ends');
  await page.getByRole('button', { name: 'Change 2 live listings…' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Change 1, end 1' })).toBeVisible();
  expect(await readLastInput(page, 'batch.askFor')).toMatchObject({
    requests: [{ route: 'reviseListing' }, { route: 'endListing', input: { params: { listingId: 'lst_6' } } }],
  });
});

test('Best Offer can be turned on without limits, and an invalid limit is reported', async ({ open }) => {
  const page = await open('#/listings', {});
  await selectListings(page, 1);
  await page.getByRole('button', { name: 'Change 1…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change 1 at once' });
  await dialog.getByLabel('What', { exact: true }).selectOption('bestOffer');
  await expect(dialog.locator('button[type=submit]')).toBeDisabled();
  await dialog.getByLabel('How', { exact: true }).selectOption('Allow offers');
  await dialog.getByLabel(/^Auto-accept/).fill('90');
  await expect(getPreviewRow(page, 1)).toContainText('auto-accepts from US$4.50');
  await dialog.getByLabel(/^Auto-decline/).fill('95');
  await expect(dialog).toContainText('The auto-decline amount must be below the auto-accept amount.');
  await dialog.getByLabel(/^Auto-decline/).fill('most');
  await expect(dialog).toContainText('Enter a percentage of up to 100.');
  await dialog.getByLabel(/^Auto-decline/).fill('');
  await dialog.getByLabel(/^Auto-accept/).fill('');
  await dialog.getByRole('button', { name: 'Change 1 live listing…' }).click();
  await expect(page.getByRole('dialog', { name: 'Change the live listing' })).toBeVisible();
  const { route, input } = (await readLastInput(page, 'service.perform')) as {
    route: string;
    input: { body: unknown };
  };
  expect([route, input.body]).toEqual(['reviseListing', { bestOffer: { enabled: true } }]);
});

test('a bulk edit of one listing opens the prompt for a single listing', async ({ open }) => {
  const page = await open('#/listings', {});
  await selectListings(page, 1);
  await page.getByRole('button', { name: 'Change 1…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change 1 at once' });
  await dialog.getByLabel('How').selectOption('set');
  await dialog.getByLabel('New price').fill('cheap');
  await expect(dialog).toContainText('Enter a number like 2.50.');
  await expect(dialog.getByRole('button', { name: 'Change…' })).toBeDisabled();
  await dialog.getByLabel('New price').fill('7,25');
  await dialog.getByRole('button', { name: 'Change 1 live listing…' }).click();
  await expect(page.getByRole('dialog', { name: 'Change the live listing' })).toBeVisible();
  expect(await readLastInput(page, 'service.perform')).toMatchObject({
    route: 'reviseListing',
    input: { body: { price: 725 } },
  });
});

test('numbers are right-aligned and text is left-aligned in the preview', async ({ open }) => {
  for (const width of [1280, 480]) {
    const page = await open('#/listings', {}, { width });
    await selectListings(page, 1, 2);
    await page.getByRole('button', { name: 'Change 2…' }).click();
    await page.getByRole('button', { name: '−10%', exact: true }).click();
    const sides = page.getByRole('dialog').locator('[data-side]');
    await expect(sides.filter({ hasText: 'US$5.00' })).toBeVisible();
    for (const side of await sides.all()) await expect(side).toHaveCSS('text-align', 'end');
    await page.getByLabel('What', { exact: true }).selectOption('sku');
    await page.getByLabel('New SKU').fill('B-1');
    await expect(sides.filter({ hasText: 'B-1' }).first()).toHaveCSS('text-align', 'start');
  }
});

test('the button of a bulk edit shows no count while nothing can be changed', async ({ open }) => {
  const page = await open('#/listings', {});
  await selectListings(page, 1, 3);
  await page.getByRole('button', { name: 'Change 1…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change 2 at once' });
  const send = dialog.getByRole('button', { name: 'Change…' });
  await expect(send).toBeDisabled();
  await expect(dialog).toContainText('Choose what to change, and to what.');
  await page.getByRole('button', { name: '−10%', exact: true }).click();
  await expect(dialog.getByRole('button', { name: 'Change 1 live listing…' })).toBeEnabled();
  await getPreviewRow(page, 1).getByRole('checkbox').uncheck();
  await expect(send).toBeDisabled();
  await expect(dialog).toContainText('Tick at least one line.');
  await dialog.getByLabel('What', { exact: true }).selectOption('packageWeightGrams');
  await dialog.getByLabel('New weight').fill('400');
  await expect(send).toBeDisabled();
  await expect(dialog).toContainText('Nothing changes: each line says why.');
  await expect(dialog.getByText(/\b0\b/)).toHaveCount(0);
});

test('conditions in a bulk edit are named in the UI language', async ({ open }) => {
  const page = await open('#/listings', { language: 'de' });
  await page.getByRole('checkbox', { name: /no\. 5(?!\d)/ }).check();
  await page.getByRole('button', { name: '1 ändern…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('select').first().selectOption('condition');
  const choice = dialog.locator('select').nth(1);
  await expect(choice.getByRole('option')).toContainText(['Neu', 'Wie neu', 'Gebraucht, gut']);
  await choice.selectOption('LIKE_NEW');
  await expect(dialog.locator('[data-side=before]').last()).toHaveText('Gebraucht, gut');
  await expect(dialog.locator('[data-side=after]').last()).toHaveText('Wie neu');
});

test('the button of a bulk edit stays visible below many rows', async ({ open }) => {
  const page = await open('#/listings', { language: 'de' }, { width: 480 });
  // All rows are selected once they have been read, a moment after the click.
  await page.getByLabel('Alle gezeigten auswählen').click();
  await page.getByRole('button', { name: '40 ändern…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: '−10 %' }).click();
  const yes = dialog.getByRole('button', { name: '20 Entwürfe ändern' });
  for (const width of [480, 640, 1280]) {
    await page.setViewportSize({ width, height: 640 });
    await expect(yes).toBeInViewport({ ratio: 1 });
    expect(await findCutOptions(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 480, height: 640 });
  const top = (await yes.boundingBox())?.y ?? 0;
  for (const tick of (await dialog.getByRole('checkbox').all()).slice(0, 12)) {
    await tick.focus();
    const place = await tick.boundingBox();
    expect(place && place.y + place.height, 'what has the focus is not hidden below the button').toBeLessThan(top);
  }
});

test('a SKU for several listings is warned about, and no row of that change offers to end a listing', async ({
  open,
}) => {
  const page = await open('#/listings', {});
  await selectListings(page, 1, 2);
  await page.getByRole('button', { name: 'Change 2…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change 2 at once' });
  await dialog.getByRole('button', { name: '−10%', exact: true }).click();
  await expect(dialog.getByRole('button', { name: /^End instead/ })).toHaveCount(2);
  await dialog
    .getByRole('button', { name: /^End instead/ })
    .first()
    .click();
  await dialog.getByLabel('What', { exact: true }).selectOption('sku');
  await dialog.getByRole('textbox').fill('A04-');
  const warning = dialog.getByText('All 2 listings get the same SKU.');
  await expect(warning).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^End instead/ })).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: 'Change 2 live listings…' })).toBeEnabled();
  await getPreviewRow(page, 2).getByRole('checkbox').uncheck();
  await expect(warning).toHaveCount(0);
});
