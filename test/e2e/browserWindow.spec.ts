import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page, Response } from 'playwright';
import { startHeadless, testFlags, type Headless } from '../helpers/hosts/startHeadless.ts';
import { startTestPractice } from '../helpers/practice.ts';
import { drawTextlessItem } from './drawItem.ts';
import { isDrawn } from './isDrawn.ts';
import { readHeapStrings, callAsText, readExportAsText, findSecrets, readFilesIn } from './secretPlaces.ts';
import { expect, test } from './host.ts';

const builtPage = join(import.meta.dirname, '..', '..', 'out', 'renderer', 'index.html');

let folder: string;
let headless: Headless;
let browser: Browser;
let person: BrowserContext;

test.beforeEach(async ({ chrome }) => {
  folder = mkdtempSync(join(tmpdir(), 'companion-window-'));
  [headless, browser] = await Promise.all([startHeadless(testFlags(join(folder, 'data'))), chrome()]);
  person = await browser.newContext();
});
test.afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  await headless.stop();
  rmSync(folder, { recursive: true, force: true });
});

const expectOpen = (page: Page) =>
  expect(page.getByRole('button', { name: 'Try it with practice data' })).toBeVisible();
const expectLocked = (page: Page, title: string) => expect(page.getByRole('heading', { name: title })).toBeVisible();
const goTo = async (address: string, context = person): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(address);
  return page;
};
const readSecret = (page: Page): Promise<string | null> => page.evaluate(() => sessionStorage.getItem('companion'));

test('the link from the terminal opens the window without a token in the address bar', async () => {
  const page = await goTo(headless.ui);
  await expectOpen(page);
  expect(page.url()).not.toContain('token');
  const secret = await readSecret(page);
  expect(secret).toMatch(/^[\w-]{32}$/);
  expect(await page.content()).not.toContain(secret);
  expect(await person.cookies()).toEqual([]);
  await page.reload();
  await expectOpen(page);
  expect(await readSecret(page)).toBe(secret);
});

test('photos are loaded and uploaded under a path that only the window knows', async () => {
  const page = await goTo(headless.ui);
  const responses: Response[] = [];
  page.on('response', (response) => void responses.push(response));
  const getPath = (response: Response): string => new URL(response.url()).pathname;
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await page.getByRole('button', { name: 'Skip the tour' }).click();
  await page.getByRole('button', { name: 'Try with sample photos' }).click();
  const picture = page.getByRole('list').locator('canvas').first();
  await expect(picture).toBeVisible({ timeout: 60_000 });
  await expect.poll(() => isDrawn(picture)).toBe(true);
  const photos = join(folder, 'Canon EOS 250D camera');
  await drawTextlessItem(photos);
  await page.locator('input[webkitdirectory]').first().setInputFiles(photos);
  await expect.poll(() => responses.some((response) => getPath(response).endsWith('/intake'))).toBe(true);
  for (const response of responses.filter((one) => /photos|intake/.test(getPath(one)))) {
    expect(getPath(response)).toMatch(/^\/at\/[\w-]{32}\/(photos\/.+|intake)$/);
    expect(response.status()).toBeLessThan(400);
    // Chromium reports a header that it leaves out as an empty text, too.
    expect((await response.request().allHeaders())['referer'] ?? '').toBe('');
  }
});

test('a tab opened without the link shows the window only while another tab is unlocked', async () => {
  const origin = new URL(headless.ui).origin;
  const early = await goTo(origin);
  await expectLocked(early, 'This tab is not open yet');
  await expect(early.getByText('that its terminal showed')).toBeVisible();
  const first = await goTo(headless.ui);
  await expectOpen(first);
  await expectOpen(early);
  await expectOpen(await goTo(`${origin}/#/settings`));
  // The used link opens too, because the other tabs unlock this one.
  await expectOpen(await goTo(headless.ui));
});

test('the terminal warns the person when a used link is opened in another browser', async () => {
  await expectOpen(await goTo(headless.ui));
  const other = await browser.newContext();
  const page = await goTo(headless.ui, other);
  await expectLocked(page, 'This link has already been used');
  await expect(page.getByText('another person on this computer')).toBeVisible();
  expect(page.url()).not.toContain('token');
  await expect.poll(() => headless.terminal()).toContain('opened a second time');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expectLocked(page, 'This tab is not open yet');
});

test('a page on another port gets no access to the window', async () => {
  const heard: string[] = [];
  const stranger = createServer((request, response) => {
    heard.push(JSON.stringify(request.headers));
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>stranger</title>');
  });
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  const { port } = stranger.address() as AddressInfo;
  const own = await goTo(headless.ui);
  await expectOpen(own);
  const secret = (await readSecret(own)) ?? '';
  const page = await goTo(`http://127.0.0.1:${port}/`);
  const got = await page.evaluate(async (target) => {
    const seen: unknown[] = [sessionStorage.length, document.cookie];
    const channel = new BroadcastChannel('companion');
    channel.onmessage = ({ data }) => seen.push(data);
    channel.postMessage({ wanted: true });
    const opened = window.open(`http://${target}/`);
    const socket = new WebSocket(`ws://${target}/calls`);
    socket.onopen = () => seen.push('open');
    socket.onmessage = ({ data }) => seen.push(data);
    await new Promise((resolve) => (socket.onclose = resolve));
    await fetch(`http://${target}/`).then(
      () => seen.push('page'),
      () => undefined,
    );
    try {
      seen.push(opened?.document.title === '' ? undefined : opened?.document.title);
    } catch {
      // The other origin is not readable, as expected.
    }
    return seen.filter((one) => one !== undefined);
  }, new URL(headless.ui).host);
  expect(got).toEqual([0, '']);
  expect(heard.join()).not.toContain(secret);
  stranger.close();
});

const buildMarkerScript = (how: string): string => `document.documentElement.dataset.planted = ${JSON.stringify(how)};`;

/** Runs another server on the port, whose page installs a service worker or a cached script in the browser. */
const servePlantedPage = async (
  how: 'worker' | 'asset',
): Promise<{ port: number; stop: () => void; served: string[] }> => {
  const script = /assets\/index-[\w-]+\.js/.exec(readFileSync(builtPage, 'utf8'))?.[0] ?? '';
  expect(script).not.toBe('');
  const worker = `addEventListener('install', () => skipWaiting());
    addEventListener('activate', (event) => event.waitUntil(clients.claim()));
    addEventListener('fetch', (event) => event.request.mode === 'navigate' && event.respondWith(
      new Response('<!doctype html><html data-planted="worker">', { headers: { 'content-type': 'text/html' } })));`;
  const files: Record<string, [string, string]> = {
    [`/${script}`]: ['text/javascript', buildMarkerScript('asset')],
    '/worker.js': ['text/javascript', worker],
    '/': [
      'text/html',
      how === 'asset'
        ? `<!doctype html><script type="module" crossorigin src="/${script}"></script>`
        : `<!doctype html><script>navigator.serviceWorker.register('/worker.js');
           navigator.serviceWorker.ready.then(() => { ${buildMarkerScript('worker')} })</script>`,
    ],
  };
  const served: string[] = [];
  const stranger = createServer(({ url = '' }, response) => {
    const [type, text] = files[url] ?? ['text/plain', ''];
    served.push(url);
    const kept = url === '/' ? 'no-store' : 'public, max-age=31536000, immutable';
    response.writeHead(200, { 'content-type': type, 'cache-control': kept }).end(text);
  });
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  const stop = (): void => {
    stranger.close();
    stranger.closeAllConnections();
  };
  return { port: (stranger.address() as AddressInfo).port, stop, served };
};

for (const how of ['worker', 'asset'] as const) {
  test(`a planted ${how} from another server on the same port does not affect the window`, async () => {
    const { port, stop, served } = await servePlantedPage(how);
    const planted = `http://127.0.0.1:${port}/`;
    for (let visits = 0; visits < 2; visits += 1) {
      const visit = await goTo(planted);
      await expect(visit.locator('html')).toHaveAttribute('data-planted', how);
      await visit.close();
    }
    // The second visit was served from the browser's cache or the service worker.
    expect(served.filter((url) => url === (how === 'worker' ? '/' : served[1]))).toHaveLength(1);
    stop();

    await headless.stop();
    headless = await startHeadless([...testFlags(join(folder, 'data')), '--ui-port', String(port)]);
    const page = await goTo(headless.ui);
    await expectOpen(page);
    await expect(page.locator('html')).not.toHaveAttribute('data-planted');
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
    // The companion refuses the other server's address.
    const refused = await fetch(planted);
    expect([refused.status, await refused.text()]).toEqual([421, expect.not.stringContaining('<')]);
  });
}

test('after a restart on the same port the old tab is locked out', async () => {
  const { port } = new URL(headless.ui);
  const old = await goTo(headless.ui);
  await expectOpen(old);
  const oldSecret = await readSecret(old);
  await headless.stop();
  headless = await startHeadless([...testFlags(join(folder, 'data')), '--ui-port', port]);
  const fresh = await goTo(headless.ui);
  await expectOpen(fresh);
  expect(new URL(fresh.url()).hostname).not.toBe(new URL(old.url()).hostname);
  expect(await readSecret(fresh)).not.toBe(oldSecret);
  const again = await old.reload();
  expect(again?.status()).toBe(421);
  await expect(old.getByText('open the link that its terminal shows')).toBeVisible();
});

test('a key pasted in the browser appears in no window, file, log or export', async () => {
  const practice = await startTestPractice({ writer: 'built-in' });
  const { agentKey: key } = await practice.person({ email: 'pasted@practice.example' });
  const wrong = 'agent_that_nobody_made_0123456789';
  const data = join(folder, 'with a service');
  const own = await startHeadless([...testFlags(data), '--service', practice.url, '--verbose']);
  const page = await person.newPage();
  const output: string[] = [];
  page.on('console', (message) => output.push(message.text()));
  await page.goto(own.ui);
  await page.getByRole('button', { name: 'Connect my account' }).click();
  const form = page.getByRole('form', { name: 'Key from the web settings' });
  const field = form.getByLabel('Key from the web settings');
  await expect(field).toHaveAttribute('type', 'password');
  await field.fill(wrong);
  await field.press('Enter');
  await expect(field).toHaveValue('');
  await expect(form).toContainText('The service does not accept this key.');
  await expect(field).toBeFocused();
  await field.fill(key);
  await form.getByRole('button', { name: 'Use this key' }).press('Enter');
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await page.getByRole('link', { name: 'Account' }).click();
  await expect(page.getByText('pasted@practice.example')).toBeVisible();
  const exported = [
    await callAsText(page, 'app.state', {}),
    await callAsText(page, 'app.diagnostics', {}),
    await readExportAsText(page, 'history.export', { format: 'jsonl' }),
    await callAsText(page, 'connect.key', { key: [wrong] }),
  ];
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  const memory = await readHeapStrings(page);
  await page.close();
  await own.stop();
  const places = [
    ['the terminal and the console', own.terminal() + output.join('\n')],
    ['what was exported', exported.join('\n')],
    ['the storage of the window', stored],
    ['the memory of the window', memory],
    ...readFilesIn(data),
  ] as const;
  expect(findSecrets(places, { key, wrong })).toEqual([]);
  expect(memory).toContain('pasted@practice.example');
  await practice.close();
});
