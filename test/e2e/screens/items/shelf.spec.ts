import { expectNoAxeProblem } from '../accessibility/axe.ts';
import { runInFindDialog } from '../findDialog.ts';
import { getRows, selectListings } from '../listings/page.ts';
import { expect, test } from '../page.ts';

test('the place, SKU and cost of an item are saved from its review, and G assigns the next SKU', async ({ open }) => {
  const page = await open('#/items/fox', {});
  const shelf = page.getByRole('region', { name: 'Shelf' });
  const sku = shelf.getByLabel('SKU', { exact: true });
  await expect(sku).toHaveValue('');
  await shelf.getByLabel('Place').fill('A04');
  await shelf.getByLabel('Cost').fill('3.5');
  await shelf.getByLabel('Cost').press('ControlOrMeta+Enter');
  const cost = await shelf.getByLabel('Cost', { exact: true }).boundingBox();
  expect(await sku.boundingBox()).toMatchObject({ y: cost?.y, height: cost?.height });
  await expect(shelf.getByRole('button', { name: 'Assign SKU A04-1' })).toBeVisible();
  await expect(shelf.getByLabel('Cost')).toHaveValue('3.50');
  // In a field the letter is typed.
  await shelf.getByLabel('Place').press('Escape');
  await page.keyboard.press('g');
  await expect(sku).toHaveValue('A04-1');
  await expect(shelf.getByRole('button', { name: 'Assign SKU' })).toHaveCount(0);
  await shelf.getByRole('button', { name: 'More about this item' }).press('Enter');
  await shelf.getByLabel('Tags').fill('vintage, 80s');
  await shelf.getByLabel('Size in cm').fill('30 x 20');
  await shelf.getByLabel('Note for yourself').fill('Left sleeve is loose');
  await expect(shelf.getByText('Write three lengths in cm')).toBeVisible();
  await shelf.getByLabel('Size in cm').fill('30 x 20,5 x 10');
  await shelf.getByLabel('Note for yourself').focus();
  await expect(shelf.getByLabel('Size in cm')).toHaveValue('30 × 20.5 × 10');
  await expectNoAxeProblem(page, { dark: true });
});

test('a listing that is live has the same shelf, and a SKU in use twice is a warning', async ({ open }) => {
  const page = await open('#/listings/lst_0', {});
  const shelf = page.getByRole('region', { name: 'Shelf' });
  await shelf.getByLabel('SKU', { exact: true }).fill('X-7');
  await shelf.getByLabel('Place').fill('B01');
  await shelf.getByLabel('Place').press('ControlOrMeta+Enter');
  await page.evaluate(() => window.companion?.call('shelf.change', { listingIds: ['lst_1'], changes: { sku: 'x-7' } }));
  await expect(shelf.getByRole('status')).toContainText('has this SKU, too.');
  expect(await page.evaluate(() => window.fake.asked.filter(({ name }) => name === 'service.perform'))).toEqual(
    expect.not.arrayContaining([expect.objectContaining({ input: expect.stringContaining('X-7') })]),
  );
});

test('a selection gets a place and tags at once, is numbered in order, and can be undone', async ({ open }) => {
  const page = await open('#/listings', {});
  await selectListings(page, 1, 2, 3);
  await page.getByRole('button', { name: 'Shelf…' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Place, cost and more…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Shelf of 3 items' });
  await dialog.getByLabel('Place').fill('C02');
  await dialog.getByLabel('Add tags').fill('lot 7');
  await expectNoAxeProblem(page, { dark: true });
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await page.getByRole('button', { name: 'Shelf…' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Number in order' }).press('Enter');
  await expect(page.getByText('3 SKUs were assigned.')).toBeVisible();
  await page.getByLabel('Find a listing').fill('place:c02');
  await expect(getRows(page)).toHaveCount(3);
  await page.getByLabel('Find a listing').fill('sku:C02-2');
  await expect(getRows(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Shelf…' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Undo the last shelf edit' }).press('Enter');
  await expect(getRows(page)).toHaveCount(0);
  await page.getByLabel('Find a listing').fill('place:Z99');
  await expect(page.getByText('No listings match.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
  await expect(getRows(page)).not.toHaveCount(0);
});

test('SKUs that live listings do not have yet are sent with one approval', async ({ open }) => {
  const page = await open('#/listings', {});
  const rows = await page.evaluate(async () => {
    const page = (await window.companion?.call('listings.search', { statuses: ['published'] })) as {
      value: { rows: { listingId: string }[] };
    };
    return page.value.rows.slice(0, 2).map(({ listingId }) => listingId);
  });
  await page.evaluate(async (listingIds) => {
    for (const [at, listingId] of listingIds.entries())
      await window.companion?.call('shelf.change', { listingIds: [listingId], changes: { sku: `A04-${at + 1}` } });
  }, rows);
  await page.getByRole('tab', { name: /^Live/ }).click();
  await selectListings(page, 1, 2);
  await page.getByRole('button', { name: 'Shelf…' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Send SKU to 2 live listings…' }).press('Enter');
  await expect
    .poll(() => page.evaluate(() => window.fake.asked.filter(({ name }) => name === 'batch.askFor')))
    .toEqual([
      {
        name: 'batch.askFor',
        input: {
          requests: rows.map((listingId, at) => ({
            route: 'reviseListing',
            input: { params: { listingId }, body: { sku: `A04-${at + 1}` } },
          })),
        },
      },
    ]);
});

test('a selection gets all private fields at once, and an empty field changes nothing', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.evaluate(() =>
    window.companion?.call('shelf.change', {
      listingIds: ['lst_0', 'lst_1'],
      changes: { place: 'A1', package: { weightG: 900, lengthMm: 10, widthMm: 20, heightMm: 30 } },
    }),
  );
  await selectListings(page, 1, 2);
  await page.getByRole('button', { name: 'Shelf…' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Place, cost and more…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Shelf of 2 items' });
  await dialog.getByLabel('Weight in g').fill('half');
  await dialog.getByLabel('Bought from').fill('Erlangen market');
  await dialog.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(dialog.getByText('Write a whole number of grams.')).toBeVisible();
  await dialog.getByLabel('Weight in g').fill('500');
  await dialog.getByLabel('Bought on').fill('2026-11-02');
  await dialog.getByLabel('Cost').fill('3.5');
  await dialog.getByLabel('Note for yourself').fill('from the attic');
  await expectNoAxeProblem(page, { dark: true });
  await dialog.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(dialog).toHaveCount(0);
  const read = await page.evaluate(async () => [
    await window.companion?.call('shelf.read', { listingId: 'lst_0' }),
    await window.companion?.call('shelf.read', { listingId: 'lst_1' }),
  ]);
  const fields = {
    place: 'A1',
    boughtFrom: 'Erlangen market',
    boughtAt: '2026-11-02',
    cost: { minor: 350, currency: 'USD' },
    note: 'from the attic',
    package: { weightG: 500, lengthMm: 10, widthMm: 20, heightMm: 30 },
  };
  expect(read).toMatchObject([{ value: { fields } }, { value: { fields } }]);
});

test('the Find dialog assigns the next SKU and prints the label of the open item', async ({ open }) => {
  const page = await open('#/items/fox', {});
  const shelf = page.getByRole('region', { name: 'Shelf' });
  await shelf.getByLabel('Place').fill('A04');
  await shelf.getByLabel('Place').press('ControlOrMeta+Enter');
  await expect(shelf.getByRole('button', { name: 'Assign SKU A04-1' })).toBeVisible();
  await shelf.getByLabel('Place').press('Escape');
  await runInFindDialog(page, 'next sku', /^Assign the next SKU of the place/);
  await expect(shelf.getByLabel('SKU', { exact: true })).toHaveValue('A04-1');
  await runInFindDialog(page, 'print labels', /^Print labels…/);
  await expect(page.getByRole('dialog', { name: 'Labels' }).getByRole('img', { name: /A04-1/ })).toBeVisible();
});

test('a card of the grid shows the place of a listing', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.evaluate(async () => {
    await window.companion?.call('shelf.change', { listingIds: ['lst_0'], changes: { place: 'A04' } });
    window.fake.changed('listings');
  });
  await page.getByText('Photos', { exact: true }).click();
  const cards = page.getByRole('list', { name: 'Listings' }).getByRole('listitem');
  await expect(cards.first().getByText('A04', { exact: true })).toBeVisible();
  await expect(cards.nth(1).getByText('A04', { exact: true })).toHaveCount(0);
});

test('the settings show how a typed pattern reads the last folders, before it is saved', async ({ open }) => {
  const page = await open('#/settings', {});
  const preview = page.getByRole('list', { name: 'How your last folders are read' });
  const pattern = page.getByLabel('Pattern of folder names');
  await expect(preview.getByRole('listitem').first()).toHaveText('K7 brass lamp 12,5');
  await pattern.fill('{place} {title} {cost}');
  await expect(preview.getByRole('listitem').first()).toHaveText(/^brass lamp · K7 · /);
  // While the pattern is incomplete, the list stays.
  await pattern.fill('{place} {title} {co');
  await expect(preview.getByRole('listitem').first()).toHaveText(/^brass lamp · K7 · /);
  await pattern.fill('{title} {cost}');
  await expect(preview.getByRole('listitem').first()).toHaveText(/^K7 brass lamp · /);
});
