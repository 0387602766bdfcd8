import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright';
import * as z from 'zod';
import { openInBrowserHost } from '../test/e2e/browserHost.ts';
import { findChromium } from '../test/e2e/findChromium.ts';
import type { Host } from '../test/e2e/host.ts';
import {
  addAuthenticator,
  copyPasskeys,
  type VirtualAuthenticator,
} from '../test/e2e/presence/virtualAuthenticator.ts';
import { againstLimit, compare, type Compared } from './compare.ts';
import { call } from './hosts.ts';

const rounds = 15;
/** A proof with a passkey may add this much, besides the time of the person. */
const maxGrowthMs = 300;

const listings = z.object({ rows: z.array(z.object({ listingId: z.string() })).min(1) });
const challenge = z.object({ challengeId: z.string() });
const mails = z.array(z.object({ code: z.string() })).min(1);
const begun = z.object({ token: z.string() });
const opened = z.object({ url: z.url() });
const state = z.object({ service: z.object({ url: z.url() }) });

/** Sets up a passkey. Returns its authenticator, which confirms by itself. */
const setUpPasskey = async (page: Page): Promise<VirtualAuthenticator> => {
  const { url: serviceUrl } = state.parse(await call(page, 'app.state')).service;
  const { challengeId } = challenge.parse(await call(page, 'proofs.startSignIn'));
  const [mail] = mails.parse(await (await fetch(`${serviceUrl}/practice/outbox`)).json());
  await call(page, 'proofs.signIn', { challengeId, code: mail?.code });
  const { token } = begun.parse(await call(page, 'proofs.register', { kind: 'passkey', label: '' }));
  const tab = await page.context().newPage();
  const authenticator = await addAuthenticator(tab);
  await tab.goto(opened.parse(await call(page, 'proofs.open', { token })).url);
  await tab.getByRole('button', { name: 'Create the passkey' }).click();
  await tab.getByText('Saved.').waitFor();
  await page.bringToFront();
  return authenticator;
};

type Shop = { host: Host; listingId: string; price: number; signCount: number };

const openShop = async (browser: Browser, dataDir: string): Promise<Shop> => {
  const host = await openInBrowserHost(dataDir, browser);
  const { page } = host;
  await page.getByRole('button', { name: 'Try it with practice data' }).waitFor();
  await call(page, 'connect.practice', { shop: 'stocked' });
  await page.getByRole('navigation').waitFor();
  const input = { statuses: ['published'] };
  for (;;) {
    const found = listings.safeParse(await call(page, 'listings.search', input).catch(() => null));
    const listingId = found.data?.rows[0]?.listingId;
    if (listingId !== undefined) return { host, listingId, price: 10_000, signCount: 100 };
    await page.waitForTimeout(200);
  }
};

/**
 * Starts the confirmation where the page would start by itself, and without the way of a pointer to a button. Returns the
 * ms in which the page got its authenticator before, because each page has its own in a test, and a person's computer has
 * one already.
 */
const confirmWith = async (from: VirtualAuthenticator, page: Page, signCount: number): Promise<number> => {
  const button = 'button[data-act=usePasskey]';
  // A locator would look for the button only every 50 to 500 ms.
  await page.waitForFunction((selector) => document.querySelector(selector) !== null, button, { polling: 'raf' });
  const drawnAt = performance.now();
  await copyPasskeys(from, await addAuthenticator(page), { signCount });
  const addingMs = performance.now() - drawnAt;
  await page.evaluate((selector) => document.querySelector<HTMLButtonElement>(selector)?.click(), button);
  return addingMs;
};

/** Asks for another price, and returns the ms from the press of the yes until the new price is at the service. */
const pressYes = async (shop: Shop, authenticator: VirtualAuthenticator | null): Promise<number> => {
  const { page } = shop.host;
  shop.price += 100;
  const input = { params: { listingId: shop.listingId }, body: { price: shop.price } };
  await call(page, 'service.perform', { route: 'reviseListing', input });
  const prompt = page.getByRole('dialog').first();
  const yes = prompt.locator('[data-yes]:not(:disabled)');
  await yes.waitFor();
  const from = performance.now();
  const opened = authenticator && page.waitForEvent('popup');
  await yes.click();
  const addingMs = opened ? await confirmWith(authenticator, await opened, (shop.signCount += 1)) : 0;
  await prompt.getByRole('status').getByText('Changed').waitFor();
  const took = performance.now() - from - addingMs;
  await prompt.getByRole('button', { name: 'Close' }).click();
  return took;
};

/** Measures what a proof adds to a yes. The authenticator answers at once, so the time of a person is not included. */
export const benchPresence = async (): Promise<Compared[]> => {
  const root = await mkdtemp(join(tmpdir(), 'presence-'));
  const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? findChromium() });
  const shops: Shop[] = [];
  try {
    const plain = await openShop(browser, join(root, 'plain'));
    const proven = await openShop(browser, join(root, 'proven'));
    shops.push(plain, proven);
    const authenticator = await setUpPasskey(proven.host.page);
    // The page must not start before it has an authenticator.
    await proven.host.page.context().addInitScript(() => {
      document.hasFocus = () => false;
    });
    const what = 'a yes, from the press to the changed listing';
    const yes = await compare(
      { what: `${what}, with a passkey`, unit: 'ms', peer: 'without a proof' },
      () => pressYes(proven, authenticator),
      () => pressYes(plain, null),
      rounds,
    );
    return [yes, againstLimit(`${what}: what a passkey adds`, 'ms', yes.ours - yes.theirs, maxGrowthMs)];
  } finally {
    for (const { host } of shops) await host.stop();
    await browser.close();
    await rm(root, { recursive: true, force: true });
  }
};
