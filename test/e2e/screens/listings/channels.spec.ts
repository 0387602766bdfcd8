import type { Page } from 'playwright/test';
import { expect, readLastRequest, test } from '../page.ts';

const getChannels = (page: Page) => page.getByRole('region', { name: 'Channels', exact: true });

/** Returns the last request to this route. */
test('a live listing is published on another channel with the chosen delisting setting', async ({ open }) => {
  const page = await open('#/listings/lst_shoes', {});
  const form = page.getByRole('form', { name: 'Publish on more channels' });
  const corner = form.getByRole('checkbox', { name: 'Corner shop' });
  await corner.press('Space');
  await form.getByRole('button', { name: 'Publish there…' }).press('Enter');
  await expect(form).toContainText('Choose a channel first.');
  await corner.press('Space');
  await form.getByRole('switch', { name: 'Delist everywhere when it sells' }).press('Space');
  await form.getByRole('button', { name: 'Publish there…' }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'Publish on “Corner shop (practice)”' })).toBeVisible();
  expect(await readLastRequest(page, 'publishChannels')).toMatchObject({
    input: { params: { listingId: 'lst_shoes' }, body: { channels: ['corner'], autoDelistOnSale: false } },
  });
});

test('a listing sold on another channel is offered again after its quantity is raised', async ({ open }) => {
  const page = await open('#/listings/lst_shoes', { onCorner: 'sold' });
  const row = getChannels(page).getByRole('listitem').filter({ hasText: 'Corner shop' });
  await expect(row).toContainText('Sold');
  const form = page.getByRole('form', { name: 'Publish on more channels' });
  await expect(form).toHaveCount(0);
  await page.evaluate(() => {
    window.fake.listings.lst_shoes = { ...window.fake.listings.lst_shoes, quantity: 3 };
    window.fake.changed('listings');
  });
  await expect(form.getByRole('checkbox', { name: 'Corner shop' })).toBeChecked();
});

test('the chosen options of another channel are sent with the publish', async ({ open }) => {
  const page = await open('#/listings/lst_shoes', {});
  const form = page.getByRole('form', { name: 'Publish on more channels' });
  const shelf = form.getByLabel('Shelf on Corner shop');
  await expect(shelf).toHaveValue('front');
  await form.getByRole('checkbox', { name: 'Corner shop' }).uncheck();
  await expect(shelf).toHaveCount(0);
  await form.getByRole('checkbox', { name: 'Corner shop' }).check();
  await shelf.selectOption({ label: 'back' });
  await form.getByRole('button', { name: 'Publish there…' }).click();
  await expect(page.getByRole('dialog', { name: 'Publish on “Corner shop (practice)”' })).toBeVisible();
  const body = { channels: ['corner'], options: { corner: { shelf: 'back' } } };
  expect(await readLastRequest(page, 'publishChannels')).toMatchObject({ input: { body } });
  await page.keyboard.press('Escape');
  // A default option is not sent.
  await shelf.selectOption('front');
  await form.getByRole('button', { name: 'Publish there…' }).click();
  await expect
    .poll(async () => JSON.stringify(await readLastRequest(page, 'publishChannels')))
    .not.toContain('options');
});

test('a listing in review is published on two channels with one prompt', async ({ open }) => {
  const page = await open('#/items/fox', {});
  const form = page.getByRole('form', { name: 'Publish on several channels at once' });
  await form.getByRole('button', { name: 'Publish there…' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await readLastRequest(page, 'publishChannels')).toMatchObject({
    input: { params: { listingId: 'lst_fox' }, body: { channels: ['market', 'corner'] } },
  });
});

test('a listing can be changed, ended and removed on one channel alone', async ({ open }) => {
  const page = await open('#/listings/lst_shoes', { onCorner: true });
  const row = getChannels(page).getByRole('listitem').filter({ hasText: 'Corner shop' });
  await expect(row).toContainText('64.00 there');
  await row.getByRole('button', { name: 'Change there, on Corner shop (practice)…' }).press('Enter');
  const form = page.getByRole('form', { name: 'Change on Corner shop' });
  await expect(form.getByLabel('New price')).toHaveValue('64.00');
  await form.getByLabel('New price').press('Escape');
  await expect(row.getByRole('button', { name: 'Change there, on Corner shop (practice)…' })).toBeFocused();
  await row.getByRole('button', { name: 'End there, on Corner shop (practice)…' }).click();
  await expect(page.getByRole('dialog', { name: 'End the listing on “Corner shop (practice)”' })).toBeVisible();
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: 'Remove from Corner shop (practice)…' }).click();
  await expect(page.getByRole('dialog', { name: 'Remove the listing from “Corner shop (practice)”' })).toBeVisible();
  expect(await readLastRequest(page, 'deleteFromChannels')).toMatchObject({
    input: { body: { channels: ['corner'] } },
  });
});

test('a live revise includes description and SKU and applies to the chosen channels', async ({ open }) => {
  const page = await open('#/items/shoes', { onCorner: true });
  await page.getByRole('button', { name: 'Edit live…' }).click();
  const form = page.getByRole('form', { name: 'Edit the live listing' });
  await form.getByRole('button', { name: 'Show HTML' }).click();
  await form.getByRole('textbox', { name: 'New description' }).fill('<p>Worn once.</p>');
  await form.getByLabel('New SKU').fill('S-43');
  await form.getByRole('button', { name: 'Change it live…' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  const changes = { description: '<p>Worn once.</p>', sku: 'S-43' };
  expect(await readLastRequest(page, 'reviseChannels')).toMatchObject({
    input: { body: { channels: ['market', 'corner'], ...changes } },
  });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Edit live…' }).click();
  await form.getByRole('button', { name: 'Show HTML' }).click();
  await form.getByRole('textbox', { name: 'New description' }).fill('<p>Worn once.</p>');
  await form.getByLabel('New SKU').fill('S-43');
  await form.getByRole('checkbox', { name: 'Corner shop' }).uncheck();
  await form.getByRole('button', { name: 'Change it live…' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await readLastRequest(page, 'reviseListing')).toMatchObject({ input: { body: changes } });
});

test('the title counter shows the lowest limit of the chosen channels', async ({ open }) => {
  const page = await open('#/items/shoes', { onCorner: true });
  await page.getByRole('button', { name: 'Edit live…' }).click();
  const form = page.getByRole('form', { name: 'Edit the live listing' });
  await form.getByLabel('New title').fill('x'.repeat(90));
  await expect(form.getByText('90/80')).toBeVisible();
  await form.getByRole('checkbox', { name: /^Marketplace/ }).uncheck();
  await expect(form.getByText('90/100')).toBeVisible();
});

test('a live listing cannot be refreshed from the marketplace again immediately', async ({ open }) => {
  const page = await open('#/listings/lst_shoes', {});
  const refresh = getChannels(page).getByRole('button', { name: 'Refresh from the marketplace' });
  await refresh.press('Enter');
  await expect(getChannels(page).getByText(/^Refreshed from the marketplace/)).toBeVisible();
  await expect(refresh).toBeDisabled();
  expect(await readLastRequest(page, 'hydrateListing')).toMatchObject({
    input: { params: { listingId: 'lst_shoes' } },
  });
});

test('a listing can be hidden in the service’s lists and shown again', async ({ open }) => {
  const page = await open('#/listings/lst_shoes', {});
  const lists = page.getByRole('region', { name: 'In your lists' });
  await lists.getByRole('button', { name: 'Hide it' }).press('Enter');
  await expect(lists).toContainText('Where it is live, it stays live.');
  await lists.getByRole('button', { name: 'Show it' }).press('Enter');
  await expect(lists.getByRole('button', { name: 'Hide it' })).toBeVisible();
  expect(await readLastRequest(page, 'setListingVisibility')).toMatchObject({ input: { body: { visible: true } } });
});

test('“Repair it and publish” sends the publish with “fix”', async ({ open }) => {
  const page = await open('#/items/fox', { refused: 'MISSING_POLICIES' });
  await page.evaluate(() => (window.fake.listings.lst_fox = { ...window.fake.listings.lst_fox, publishBlockers: [] }));
  await page.getByRole('button', { name: 'Repair it and publish…' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await readLastRequest(page, 'publishListing')).toMatchObject({
    input: { body: { autoDelistOnSale: true, fix: true } },
  });
});

test('the content below the channels does not move while the channels load', async ({ open }) => {
  const page = await open('#/listings/lst_shoes', {});
  await expect(page.getByLabel('Shelf on Corner shop')).toBeVisible();
  const below = page.getByRole('region', { name: 'Description' });
  const placeOf = async (): Promise<number | undefined> => (await below.boundingBox())?.y;
  const before = await placeOf();
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => window.fake.slow.push('readListingChannels', 'readConnectionOptions'));
  });
  await page.reload();
  await expect(getChannels(page)).toContainText('Marketplace, Germany');
  await expect(page.getByRole('form', { name: 'Publish on more channels' })).toHaveCount(0);
  expect(await placeOf()).toBe(before);
  await page.evaluate(() => window.fake.answer());
  await expect(page.getByRole('form', { name: 'Publish on more channels' })).toBeVisible();
  expect(await placeOf()).toBe(before);
});

test('a listing that sold out on one channel names the channels where it is still live', async ({ open }) => {
  const page = await open('#/listings/lst_shoes', { onCorner: 'sold' });
  const channels = page.getByRole('region', { name: 'Channels', exact: true });
  await expect(channels).toContainText('Sold');
  await expect(channels).not.toContainText('It sold, but');
  await page.evaluate(() => {
    const { fake } = window;
    fake.listings.lst_shoes = { ...fake.listings.lst_shoes, quantity: 0 };
    fake.changed('listings');
  });
  await expect(channels).toContainText('It sold, but it is still live on: Marketplace, Germany.');
});
