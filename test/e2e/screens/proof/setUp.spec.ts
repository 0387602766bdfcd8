import type { Page } from 'playwright/test';
import { expect, test } from '../page.ts';

const getSection = (page: Page) => page.getByRole('region', { name: 'Proof that it is you' });
const getProofs = (page: Page) => getSection(page).getByRole('list', { name: 'What is set up' }).getByRole('listitem');
const confirmation = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' });
const setUpPage = (page: Page) => page.getByRole('dialog', { name: 'Set up on the confirmation page' });

const finishCeremony = (page: Page) => page.evaluate(() => window.fake.proofs.endCeremony('done'));

/** Confirms once the page is open. */
const confirm = async (page: Page): Promise<void> => {
  await expect(confirmation(page)).toContainText('Confirm in the window that just opened.');
  await finishCeremony(page);
};

const signIn = async (page: Page): Promise<void> => {
  await getSection(page).getByRole('button', { name: 'E-mail me a code' }).press('Enter');
  await getSection(page).getByLabel('6-digit code').fill('123 456');
  await page.keyboard.press('Enter');
};

test('the first proof needs a sign-in with an e-mailed code, and then a page of its own', async ({ open }) => {
  const page = await open('#/settings', {});
  const section = getSection(page);
  await expect(section).toContainText('Nothing is set up. A program that presses a button here counts as you.');
  await expect(section.getByRole('button', { name: 'Add a passkey' })).toHaveCount(0);
  await section.getByRole('button', { name: 'E-mail me a code' }).press('Enter');
  await expect(section).toContainText('A code is on its way to');
  // The practice service has a page with its e-mails.
  await expect(section.getByRole('link', { name: 'its own page' })).toHaveAttribute(
    'href',
    'http://127.0.0.1:47900/practice',
  );
  await section.getByLabel('6-digit code').fill('000000');
  await page.keyboard.press('Enter');
  await expect(section).toContainText('That code is not right');
  await section.getByLabel('6-digit code').fill('123456');
  await page.keyboard.press('Enter');
  await section.getByLabel('Name of the passkey').fill('Phone');
  await page.keyboard.press('Enter');
  await expect(setUpPage(page)).toContainText('Set it up in the window that just opened, then come back here.');
  await expect(setUpPage(page).getByRole('button', { name: 'Cancel' })).toBeFocused();
  await finishCeremony(page);
  await expect(setUpPage(page)).toHaveCount(0);
  await expect(getProofs(page)).toHaveCount(1);
  await expect(getProofs(page)).toContainText('Phone');
  await expect(section).toContainText('Add a second one on another device.');
  // The stronger proof turns the PIN off.
  await expect(section.getByRole('button', { name: 'Set a PIN' })).toHaveCount(0);
});

test('a set-up that the person cancels changes nothing', async ({ open }) => {
  const page = await open('#/settings', { proof: 'signedIn' });
  await getSection(page).getByRole('button', { name: 'Set a PIN' }).press('Enter');
  await expect(setUpPage(page)).toContainText('in the window that just opened');
  await page.keyboard.press('Escape');
  await expect(setUpPage(page)).toHaveCount(0);
  await expect(getSection(page)).toContainText('You did not confirm, so nothing was done.');
  await expect(getProofs(page)).toHaveCount(0);
  await getSection(page).getByRole('button', { name: 'Set a PIN' }).press('Enter');
  await expect(setUpPage(page)).toContainText('in the window that just opened');
  await finishCeremony(page);
  await expect(getProofs(page)).toContainText('PIN');
});

test('a second passkey needs a confirmation with the first', async ({ open }) => {
  const page = await open('#/settings', { proof: 'passkey' });
  await getSection(page).getByRole('button', { name: 'Add a passkey' }).press('Enter');
  await confirm(page);
  await expect(setUpPage(page)).toContainText('in the window that just opened');
  await finishCeremony(page);
  await expect(getProofs(page)).toHaveCount(2);
  await expect(getProofs(page).nth(1)).toContainText('Without a name');
  await expect(getSection(page)).not.toContainText('Add a second one');
});

test('a passkey is removed after two presses and a confirmation', async ({ open }) => {
  const page = await open('#/settings', { proof: 'twoPasskeys' });
  const drawer = getProofs(page).filter({ hasText: 'Security key in the drawer' });
  await drawer.getByRole('button', { name: 'Remove' }).press('Enter');
  await drawer.getByRole('button', { name: 'Really remove' }).press('Enter');
  await confirm(page);
  await expect(drawer).toHaveCount(0);
  await expect(getProofs(page)).toContainText('Phone');
});

const removesLast = 'The only one. If you remove it, a program that presses a button here counts as you.';

test('the row of the only proof says what its removal means', async ({ open }) => {
  const page = await open('#/settings', { proof: 'passkey' });
  await expect(getProofs(page)).toContainText(removesLast);
  const two = await open('#/settings', { proof: 'twoPasskeys' });
  await expect(getProofs(two)).toHaveCount(2);
  await expect(getSection(two)).not.toContainText(removesLast);
});

test('the section counts down to the next PIN, and says that a PIN without a keychain is lost when the companion stops', async ({
  open,
}) => {
  const waiting = await open('#/settings', { proof: 'waitingPin' });
  const wait = getProofs(waiting).getByRole('timer');
  await expect(wait).toHaveText(/^Wrong PINs were entered\. The next one can be entered in 4:(50|4\d)\.$/);
  const before = await wait.innerText();
  await expect(wait).not.toHaveText(before);
  await expect(wait).toHaveText(/in 4:4\d\.$/);
  // No second is read out.
  await expect(waiting.locator(':is([role=alert], [role=status], [aria-live]) [role=timer]')).toHaveCount(0);
  await expect(getSection(waiting).getByRole('button', { name: 'Change the PIN' })).toBeEnabled();
  const memory = await open('#/settings', { proof: 'memoryPin' }, { instead: true });
  await expect(getProofs(memory)).toContainText('Without a keychain, this PIN lasts until the companion closes.');
});

test('the person lets a confirmation count for 15 minutes of own acts, which the section calls weaker', async ({
  open,
}) => {
  const page = await open('#/settings', { proof: 'passkey' });
  const choice = getSection(page).getByLabel('Confirm your own acts');
  await expect(choice).toHaveValue('0');
  await expect(getSection(page)).not.toContainText('Weaker: for');
  await choice.selectOption('Once in 15 minutes (weaker)');
  await confirmation(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(getSection(page)).toContainText('You did not confirm, so nothing was done.');
  await expect(choice).toHaveValue('0');
  await choice.selectOption('Once in 15 minutes (weaker)');
  await confirm(page);
  await expect(choice).toHaveValue('15');
  await expect(getSection(page)).toContainText('Weaker: for 15 minutes after you confirm');
  // Less time is stronger, so it needs no confirmation.
  await choice.selectOption('Each time');
  await expect(choice).toHaveValue('0');
  await expect(getSection(page)).not.toContainText('Weaker: for');
  const nothing = await open('#/settings', { proof: 'signedIn' }, { instead: true });
  await expect(getSection(nothing).getByRole('button', { name: 'Set a PIN' })).toBeVisible();
  await expect(getSection(nothing).getByLabel('Confirm your own acts')).toHaveCount(0);
});

test('only a host with a dialog of the system offers it', async ({ open }) => {
  const page = await open('#/settings', { proof: 'offersSystemPrompt' });
  await signIn(page);
  await getSection(page).getByRole('button', { name: 'Use the dialog of this computer' }).press('Enter');
  await expect(setUpPage(page)).toContainText('in the window that just opened');
  await finishCeremony(page);
  await expect(getProofs(page)).toContainText('Dialog of this computer');
  const other = await open('#/settings', { proof: 'signedIn' }, { instead: true });
  await expect(getSection(other).getByRole('button', { name: 'Set a PIN' })).toBeVisible();
  await expect(getSection(other).getByRole('button', { name: 'Use the dialog of this computer' })).toHaveCount(0);
});

test('the desktop app offers a passkey too, because the browser of the person can use it', async ({ open }) => {
  const shell = { startAtLogin: false, addFromFileManager: false, update: { state: 'none' } } as const;
  const page = await open('#/settings', { proof: 'signedIn', shell });
  await expect(getSection(page).getByRole('button', { name: 'Set a PIN' })).toBeVisible();
  await getSection(page).getByRole('button', { name: 'Add a passkey' }).press('Enter');
  await expect(setUpPage(page)).toContainText('Confirm where the companion asks you');
  await finishCeremony(page);
  await expect(getProofs(page)).toHaveCount(1);
});

test('a recovery needs a sign-in, shows its time on every screen, and can be cancelled', async ({ open }) => {
  const page = await open('#/settings', { proof: 'passkey' });
  const banner = page.getByText(/Your passkeys and PIN will be removed in/);
  await getSection(page).getByRole('button', { name: 'I lost my key or PIN' }).press('Enter');
  await expect(getSection(page)).toContainText('After 24 hours all passkeys and the PIN are removed');
  await signIn(page);
  await getSection(page).getByRole('button', { name: 'Remove them all in 24 hours' }).press('Enter');
  await expect(banner).toHaveCount(0);
  await getSection(page).getByRole('button', { name: 'Really start' }).press('Enter');
  await expect(banner).toContainText('Assistants are paused. If this was not you, keep them.');
  await page.getByRole('link', { name: 'Items' }).click();
  await expect(banner).toBeVisible();
  await page.getByRole('button', { name: 'Keep them' }).press('Enter');
  await expect(banner).toHaveCount(0);
  expect(await page.evaluate(() => window.fake.proofs.read().passkeys)).toHaveLength(1);
});

test('a window that opens during a recovery says so at once', async ({ open }) => {
  const page = await open('#/listings', { proof: 'recovering' });
  await expect(page.getByText('Your passkeys and PIN will be removed in 23 h 59 min')).toBeVisible();
});

test('if the passkey file is missing, every screen and the section explain how to recover', async ({ open }) => {
  const page = await open('#/listings', { proof: 'lost' });
  await page.getByRole('status').filter({ hasText: 'The file with your passkeys is gone' }).getByRole('button').click();
  await expect(getSection(page)).toContainText('Say in Settings that you lost your key.');
  await expect(getSection(page)).toContainText('All assistants are paused at once.');
  await expect(getSection(page).getByRole('button', { name: 'Add a passkey' })).toHaveCount(0);
});

test('set-up is offered after connecting, and can be postponed', async ({ open }) => {
  const page = await open('', { state: { connection: 'none' } });
  await page
    .getByRole('button', { name: /practice/i })
    .first()
    .click();
  const offer = page.getByRole('status').filter({ hasText: 'so that only you can say yes' });
  await offer.getByRole('button', { name: 'Not now' }).click();
  await expect(offer).toHaveCount(0);
});

test('the offer after connecting leads to the settings', async ({ open }) => {
  const page = await open('', { state: { connection: 'none' } });
  await page
    .getByRole('button', { name: /practice/i })
    .first()
    .click();
  await page
    .getByRole('status')
    .filter({ hasText: 'so that only you can say yes' })
    .getByRole('button', { name: 'Set up' })
    .click();
  await expect(getSection(page)).toBeVisible();
});

test('a window that was already connected offers no set-up', async ({ open }) => {
  const page = await open('', {});
  await expect(page.getByRole('navigation')).toBeVisible();
  await expect(page.getByText('so that only you can say yes')).toHaveCount(0);
});

test('pairing and the Assistants screen say that no proof is set up, until the person sets one up', async ({
  open,
}) => {
  const page = await open('#/assistants', { pairings: true });
  await expect(page.getByText('Nothing proves yet that it is you who accepts.')).toBeVisible();
  await expect(page.getByText('Pressed in the window. No proof of a person.')).toBeVisible();
  await page.getByRole('link', { name: 'Set one up' }).click();
  await expect(getSection(page)).toBeVisible();
  const proven = await open('#/assistants', { pairings: true, proof: 'passkey' }, { instead: true });
  await expect(proven.getByRole('heading', { name: 'Assistants', level: 1 })).toBeVisible();
  await expect(proven.getByText('Pressed in the window')).toHaveCount(0);
  await expect(proven.getByText('Nothing proves yet')).toHaveCount(0);
});

test('accepting a pairing needs a confirmation, but refusing it does not', async ({ open }) => {
  const page = await open('#/assistants', { pairings: true, proof: 'passkey' });
  const line = page.getByRole('status', { name: 'Access requests' }).getByRole('listitem');
  await line.getByRole('button', { name: 'Accept' }).click();
  await confirmation(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(line).toContainText('You did not confirm, so nothing was done.');
  await line.getByRole('button', { name: 'Refuse' }).click();
  await expect(line).toHaveCount(0);
});
