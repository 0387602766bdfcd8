import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright/test';
import * as z from 'zod';
import { expect, test } from '../host.ts';
import {
  beginCeremony,
  beginYes,
  readAxeProblems,
  readResult,
  setUpPasskey,
  signInAgain,
  waitForProof,
} from './ceremonies.ts';
import { openCallSocket, type CallSocket } from './openCallSocket.ts';
import { addAuthenticator, copyPasskeys, type VirtualAuthenticator } from './virtualAuthenticator.ts';

const listings = z.object({ rows: z.array(z.object({ listingId: z.string(), title: z.string() })).min(3) });
const approvals = z.array(z.looseObject({ approvalId: z.string(), digest: z.string(), state: z.string() }));

const batchView = z.object({
  batchId: z.string(),
  rows: z.array(z.object({ approval: z.object({ approvalId: z.string(), digest: z.string() }) })),
});
const proofState = z.object({ passkeys: z.array(z.object({ credentialId: z.string(), label: z.string() })) });

let socket: CallSocket;
test.afterEach(() => socket.close());

const openStockedShop = async (page: Page): Promise<z.infer<typeof listings>['rows']> => {
  await expect(page.getByRole('button', { name: 'Try it with practice data' })).toBeVisible();
  socket = await openCallSocket(page);
  await socket.call(z.unknown(), 'connect.practice', { shop: 'stocked' });
  const read = () => socket.call(listings, 'listings.search', { statuses: ['published'] });
  await expect
    .poll(() =>
      read().then(
        ({ rows }) => rows.length,
        () => 0,
      ),
    )
    .toBeGreaterThan(2);
  return (await read()).rows;
};

const requestEnd = async (listingId: string) => {
  await socket.call(z.unknown(), 'service.perform', { route: 'endListing', input: { params: { listingId } } });
  const waiting = (await socket.call(approvals, 'approvals.list')).filter(({ state }) => state === 'pending');
  const [newest] = waiting.slice(-1);
  if (newest === undefined) throw new Error('No prompt is waiting.');
  return newest;
};

test('a passkey is set up on its page and approves one prompt', async ({ host }) => {
  const { page } = host;
  const [listing] = await openStockedShop(page);
  await signInAgain(socket);
  const tabAuthenticator = await setUpPasskey(socket, page, 'Laptop');
  const prompt = await requestEnd(listing?.listingId ?? '');
  const input = { approvalId: prompt.approvalId, digest: prompt.digest };
  const refused = await socket.send('approvals.approve', input);
  expect(refused).toMatchObject({ ok: false, problem: { code: expect.stringMatching(/NOT_SHOWN|PROOF_NEEDED/) } });

  const tab = await page.context().newPage();
  await copyPasskeys(tabAuthenticator, await addAuthenticator(tab));
  const { token, url } = await beginYes(socket, [prompt], 'approvals.approve', input);
  await tab.goto(url);
  await expect(tab.getByText(listing?.title ?? '')).toBeVisible();
  await expect(tab.getByRole('status')).toHaveText('Confirmed. Go back to the window of the companion.');
  const proofId = await waitForProof(socket, token);
  const approved = await socket.call(z.object({ state: z.string() }), 'approvals.approve', input, proofId);
  expect(approved.state).toBe('approved');
});

test('one touch approves a batch, and the page draws the signed prompt even if the window shows another', async ({
  host,
}) => {
  const { page } = host;
  const rows = await openStockedShop(page);
  await signInAgain(socket);
  const tabAuthenticator = await setUpPasskey(socket, page, 'Laptop');
  const tab = await page.context().newPage();
  await copyPasskeys(tabAuthenticator, await addAuthenticator(tab));
  const chosen = rows.slice(0, 3);
  const requests = chosen.map(({ listingId }) => ({ route: 'endListing', input: { params: { listingId } } }));
  const batch = await socket.call(batchView, 'batch.askFor', { requests });
  const yes = batch.rows.map(({ approval }) => approval);
  const input = { batchId: batch.batchId, rows: yes, unticked: [] };
  const { token, url } = await beginYes(socket, yes, 'batch.approve', input);
  // A program in the window draws another listing over everything.
  await page.evaluate(() => {
    document.body.replaceChildren(Object.assign(document.createElement('h1'), { textContent: 'Old socks' }));
  });
  await tab.goto(url);
  for (const { title } of chosen) await expect(tab.getByText(title)).toBeVisible();
  await expect(tab.locator('main')).not.toContainText('Old socks');
  await expect(tab.getByRole('status')).toHaveText(/^Confirmed/);
  const proofId = await waitForProof(socket, token);
  await socket.call(z.unknown(), 'batch.approve', input, proofId);
  const states = await socket.call(approvals, 'approvals.list');
  expect(states.filter(({ state }) => state === 'approved')).toHaveLength(3);
});

test('no other page can frame or control the ceremony page, and its opener has no reference to it', async ({
  host,
}) => {
  const { page } = host;
  await openStockedShop(page);
  await signInAgain(socket);
  await setUpPasskey(socket, page, 'Laptop');
  const { token, url } = await beginCeremony(socket, 'proofs.begin', { call: 'app.pause', input: { paused: false } });
  const stranger = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(`<!doctype html><iframe src="${url}"></iframe>`);
  });
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  const tab = await page.context().newPage();
  await tab.goto(`http://localhost:${(stranger.address() as AddressInfo).port}/`);
  await expect.poll(() => tab.frames().some((frame) => frame.url().startsWith('chrome-error:'))).toBe(true);
  for (const path of ['pin', 'cancel'])
    await tab.evaluate(
      (address) => fetch(address, { method: 'POST', mode: 'no-cors', body: '{}' }).catch(() => undefined),
      `${url}/${path}`,
    );
  expect((await readResult(socket, token)).state).toBe('begun');
  stranger.close();
  // A program in the window keeps no hold of the small window that it opened.
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate((address) => {
      Object.assign(globalThis, { confirmation: window.open(address, '_blank', 'popup') });
    }, url),
  ]);
  await expect(opened.getByText('Resume all work')).toBeVisible();
  expect(await page.evaluate(() => (globalThis as unknown as { confirmation: Window }).confirmation.closed)).toBe(true);
});

test('without the person’s fingerprint nothing is confirmed, and the page says what to do', async ({ host }) => {
  const { page } = host;
  await openStockedShop(page);
  await signInAgain(socket);
  const tabAuthenticator = await setUpPasskey(socket, page, 'Laptop');
  const input = { call: 'app.pause', input: { paused: false } };
  const { token, url } = await beginCeremony(socket, 'proofs.begin', input);
  const tab = await page.context().newPage();
  const wrongFinger = await addAuthenticator(tab, { isUserVerified: false });
  await copyPasskeys(tabAuthenticator, wrongFinger);
  await tab.goto(url);
  await expect(tab.getByRole('alert')).toContainText('answered here');
  const again = tab.getByRole('button', { name: 'Use fingerprint, face or key' });
  await expect(again).toBeFocused();
  expect((await readResult(socket, token)).state).toBe('open');
  await wrongFinger.cdp.send('WebAuthn.setUserVerified', {
    authenticatorId: wrongFinger.authenticatorId,
    isUserVerified: true,
  });
  await again.press('Enter');
  await expect.poll(async () => (await readResult(socket, token)).state).toBe('done');

  const left = await beginCeremony(socket, 'proofs.begin', input);
  await wrongFinger.cdp.send('WebAuthn.setUserVerified', {
    authenticatorId: wrongFinger.authenticatorId,
    isUserVerified: false,
  });
  const second = await page.context().newPage();
  await second.goto(left.url);
  await second.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(second.getByText('You cancelled, so nothing was confirmed.')).toBeVisible();
  expect((await readResult(socket, left.token)).state).toBe('cancelled');
  const closed = await beginCeremony(socket, 'proofs.begin', input);
  await second.goto(closed.url);
  await expect(second.getByRole('button', { name: 'Cancel' })).toBeVisible();
  await second.close();
  await expect.poll(async () => (await readResult(socket, closed.token)).state).toBe('cancelled');
});

test('the person adds a second passkey and removes the first one with it', async ({ host }) => {
  const { page } = host;
  await openStockedShop(page);
  await signInAgain(socket);
  const first = await setUpPasskey(socket, page, 'Laptop');
  const prove = async (authenticator: VirtualAuthenticator, call: string, input: object): Promise<string> => {
    const { token, url } = await beginCeremony(socket, 'proofs.begin', { call, input });
    const tab = await page.context().newPage();
    await copyPasskeys(authenticator, await addAuthenticator(tab));
    await tab.goto(url);
    return waitForProof(socket, token);
  };
  const added = { kind: 'passkey', label: 'Key on the desk' };
  expect(await socket.send('proofs.register', added)).toMatchObject({ problem: { code: 'PROOF_NEEDED' } });
  const second = await setUpPasskey(socket, page, added.label, await prove(first, 'proofs.register', added));
  const { passkeys } = await socket.call(proofState, 'proofs.state');
  expect(passkeys.map(({ label }) => label)).toEqual(['Laptop', 'Key on the desk']);
  const removed = { kind: 'passkey', credentialId: passkeys[0]?.credentialId };
  await socket.call(z.unknown(), 'proofs.remove', removed, await prove(second, 'proofs.remove', removed));
  expect((await socket.call(proofState, 'proofs.state')).passkeys).toHaveLength(1);
});

test('the person sets a PIN and approves with it, with the keyboard alone', async ({ host }) => {
  const { page } = host;
  await openStockedShop(page);
  await signInAgain(socket);
  const setUp = await beginCeremony(socket, 'proofs.register', { kind: 'pin', label: '' });
  const tab = await page.context().newPage();
  await tab.goto(setUp.url);
  const pin = tab.getByLabel('PIN', { exact: true });
  await expect(pin).toBeFocused();
  await tab.keyboard.type('246813');
  await tab.keyboard.press('Tab');
  await tab.keyboard.type('246831');
  await tab.keyboard.press('Enter');
  await expect(tab.getByRole('alert')).toHaveText('The two PINs are different.');
  await tab.getByLabel('The same PIN again').fill('246813');
  await tab.keyboard.press('Enter');
  await expect(tab.getByRole('status')).toHaveText(/^Saved/);

  const { token, url } = await beginCeremony(socket, 'proofs.begin', { call: 'app.pause', input: { paused: false } });
  await tab.goto(url);
  await expect(pin).toBeFocused();
  expect(await readAxeProblems(tab)).toEqual([]);
  await tab.keyboard.type('246812');
  await tab.keyboard.press('Enter');
  await expect(tab.getByRole('alert')).toHaveText('This PIN is wrong.');
  await expect(pin).toBeFocused();
  await expect(pin).toHaveValue('');
  await tab.keyboard.type('246813');
  await tab.keyboard.press('Enter');
  await waitForProof(socket, token);
  const used = await tab.goto(url);
  expect(used?.status()).toBe(410);
  await expect(tab.getByRole('heading', { name: 'This page is over' })).toBeVisible();
  expect(await readAxeProblems(tab)).toEqual([]);
});

test('a browser without passkeys says so', async ({ host }) => {
  const { page } = host;
  await openStockedShop(page);
  await signInAgain(socket);
  const { token, url } = await beginCeremony(socket, 'proofs.register', { kind: 'passkey', label: '' });
  const tab = await page.context().newPage();
  await tab.addInitScript(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'));
  await tab.goto(url);
  await expect(tab.getByRole('alert')).toContainText('This browser cannot use passkeys.');
  await expect.poll(async () => (await readResult(socket, token)).state).toBe('cancelled');
});

test('if the proofs file is missing, the page says so', async ({ host }) => {
  const { page } = host;
  await openStockedShop(page);
  await signInAgain(socket);
  await setUpPasskey(socket, page, 'Laptop');
  const { url } = await beginCeremony(socket, 'proofs.begin', { call: 'app.pause', input: { paused: false } });
  const tab = await page.context().newPage();
  await tab.route(url, async (route) => {
    const response = await route.fetch();
    const body = await response.text();
    expect(body).toContain('"kinds":["passkey"]');
    await route.fulfill({ response, body: body.replace('"kinds":["passkey"]', '"kinds":[]') });
  });
  await tab.goto(url);
  await expect(tab.getByText('The file with your passkeys is gone, so nothing can be confirmed.')).toBeVisible();
  await expect(tab.getByText('works only in the desktop app')).toHaveCount(0);
});
