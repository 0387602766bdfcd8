import type { Page } from 'playwright/test';
import * as z from 'zod';
import { expect, test } from '../host.ts';
import {
  beginCeremony,
  beginYes,
  readAxeProblems,
  readResult,
  setUpPasskey,
  setUpPin,
  signInAgain,
} from './ceremonies.ts';
import { openCallSocket, type CallSocket } from './openCallSocket.ts';
import { addAuthenticator, copyPasskeys } from './virtualAuthenticator.ts';

const resume = { call: 'app.pause', input: { paused: false } };
const batchView = z.object({
  batchId: z.string(),
  rows: z.array(z.object({ approval: z.object({ approvalId: z.string(), digest: z.string() }) })),
});
const listings = z.object({ rows: z.array(z.object({ listingId: z.string() })).min(5) });

let socket: CallSocket;
test.afterEach(() => socket.close());

const openPractice = async (page: Page, shop: 'empty' | 'stocked' = 'empty'): Promise<void> => {
  await expect(page.getByRole('button', { name: 'Try it with practice data' })).toBeVisible();
  socket = await openCallSocket(page);
  await socket.call(z.unknown(), 'connect.practice', { shop });
  await signInAgain(socket);
};

const pinWait = (tab: Page) => tab.getByRole('timer');
const readSeconds = async (tab: Page): Promise<number> => {
  const [, minutes = '', seconds = ''] = /^Try again in (\d+):(\d\d)$/.exec(await pinWait(tab).innerText()) ?? [];
  return Number(minutes) * 60 + Number(seconds);
};

test('after five wrong PINs the page counts down to the next one, and no second is read out', async ({ host }) => {
  const { page } = host;
  await openPractice(page);
  const tab = await setUpPin(socket, page, '246813');
  await tab.clock.install();
  await tab.goto((await beginCeremony(socket, 'proofs.begin', resume)).url);
  const pin = tab.getByLabel('PIN', { exact: true });
  for (let wrong = 1; wrong <= 5; wrong += 1) {
    await expect(pin).toBeFocused();
    await pin.fill('111112');
    await tab.keyboard.press('Enter');
    await expect(pin).toHaveValue('');
    await expect(tab.getByRole('alert')).toHaveText('This PIN is wrong.');
  }
  const confirm = tab.getByRole('button', { name: 'Confirm' });
  await expect(pinWait(tab)).toHaveText(/^Try again in (1:00|0:\d\d)$/);
  await expect(confirm).toBeDisabled();
  await expect(pin).toHaveAccessibleDescription(/^Try again in/);
  await expect(
    tab.locator(':is([role=alert], [role=status], [aria-live]) [role=timer], [role=timer][aria-live]'),
  ).toHaveCount(0);
  expect(await readAxeProblems(tab)).toEqual([]);
  const before = await readSeconds(tab);
  await tab.clock.fastForward(10_000);
  await expect.poll(() => readSeconds(tab)).toBeLessThanOrEqual(before - 10);

  // A page that opens during the wait shows it before a PIN is entered.
  const { token, url } = await beginCeremony(socket, 'proofs.begin', resume);
  await tab.goto(url);
  await expect(pinWait(tab)).toHaveText(/^Try again in/);
  await expect(confirm).toBeDisabled();
  await tab.clock.fastForward((await readSeconds(tab)) * 1_000);
  await expect(tab.getByRole('status')).toHaveText('You can enter the PIN now.');
  await expect(confirm).toBeEnabled();
  await expect(pinWait(tab)).toHaveCount(0);
  // The core does not trust the clock of the page.
  await pin.fill('246813');
  await tab.keyboard.press('Enter');
  await expect(tab.getByRole('alert')).toHaveText(/^There were too many wrong PINs/);
  expect((await readResult(socket, token)).state).toBe('open');
  await tab.keyboard.press('Escape');
  await expect(tab.getByText('You cancelled, so nothing was confirmed.')).toBeVisible();
  expect((await readResult(socket, token)).state).toBe('cancelled');
});

test('without an authenticator, the page says how to connect one or set a PIN', async ({ host }) => {
  const { page } = host;
  await openPractice(page);
  const registration = await beginCeremony(socket, 'proofs.register', { kind: 'passkey', label: '' });
  const tab = await page.context().newPage();
  const nothing = await addAuthenticator(tab, { isUserVerified: false });
  await tab.goto(registration.url);
  await tab.getByRole('button', { name: 'Create the passkey' }).click();
  await expect(tab.getByRole('alert')).toHaveText(/Connect one and try again, or set a PIN in Settings instead\.$/);
  await expect(tab.getByRole('status')).toHaveCount(0);
  await nothing.cdp.send('WebAuthn.setUserVerified', {
    ...{ authenticatorId: nothing.authenticatorId },
    isUserVerified: true,
  });
  await tab.getByRole('button', { name: 'Create the passkey' }).click();
  await expect.poll(async () => (await readResult(socket, registration.token)).state).toBe('done');

  const { url } = await beginCeremony(socket, 'proofs.begin', resume);
  const other = await page.context().newPage();
  await addAuthenticator(other);
  await other.goto(url);
  await expect(other.getByRole('alert')).toHaveText(
    /security key or phone answered here\. Connect one and try again\.$/,
  );
  await expect(other.getByRole('status')).toHaveText(
    'A private window may not offer your passkey. If this is one, open the companion in a normal window.',
  );
  const lostKey = /^You lost your key or PIN\? Choose “I lost my key or PIN” in the companion’s Settings\.$/;
  await expect(other.getByText(lostKey)).toBeVisible();
  await expect(tab.getByText(lostKey)).toHaveCount(0);
});

test('the pages of a passkey, a batch and a set-up are accessible in both colours', async ({ host }) => {
  const { page } = host;
  await openPractice(page, 'stocked');
  const registration = await beginCeremony(socket, 'proofs.register', { kind: 'passkey', label: 'Laptop' });
  const tab = await page.context().newPage();
  await tab.goto(registration.url);
  await expect(tab.getByRole('button', { name: 'Create the passkey' })).toBeVisible();
  expect(await readAxeProblems(tab)).toEqual([]);
  const pin = await beginCeremony(socket, 'proofs.register', { kind: 'pin', label: '' });
  await tab.goto(pin.url);
  await expect(tab.getByLabel('The same PIN again')).toBeVisible();
  await tab.getByRole('button', { name: 'Set this PIN' }).click();
  await expect(tab.getByRole('alert')).not.toBeEmpty();
  expect(await readAxeProblems(tab)).toEqual([]);

  const own = await setUpPasskey(socket, page, 'Laptop');
  const wrongFinger = await addAuthenticator(tab, { isUserVerified: false });
  await copyPasskeys(own, wrongFinger);
  await tab.goto((await beginCeremony(socket, 'proofs.begin', resume)).url);
  await expect(tab.getByRole('alert')).not.toBeEmpty();
  expect(await readAxeProblems(tab)).toEqual([]);

  const read = () =>
    socket.call(listings, 'listings.search', { statuses: ['published'] }).then(
      ({ rows }) => rows,
      () => [],
    );
  await expect.poll(async () => (await read()).length).toBeGreaterThan(4);
  const requests = (await read())
    .slice(0, 5)
    .map(({ listingId }) => ({ route: 'endListing', input: { params: { listingId } } }));
  const batch = await socket.call(batchView, 'batch.askFor', { requests });
  const rows = batch.rows.map(({ approval }) => approval);
  const { url } = await beginYes(socket, rows, 'batch.approve', { batchId: batch.batchId, rows, unticked: [] });
  await tab.setViewportSize({ width: 520, height: 720 });
  await tab.goto(url);
  await expect(tab.getByRole('listitem')).toHaveCount(5);
  await expect(tab.getByRole('alert')).toHaveText(/Connect one and try again\.$/);
  await expect(tab.getByRole('button', { name: 'Use fingerprint, face or key' })).toBeInViewport({ ratio: 1 });
  expect(await readAxeProblems(tab)).toEqual([]);
});
