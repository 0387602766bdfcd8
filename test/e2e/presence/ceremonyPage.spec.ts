import type { Page } from 'playwright/test';
import * as z from 'zod';
import { expect, test } from '../host.ts';
import {
  addAuthenticator,
  beginCeremony,
  beginYes,
  copyPasskeys,
  readResult,
  showInFrame,
  signInAgain,
  waitForProof,
  type VirtualAuthenticator,
} from './ceremonies.ts';
import { openCallSocket, type CallSocket } from './openCallSocket.ts';

const listings = z.object({ rows: z.array(z.object({ listingId: z.string(), title: z.string() })).min(3) });
const approvals = z.array(z.looseObject({ approvalId: z.string(), digest: z.string(), state: z.string() }));

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

/** Sets up a passkey at top level, as a tab that the window opens. */
const setUpPasskey = async (page: Page, label: string, proofId?: string): Promise<VirtualAuthenticator> => {
  const { token, url } = await beginCeremony(socket, 'proofs.register', { kind: 'passkey', label }, proofId);
  const tab = await page.context().newPage();
  const authenticator = await addAuthenticator(tab);
  await tab.goto(url);
  await tab.getByRole('button', { name: 'Create the passkey' }).click();
  await expect.poll(async () => (await readResult(socket, token)).state).toBe('done');
  return authenticator;
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
  const tabAuthenticator = await setUpPasskey(page, 'Laptop');
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
