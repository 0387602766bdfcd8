import type { Locator, Page } from 'playwright/test';
import { expectNoAxeProblem } from '../accessibility/axe.ts';
import { expect, test } from '../page.ts';

const listCalls = (page: Page): Promise<string[]> =>
  page.evaluate(() => window.fake.asked.map(({ name }) => name).filter((name) => name.startsWith('listingPhotos.')));

/** Shows the end of the change, as after the listing was read. */
const endChange = (page: Page, stage: 'taken' | 'ignored' | 'mixed'): Promise<void> =>
  page.evaluate((wanted) => {
    const { fake } = window;
    const item = fake.items.find(({ itemId }) => itemId === 'fox');
    if (item?.photoChange) Object.assign(item.photoChange, { stage: wanted, isUnsettled: wanted === 'mixed' });
    fake.changed('items');
  }, stage);

const getPanel = (page: Page): Locator => page.getByRole('region', { name: 'Photos of this listing' });
const getOpenButton = (page: Page): Locator =>
  page.getByRole('region', { name: 'Photos', exact: true }).getByRole('button', { name: 'Change photos' });
const getFirst = (page: Page): Locator => getPanel(page).getByRole('button', { name: /^Photo 1 of 4/ });

test('the photos of a written listing get another order by keyboard', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await getOpenButton(page).press('Enter');
  await expect(getFirst(page)).toBeFocused();
  await expect(getFirst(page)).toHaveAccessibleName(/IMG_2014\.jpg/);
  const send = getPanel(page).getByRole('button', { name: 'Send the photos' });
  await expect(send).toBeDisabled();
  await expect(getPanel(page).getByText('cannot be taken out, only replaced')).toBeVisible();
  // Delete is a key of photos before the generation only.
  await page.keyboard.press('Delete');
  await page.keyboard.press('Alt+ArrowRight');
  await expect(getFirst(page)).toHaveAccessibleName(/IMG_2015\.jpg/);
  await expect(getPanel(page).getByRole('button', { name: /^Photo 2 of 4: IMG_2014/ })).toBeFocused();
  await expectNoAxeProblem(page, { dark: true });
  expect(await listCalls(page)).toEqual(['listingPhotos.order']);

  await expect(send).toBeEnabled();
  await send.press('Enter');
  await expect(getPanel(page).getByRole('status')).toContainText('Sending the photos');
  await expect(getPanel(page)).toBeFocused();
  await expectNoAxeProblem(page, { dark: true });
  await endChange(page, 'taken');
  await expect(getPanel(page).getByRole('status')).toHaveText('The photos are changed.');
  await getPanel(page).getByRole('button', { name: 'Close' }).press('Enter');
  await expect(getOpenButton(page)).toBeFocused();
});

test('a photo of a written listing is replaced by a chosen and by a dropped file', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await getOpenButton(page).click();
  const file = { name: 'sharper.jpg', mimeType: 'image/jpeg', buffer: Buffer.from([255, 216, 255]) };
  await page.route('**/intake', (route) => route.fulfill({ json: { uploadId: crypto.randomUUID() } }));
  await getPanel(page).getByLabel('Replace IMG_2014.jpg…').setInputFiles(file);
  await expect(getFirst(page)).toHaveAccessibleName(/sharper\.jpg/);

  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array([255, 216, 255])], 'other.jpg', { type: 'image/jpeg' }));
    return transfer;
  });
  const second = getPanel(page).getByRole('button', { name: /^Photo 2 of 4/ });
  await second.dispatchEvent('dragover', { dataTransfer: dropped });
  await second.dispatchEvent('drop', { dataTransfer: dropped });
  await expect(second).toHaveAccessibleName(/sharper\.jpg/);
  await expect(page).toHaveURL(/items\/fox$/);
  expect(await listCalls(page)).toEqual(['listingPhotos.replace', 'listingPhotos.replace']);
});

test('photos that the service ignored stay as they were, with the next step', async ({ open }) => {
  const page = await open('#/items/fox', {}, { colorScheme: 'dark' });
  await getOpenButton(page).press('Enter');
  await expect(getFirst(page)).toBeFocused();
  await page.keyboard.press('Alt+ArrowRight');
  const send = getPanel(page).getByRole('button', { name: 'Send the photos' });
  await expect(send).toBeEnabled();
  await send.press('Enter');
  await expect(getPanel(page).getByRole('status')).toContainText('Sending the photos');
  await endChange(page, 'ignored');
  await expect(getPanel(page).getByRole('status')).toContainText('can no longer be changed');
  await expectNoAxeProblem(page, { dark: true });
  await getPanel(page).getByRole('button', { name: 'New item with the new photos' }).press('Enter');
  await expect(page).not.toHaveURL(/items\/fox$/);
  expect(await listCalls(page)).toEqual(['listingPhotos.order', 'listingPhotos.send', 'listingPhotos.writeAgain']);
});

test('the photos of a live listing cannot be changed', async ({ open }) => {
  const page = await open('#/items/shoes', {});
  await expect(page.getByText('The photos of a live listing are changed on the marketplace.')).toBeVisible();
  await expect(getOpenButton(page)).toHaveCount(0);
});

const putListing = (page: Page, listingId: string, change: Record<string, unknown>): Promise<void> =>
  page.evaluate(
    ([id, values]) => {
      const { fake } = window;
      fake.listings[id] = { ...fake.listings[id], ...values };
      fake.changed('listings');
    },
    [listingId, change] as const,
  );

for (const status of ['sold', 'ended'])
  test(`the photos of a listing that is ${status} cannot be changed, and the item says why`, async ({ open }) => {
    const page = await open('#/items/shoes', {});
    await putListing(page, 'lst_shoes', { status });
    const photos = page.getByRole('region', { name: 'Photos', exact: true });
    await expect(photos.getByText('no longer in review, so its photos cannot be changed here')).toBeVisible();
    await expect(photos.getByText('changed on the marketplace')).toHaveCount(0);
    await expect(getOpenButton(page)).toHaveCount(0);
  });

test('the photos of a listing under review that was made elsewhere cannot be changed, and the listing says why', async ({
  open,
}) => {
  const page = await open('#/items', {});
  await page.evaluate(() => {
    const { fake } = window;
    fake.listings.lst_other = { ...fake.listings.lst_fox, listingId: 'lst_other', imageUrls: [''] };
    location.hash = '#/listings/lst_other';
  });
  const photos = page.getByRole('region', { name: 'Photos', exact: true });
  await expect(photos.getByText('Only photos that were added on this computer can be changed here.')).toBeVisible();
  await expectNoAxeProblem(page, { dark: true });
});

test('a listing cannot be published while its photos are changing, and the button says why', async ({ open }) => {
  const page = await open('#/items/fox', {});
  const publish = page.getByRole('button', { name: 'Publish…' });
  await expect(publish).toBeEnabled();
  await getOpenButton(page).press('Enter');
  await expect(getFirst(page)).toBeFocused();
  await page.keyboard.press('Alt+ArrowRight');
  const send = getPanel(page).getByRole('button', { name: 'Send the photos' });
  await expect(send).toBeEnabled();
  await expect(publish).toBeEnabled();
  await send.press('Enter');
  await expect(publish).toBeDisabled();
  await expect(publish).toHaveAccessibleDescription('Publishing waits until the change of the photos has ended.');
  await endChange(page, 'taken');
  await expect(publish).toBeEnabled();
  await expect(publish).toHaveAccessibleDescription('You see the fee and answer before anything goes live.');
});
