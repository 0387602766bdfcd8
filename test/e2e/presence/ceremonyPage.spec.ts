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
  showInFrame,
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

test('a passkey is set up in a tab and approves one prompt in a frame of the window', async ({ host }) => {
  const { page } = host;
  const [listing] = await openStockedShop(page);
  await signInAgain(socket);
  const tabAuthenticator = await setUpPasskey(socket, page, 'Laptop');
  const prompt = await requestEnd(listing?.listingId ?? '');
  const input = { approvalId: prompt.approvalId, digest: prompt.digest };
  const refused = await socket.send('approvals.approve', input);
  expect(refused).toMatchObject({ ok: false, problem: { code: expect.stringMatching(/NOT_SHOWN|PROOF_NEEDED/) } });

  await copyPasskeys(tabAuthenticator, await addAuthenticator(page));
  const { token, url } = await beginYes(socket, [prompt], 'approvals.approve', input);
  await showInFrame(page, url);
  const frame = page.frameLocator('iframe[name=ceremony]');
  await expect(frame.getByText(listing?.title ?? '')).toBeVisible();
  await expect(frame.getByRole('status')).toHaveText('Confirmed. Go back to the window of the companion.');
  const proofId = await waitForProof(socket, token);
  const approved = await socket.call(z.object({ state: z.string() }), 'approvals.approve', input, proofId);
  expect(approved.state).toBe('approved');
});

test('one touch approves a batch, and the prompt that is signed is drawn although the window shows another', async ({
  host,
}) => {
  const { page } = host;
  const rows = await openStockedShop(page);
  await signInAgain(socket);
  const tabAuthenticator = await setUpPasskey(socket, page, 'Laptop');
  await copyPasskeys(tabAuthenticator, await addAuthenticator(page));
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
  await showInFrame(page, url);
  const frame = page.frameLocator('iframe[name=ceremony]');
  for (const { title } of chosen) await expect(frame.getByText(title)).toBeVisible();
  await expect(frame.locator('main')).not.toContainText('Old socks');
  await expect(frame.getByRole('status')).toHaveText(/^Confirmed/);
  const proofId = await waitForProof(socket, token);
  await socket.call(z.unknown(), 'batch.approve', input, proofId);
  const states = await socket.call(approvals, 'approvals.list');
  expect(states.filter(({ state }) => state === 'approved')).toHaveLength(3);
});

test('a program cannot read or change the page from the window, and another page cannot show it', async ({ host }) => {
  const { page } = host;
  await openStockedShop(page);
  await signInAgain(socket);
  await setUpPasskey(socket, page, 'Laptop');
  const { token, url } = await beginCeremony(socket, 'proofs.begin', { call: 'app.pause', input: { paused: false } });
  await showInFrame(page, url);
  await expect(page.frameLocator('iframe[name=ceremony]').getByText('Resume all work')).toBeVisible();
  const reach = await page.evaluate(
    () => document.querySelector<HTMLIFrameElement>('iframe[name=ceremony]')?.contentDocument ?? null,
  );
  expect(reach).toBeNull();
  expect((await readResult(socket, token)).state).toBe('open');

  const other = await beginCeremony(socket, 'proofs.begin', { call: 'app.pause', input: { paused: false } });
  const stranger = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(`<!doctype html><iframe src="${other.url}"></iframe>`);
  });
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  const tab = await page.context().newPage();
  await tab.goto(`http://localhost:${(stranger.address() as AddressInfo).port}/`);
  await expect.poll(() => tab.frames().some((frame) => frame.url().startsWith('chrome-error:'))).toBe(true);
  for (const path of ['open', 'cancel'])
    await tab.evaluate(
      (address) =>
        fetch(address, { method: 'POST', mode: 'no-cors', body: '{"isFramed":false}' }).catch(() => undefined),
      `${other.url}/${path}`,
    );
  expect((await readResult(socket, other.token)).state).toBe('begun');
  stranger.close();
});

test('while the window covers the page or makes it transparent, nothing can be confirmed', async ({ host }) => {
  const { page } = host;
  await openStockedShop(page);
  await signInAgain(socket);
  await copyPasskeys(await setUpPasskey(socket, page, 'Laptop'), await addAuthenticator(page));
  const { token, url } = await beginCeremony(socket, 'proofs.begin', { call: 'app.pause', input: { paused: false } });
  await page.evaluate(() => {
    const cover = Object.assign(document.createElement('div'), { id: 'cover', textContent: 'Pause all work' });
    Object.assign(cover.style, { position: 'fixed', inset: '0', height: '140px', background: 'white', zIndex: '1000' });
    document.body.append(cover);
  });
  await showInFrame(page, url);
  const frame = page.frameLocator('iframe[name=ceremony]');
  const covered = frame.getByText('Nothing can be confirmed while something covers this page.');
  const button = frame.getByRole('button', { name: 'Use fingerprint, face or key' });
  await expect(covered).toBeVisible();
  await expect(button).toBeDisabled();
  await page.evaluate(() => {
    document.querySelector('#cover')?.remove();
    Object.assign(document.querySelector<HTMLElement>('iframe[name=ceremony]')?.style ?? {}, { opacity: '0.01' });
  });
  await expect(covered).toBeVisible();
  await expect(button).toBeDisabled();
  expect((await readResult(socket, token)).state).toBe('open');
  await page.evaluate(() => {
    Object.assign(document.querySelector<HTMLElement>('iframe[name=ceremony]')?.style ?? {}, { opacity: '1' });
  });
  await expect(frame.getByRole('status')).toHaveText(/^Confirmed/);
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

const openReply = z.looseObject({ value: z.looseObject({ kinds: z.array(z.string()) }) });

test('without the file of the proofs, the page says so', async ({ host }) => {
  const { page } = host;
  await openStockedShop(page);
  await signInAgain(socket);
  await setUpPasskey(socket, page, 'Laptop');
  const { url } = await beginCeremony(socket, 'proofs.begin', { call: 'app.pause', input: { paused: false } });
  const tab = await page.context().newPage();
  await tab.route('**/open', async (route) => {
    const response = await route.fetch();
    const reply = openReply.parse(await response.json());
    await route.fulfill({ response, json: { ...reply, value: { ...reply.value, kinds: [] } } });
  });
  await tab.goto(url);
  await expect(tab.getByText('The file with your passkeys is gone, so nothing can be confirmed.')).toBeVisible();
  await expect(tab.getByText('works only in the desktop app')).toHaveCount(0);
});
