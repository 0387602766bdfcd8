import type { Page } from 'playwright/test';
import { expect, test } from '../host.ts';
import { addAuthenticator } from './virtualAuthenticator.ts';

const getSection = (page: Page) => page.getByRole('region', { name: 'Proof that it is you' });
const getConfirmation = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' });

/** Opens the page of a registration with the keyboard. */
const openRegistration = async (page: Page): Promise<Page> => {
  const link = page.getByRole('dialog').getByRole('link', { name: 'Open the confirmation page' });
  await expect(link).toBeFocused();
  const [tab] = await Promise.all([page.context().waitForEvent('page'), link.press('Enter')]);
  return tab;
};

/** Accepts the offer after connecting, and signs in with the code from the page with the practice service's e-mails. */
const acceptOffer = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Try it with practice data' }).click();
  const offer = page.getByRole('status').filter({ hasText: 'so that only you can say yes' });
  await offer.getByRole('button', { name: 'Set up' }).click();
  await getSection(page).getByRole('button', { name: 'E-mail me a code' }).press('Enter');
  const link = getSection(page).getByRole('link', { name: 'its own page' });
  const [mails] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  await mails.waitForLoadState();
  const [code = ''] = /\b\d{6}\b/.exec(await mails.locator('body').innerText()) ?? [];
  await mails.close();
  await getSection(page).getByLabel('6-digit code').fill(code);
  await page.keyboard.press('Enter');
};

/** The authenticator of the window gets the passkey, because each page has its own. */
const setUpPasskey = async (page: Page): Promise<void> => {
  await getSection(page).getByLabel('Name of the passkey').fill('Laptop');
  await page.keyboard.press('Enter');
  const own = await addAuthenticator(page);
  const tab = await openRegistration(page);
  const { cdp } = await addAuthenticator(tab);
  const copied = new Promise((resolve) =>
    cdp.on('WebAuthn.credentialAdded', ({ credential }) =>
      resolve(own.cdp.send('WebAuthn.addCredential', { authenticatorId: own.authenticatorId, credential })),
    ),
  );
  await tab.getByRole('button', { name: 'Create the passkey' }).click();
  await copied;
  await expect(getSection(page).getByRole('listitem')).toContainText('Laptop');
};

const setUpPin = async (page: Page, pin: string): Promise<void> => {
  await getSection(page).getByRole('button', { name: 'Set a PIN' }).press('Enter');
  const tab = await openRegistration(page);
  await tab.getByLabel('PIN', { exact: true }).fill(pin);
  await tab.getByLabel('The same PIN again').fill(pin);
  await tab.keyboard.press('Enter');
  await expect(getSection(page).getByRole('listitem')).toContainText('PIN');
  await page.bringToFront();
};

/** Opens the question of the practice assistant and says yes with the keyboard. */
const sayYes = async (page: Page) => {
  await page.getByRole('button', { name: 'Review' }).click();
  const prompt = page.getByRole('dialog').first();
  await expect(prompt.getByRole('button', { name: /^Publish/ })).toBeEnabled();
  await page.keyboard.press('Control+Enter');
  return prompt;
};

test('the person sets up a passkey in the window, and one touch confirms a yes', async ({ host }) => {
  const { page } = host;
  await acceptOffer(page);
  await setUpPasskey(page);
  const prompt = await sayYes(page);
  await expect(prompt).toContainText('Confirmed by fingerprint or key');
  await expect(getConfirmation(page)).toHaveCount(0);
});

test('the person sets up a PIN in the window, and confirms a yes with the keyboard alone', async ({ host }) => {
  const { page } = host;
  await acceptOffer(page);
  await setUpPin(page, '482913');
  const prompt = await sayYes(page);
  const frame = getConfirmation(page).frameLocator('iframe');
  await expect(frame.getByLabel('PIN', { exact: true })).toBeFocused();
  await page.keyboard.type('111112');
  await page.keyboard.press('Enter');
  await expect(frame.getByText('This PIN is wrong.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(getConfirmation(page)).toHaveCount(0);
  await expect(prompt).toContainText('You did not confirm, so nothing was done.');
  await expect(prompt.getByRole('button', { name: 'Not now' })).toBeFocused();
  await expect(prompt.getByRole('button', { name: /^Publish/ })).toBeEnabled();
  await page.keyboard.press('Control+Enter');
  await expect(frame.getByLabel('PIN', { exact: true })).toBeFocused();
  await page.keyboard.type('482913');
  await page.keyboard.press('Enter');
  await expect(prompt).toContainText('Confirmed by PIN');
  await expect(getConfirmation(page)).toHaveCount(0);
});
