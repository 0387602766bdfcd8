import type { Page } from 'playwright/test';
import { expect, readLastRequest, test } from '../page.ts';

const getFix = (page: Page) => page.getByRole('region', { name: 'What can be done' });
const readLastInput = async (page: Page, route: string): Promise<unknown> =>
  (await readLastRequest(page, route))?.input;

test('a missing weight is entered next to its error, and publishing is offered again', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await page.getByRole('button', { name: 'Publish…', exact: true }).click();
  await expect(getFix(page)).toContainText('Shipping is priced by weight');
  await expect(getFix(page)).toContainText('Enter it, then publish again');
  await getFix(page).getByLabel('Packed weight').fill('heavy');
  await getFix(page).getByRole('button', { name: 'Save the weight' }).click();
  await expect(getFix(page)).toContainText('Enter a weight, for example 350 g or 1 lb 4 oz.');
  await getFix(page).getByLabel('Packed weight').fill('1 lb 4 oz');
  await getFix(page).getByRole('button', { name: 'Save the weight' }).click();
  await getFix(page).getByRole('button', { name: 'Publish again…' }).click();
  await expect(page.getByRole('dialog', { name: 'Publish on the US site' })).toBeVisible();
  expect(await readLastInput(page, 'updateListing')).toMatchObject({ body: { packageWeightGrams: 567 } });
});

test('a weight that the service leaves out of its answer is reported beside its fix', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await page.getByRole('button', { name: 'Publish…', exact: true }).click();
  await getFix(page).getByLabel('Packed weight').fill('12');
  await getFix(page).getByRole('button', { name: 'Save the weight' }).press('Enter');
  const unconfirmed = getFix(page).getByText('The service did not confirm this weight');
  await expect(getFix(page).getByText('Saved.')).toBeVisible();
  await expect(unconfirmed).toHaveCount(0);
  await page.evaluate(() => {
    const { fake } = window;
    fake.listings.lst_fox = { ...fake.listings.lst_fox, packageWeightGrams: null };
    fake.changed('listings');
  });
  await expect(unconfirmed).toBeVisible();
  expect(await readLastInput(page, 'updateListing')).toMatchObject({ body: { packageWeightGrams: 340 } });
});

test('a refused publish offers its fix in the result', async ({ open }) => {
  const page = await open('', { waiting: ['publish'] });
  await page.evaluate(() => {
    window.fake.onApprove = (one) => ({
      ...one,
      state: 'failed',
      decidedAt: Date.now(),
      outcome: { sentence: 'Used is not allowed in 1201.', code: 'CONDITION_NOT_ALLOWED', url: null },
    });
  });
  await page.getByRole('button', { name: 'Publish for US$1.55' }).click();
  const dialog = page.getByRole('dialog');
  const fix = dialog.getByRole('region', { name: 'What can be done' });
  await expect(fix).toContainText('This category does not accept this condition.');
  await expect(fix).toContainText('The service said: Used is not allowed in 1201.');
  await fix.getByLabel('Allowed condition').selectOption('LIKE_NEW');
  await fix.getByRole('button', { name: 'Save the condition' }).click();
  const publishAgain = fix.getByRole('button', { name: 'Publish again…' });
  // Until the condition is saved, the save would replace the changed listing.
  await publishAgain.waitFor();
  await page.evaluate(() => (window.fake.listings.lst_fox = { ...window.fake.listings.lst_fox, publishBlockers: [] }));
  await publishAgain.click();
  await expect(dialog.getByRole('button', { name: 'Not now' })).toBeVisible();
});

test('a missing location is saved after its own approval, and publishing is offered again', async ({ open }) => {
  const page = await open('#/items/fox', { refused: 'MISSING_LOCATION' });
  await getFix(page).getByLabel('Country').selectOption('US');
  await getFix(page).getByRole('button', { name: 'Save the location…' }).click();
  await expect(getFix(page)).toContainText('Enter a postcode');
  await getFix(page).getByLabel('Postcode').fill('94107');
  await getFix(page).getByRole('button', { name: 'Save the location…' }).click();
  await page.evaluate(() => (window.fake.listings.lst_fox = { ...window.fake.listings.lst_fox, publishBlockers: [] }));
  expect(await readLastInput(page, 'updateSellerDefaults')).toEqual({
    body: { location: { country: 'US', postalCode: '94107' } },
  });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Save the defaults', exact: true }).click();
  await dialog.getByRole('button', { name: 'Publish again…' }).click();
  await expect(page.getByRole('dialog', { name: 'Publish on the US site' })).toBeVisible();
});

test('the policies chosen for a site are sent with the publish', async ({ open }) => {
  const page = await open('#/items/fox', { refused: 'TARGET_POLICIES_CHOOSE' });
  await page.evaluate(() => (window.fake.listings.lst_fox = { ...window.fake.listings.lst_fox, publishBlockers: [] }));
  await getFix(page).getByLabel('Shipping policy').selectOption('pol_f2');
  await getFix(page).getByRole('button', { name: 'Publish with these…' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await readLastInput(page, 'publishListing')).toMatchObject({
    body: { fulfillmentPolicyId: 'pol_f2', paymentPolicyId: 'pol_p1', returnPolicyId: 'pol_r1' },
  });
});

test('the fix for an expired marketplace token links to the sign-in page', async ({ open }) => {
  const page = await open('#/items/fox', { refused: 'MARKET_TOKEN_EXPIRED' });
  await getFix(page).getByRole('button', { name: 'Sign in to the marketplace…' }).click();
  await expect(getFix(page).getByRole('link', { name: 'Open the sign-in page' })).toHaveAttribute(
    'href',
    /^https:\/\/service\.example\/person\/market\//,
  );
  await expect(getFix(page).getByRole('button', { name: /I have signed in/ })).toBeVisible();
});

test('a revise request contains only the changed fields', async ({ open }) => {
  const page = await open('#/items/shoes', {});
  await page.getByRole('button', { name: 'Edit live…' }).click();
  await page.getByRole('button', { name: 'Change it live…' }).click();
  await expect(page.getByText('Nothing has been changed yet.')).toBeVisible();
  await page.getByLabel('New price').fill('49,00');
  await page.getByRole('button', { name: 'Change it live…' }).click();
  await expect(page.getByRole('dialog', { name: /Change the live listing/ })).toBeVisible();
  expect(await readLastInput(page, 'reviseListing')).toEqual({
    params: { listingId: 'lst_shoes' },
    body: { price: 4_900 },
  });
});
