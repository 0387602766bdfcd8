import type { Page } from 'playwright/test';
import { expect, test } from '../host.ts';
import { addAuthenticator, type VirtualAuthenticator } from './virtualAuthenticator.ts';

const getSection = (page: Page) => page.getByRole('region', { name: 'Proof that it is you' });
const getConfirmation = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' });

/** Returns the small window with the page that this press opens. */
const openConfirmation = async (page: Page, press: () => Promise<unknown>): Promise<Page> => {
  const [opened] = await Promise.all([page.waitForEvent('popup'), press()]);
  await expect(page.getByRole('dialog').getByText('in the window that just opened')).toBeVisible();
  return opened;
};

/** Accepts the offer after connecting, and signs in with the code from the page with the practice service's e-mails. */
const acceptOffer = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Try it with practice data' }).click();
  await page.getByRole('button', { name: 'Skip the tour' }).click();
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

type CopyPasskey = (to: VirtualAuthenticator) => Promise<unknown>;

/** Returns how to give the passkey to another page, because each page has its own authenticator. */
const setUpPasskey = async (page: Page): Promise<CopyPasskey> => {
  await getSection(page).getByLabel('Name of the passkey').fill('Laptop');
  const tab = await openConfirmation(page, () => page.keyboard.press('Enter'));
  const { cdp } = await addAuthenticator(tab);
  const added = new Promise<CopyPasskey>((resolve) =>
    cdp.on('WebAuthn.credentialAdded', ({ credential }) =>
      resolve((to) => to.cdp.send('WebAuthn.addCredential', { authenticatorId: to.authenticatorId, credential })),
    ),
  );
  await tab.getByRole('button', { name: 'Create the passkey' }).click();
  await expect(getSection(page).getByRole('listitem')).toContainText('Laptop');
  return added;
};

const setUpPin = async (page: Page, pin: string): Promise<void> => {
  const button = getSection(page).getByRole('button', { name: 'Set a PIN' });
  const tab = await openConfirmation(page, () => button.press('Enter'));
  await tab.getByLabel('PIN', { exact: true }).fill(pin);
  await tab.getByLabel('The same PIN again').fill(pin);
  await tab.keyboard.press('Enter');
  await expect(getSection(page).getByRole('listitem')).toContainText('PIN');
};

/** Opens the question of the practice assistant and says yes with the keyboard. */
const sayYes = async (page: Page) => {
  await page.bringToFront();
  await page.getByRole('button', { name: 'Review' }).click();
  const prompt = page.getByRole('dialog').first();
  await expect(prompt.getByRole('button', { name: /^Publish/ })).toBeEnabled();
  return { prompt, confirmation: await openConfirmation(page, () => page.keyboard.press('Control+Enter')) };
};

test('the person sets up a passkey in the window, and one touch confirms a yes', async ({ host }) => {
  const { page } = host;
  await acceptOffer(page);
  const copyPasskey = await setUpPasskey(page);
  // The page must not start before it has an authenticator.
  await page.context().addInitScript(() => {
    document.hasFocus = () => false;
  });
  const { prompt, confirmation } = await sayYes(page);
  await copyPasskey(await addAuthenticator(confirmation));
  const closed = confirmation.waitForEvent('close');
  await confirmation.getByRole('button', { name: 'Use fingerprint, face or key' }).click();
  await expect(prompt).toContainText('Confirmed by fingerprint or key');
  await expect(getConfirmation(page)).toHaveCount(0);
  await closed;
});

test('the person sets up a PIN in the window, and confirms a yes with the keyboard alone', async ({ host }) => {
  const { page } = host;
  await acceptOffer(page);
  await setUpPin(page, '482913');
  const { prompt, confirmation } = await sayYes(page);
  await expect(confirmation.getByLabel('PIN', { exact: true })).toBeFocused();
  await confirmation.keyboard.type('111112');
  await confirmation.keyboard.press('Enter');
  await expect(confirmation.getByText('This PIN is wrong.')).toBeVisible();
  // The key closes the window, so Playwright may not hear of its release.
  const closed = confirmation.waitForEvent('close');
  confirmation.keyboard.press('Escape').catch(() => undefined);
  await closed;
  await getConfirmation(page).getByRole('button', { name: 'Close' }).press('Enter');
  await expect(prompt).toContainText('You did not confirm, so nothing was done.');
  await expect(prompt.getByRole('button', { name: 'Not now' })).toBeFocused();
  await expect(prompt.getByRole('button', { name: /^Publish/ })).toBeEnabled();
  const again = await openConfirmation(page, () => page.keyboard.press('Control+Enter'));
  await expect(again.getByLabel('PIN', { exact: true })).toBeFocused();
  await again.keyboard.type('482913');
  await again.keyboard.press('Enter');
  await expect(prompt).toContainText('Confirmed by PIN');
  await expect(getConfirmation(page)).toHaveCount(0);
});
