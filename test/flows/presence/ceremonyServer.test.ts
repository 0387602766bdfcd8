import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { createCeremonyCore } from '../../../src/host/ceremony/ceremonyCore.ts';
import { createCeremonyServer, type CeremonyServer } from '../../../src/host/ceremony/ceremonyServer.ts';
import { createUiClient, type Answer } from '../../helpers/hosts/createUiClient.ts';
import { listLedgerRows } from '../../helpers/presence/listLedgerRows.ts';
import type { ProofWindow } from '../../helpers/presence/openProofWindow.ts';
import type { SoftwareAuthenticator } from '../../helpers/presence/softwareAuthenticator.ts';
import { startWorldWithWindow } from '../../helpers/presence/startProvenWorld.ts';
import type { World } from '../../helpers/world.ts';

const windowOrigin = 'http://0123456789abcdef.localhost:4000';
const script = 'document.title = "</script><!-- &";';

let world: World;
let window: ProofWindow;
let server: CeremonyServer;
let origin: string;
let client: ReturnType<typeof createUiClient>;
let authenticator: SoftwareAuthenticator;
let rendererDir: string;

beforeEach(async () => {
  rendererDir = mkdtempSync(join(tmpdir(), 'ceremony-'));
  writeFileSync(join(rendererDir, 'presence.js'), script);
  ({ world, window, authenticator } = await startWorldWithWindow());
  const companion = world.companion();
  const running = { ceremonies: createCeremonyCore(companion), photo: companion.photo };
  server = createCeremonyServer({ running, rendererDir });
  origin = await server.readOrigin();
  client = createUiClient(origin);
});
afterEach(async () => {
  await server.stop();
  await world.close();
  rmSync(rendererDir, { recursive: true, force: true });
});

const refusal = z.object({
  ok: z.literal(false),
  problem: z.object({ code: z.string(), sentence: z.string(), retryAfterS: z.number().optional() }),
});
const openedPage = z.object({
  view: z.object({
    heading: z.string(),
    rows: z.array(
      z.object({
        act: z.string(),
        title: z.string().nullable(),
        lines: z.array(z.string()),
        photo: z.string().nullable(),
      }),
    ),
    facts: z.array(z.object({ label: z.string(), value: z.string() })),
  }),
  isRegistration: z.boolean(),
  kinds: z.array(z.string()),
  passkeyOptions: z.object({ challenge: z.string(), rpId: z.string().optional() }).loose().nullable(),
  leftMs: z.number(),
});
const pageData = z.object({ opened: openedPage });
const listRows = (kind: string) => listLedgerRows(world, kind);

/** Sends what the page sends. */
const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  client.ask(
    `/presence/${path}`,
    { Origin: origin, 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', ...headers },
    'POST',
    JSON.stringify(body),
  );
const getRefusal = ({ body }: Answer) => refusal.parse(JSON.parse(body)).problem;
const readPageData = ({ body }: Answer) =>
  pageData.parse(JSON.parse(/<script[^>]* id="data">(.*?)<\/script>/.exec(body)?.[1] ?? 'null')).opened;
const openPage = async (token: string, headers = {}) => readPageData(await client.ask(`/presence/${token}`, headers));

const setUpPasskey = async (): Promise<void> => {
  window.noteSignIn();
  const { token } = await window.call('proofs.register', { kind: 'passkey', label: 'Key' });
  const { passkeyOptions } = await openPage(token);
  const made = authenticator.create({ challenge: passkeyOptions?.challenge ?? '' }, { origin });
  expect((await post(`${token}/new-passkey`, made)).status).toBe(200);
};
const setUpPin = async (): Promise<void> => {
  window.noteSignIn();
  const { token } = await window.call('proofs.register', { kind: 'pin' });
  await openPage(token);
  expect((await post(`${token}/new-pin`, { pin: '246813' })).status).toBe(200);
};
const beginResume = async (): Promise<string> =>
  (await window.call('proofs.begin', { call: 'app.pause', input: { paused: false } })).token;
const beginPublish = async () => {
  const { approvalId, digest } = await world.asked();
  window.show([{ approvalId, digest }]);
  const begun = await window.call('proofs.begin', { call: 'approvals.approve', input: { approvalId, digest } });
  return { ...begun, yes: { approvalId, digest } };
};

test('no other page can show the page in a frame, and it stores nothing and contains its only script', async () => {
  await setUpPin();
  const { status, headers, body } = await client.ask(`/presence/${await beginResume()}`);
  expect([status, headers['set-cookie'], headers['x-powered-by'], headers['x-frame-options']]).toEqual([
    ...[200, undefined],
    ...[undefined, 'DENY'],
  ]);
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'clear-site-data': '"cache", "storage"',
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self)',
  });
  const policy = String(headers['content-security-policy']);
  const nonce = /script-src 'nonce-([\w+/=]+)'/.exec(policy)?.[1] ?? 'none';
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  const scripts = [...body.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
  expect(scripts).toHaveLength(2);
  expect(scripts.every((tag) => tag.includes(`nonce="${nonce}"`))).toBe(true);
  expect(body).toContain('\\x3c/script>\\x3c!-- &";</script>');
  expect(body).not.toMatch(/ src=| href=/);
});

test('a reload of the page says so and cancels the ceremony, and a preview does not', async () => {
  await setUpPin();
  const token = await beginResume();
  expect((await client.ask(`/presence/${token}`, { 'Sec-Purpose': 'prefetch' })).status).toBe(503);
  expect((await client.ask(`/presence/${token}`, {}, 'HEAD')).status).toBe(405);
  await openPage(token);
  for (let reloads = 0; reloads < 2; reloads += 1) {
    const again = await client.ask(`/presence/${token}`);
    expect([again.status, again.body]).toEqual([
      410,
      expect.stringContaining('This page was already opened. Go back and press the button again.'),
    ]);
    expect(window.presence.readCeremony(token).state).toBe('cancelled');
  }
  expect(getRefusal(await post(`${token}/pin`, { pin: '246813' })).code).toBe('CEREMONY_OVER');
});

test('a token opens one page once', async () => {
  await setUpPin();
  const token = await beginResume();
  expect((await openPage(token)).view.rows).toEqual([{ act: 'Resume all work', title: null, lines: [], photo: null }]);
  const again = await client.ask(`/presence/${token}`);
  expect([again.status, again.body]).toEqual([410, expect.stringContaining('This page was already opened')]);
  expect(again.body).not.toContain('<script');
  const reused = { why: 'reused', call: 'app.pause', input: { paused: false } };
  expect((await listRows('proof.token_refused')).map(({ facts }) => facts)).toMatchObject([reused]);
  expect(window.presence.readCeremony(token).state).toBe('cancelled');
});

test('a guessed token and a token older than a minute open no page', async () => {
  await setUpPin();
  const token = await beginResume();
  world.clock.advance(60_000);
  for (const given of [token, 'x'.repeat(43), '..%2f..', '__proto__']) {
    expect((await client.ask(`/presence/${given}`)).status).toBe(410);
    expect(getRefusal(await post(`${given}/pin`, { pin: '246813' })).code).toBe('CEREMONY_OVER');
  }
  // The 1st, 2nd and 10th refusal within a minute have a row.
  const reasons = (await listRows('proof.token_refused')).map(({ facts }) => facts['why']);
  expect(reasons).toEqual(['unknown', 'unknown', 'expired', 'expired']);
  expect(window.presence.readState().pin?.waitLeftMs).toBe(0);
});

test.each([
  ['an address instead of the name', (port: number) => ({ Host: `127.0.0.1:${port}` }), 421],
  ['the IPv6 address', (port: number) => ({ Host: `[::1]:${port}` }), 421],
  ['a name below localhost', (port: number) => ({ Host: `window.localhost:${port}` }), 421],
  ['a foreign name', (port: number) => ({ Host: `example.com:${port}` }), 421],
  ['another port', (port: number) => ({ Host: `localhost:${port + 1}` }), 421],
  ['the origin of another localhost port', (port: number) => ({ Origin: `http://localhost:${port + 1}` }), 403],
  ['the origin of the window', () => ({ Origin: windowOrigin }), 403],
  ['the origin of a sandboxed frame', () => ({ Origin: 'null' }), 403],
  ['the same site instead of the same origin', () => ({ 'Sec-Fetch-Site': 'same-site' }), 403],
  ['another site', () => ({ 'Sec-Fetch-Site': 'cross-site' }), 403],
  ['a form', () => ({ 'Content-Type': 'text/plain' }), 400],
  ['an upgrade', () => ({ Connection: 'Upgrade', Upgrade: 'websocket' }), 400],
])('a request with %s confirms nothing', async (_what, createHeaders, status) => {
  await setUpPin();
  const token = await beginResume();
  const { port } = client;
  await openPage(token);
  expect((await post(`${token}/pin`, { pin: '246813' }, createHeaders(port))).status).toBe(status);
  expect(window.presence.readCeremony(token).state).toBe('open');
});

test('requests without an origin, with two hosts, with long bodies and to other paths are refused', async () => {
  await setUpPin();
  const token = await beginResume();
  await openPage(token);
  const json = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ pin: '246813' });
  expect((await client.ask(`/presence/${token}/pin`, json, 'POST', body)).status).toBe(403);
  const hosts = `Host: ${client.host}\r\nHost: example.com\r\n`;
  expect(await client.raw(`GET /presence/${token} HTTP/1.1\r\n${hosts}\r\n`)).toMatch(/^HTTP\/1.1 4(00|21) /);
  expect((await post(`${token}/pin`, { filler: 'x'.repeat(70_000) })).status).toBe(413);
  for (const path of [`${token}/constructor`, `${token}/approve`, `${token}/open`])
    expect((await post(path, {})).status).toBe(404);
  for (const path of ['/', '/presence', '/presence.js', '/index.html'])
    expect((await client.ask(path)).status).toBe(404);
  const image = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' };
  expect((await client.ask(`/presence/${token}`, image)).status).toBe(403);
  const navigation = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' };
  expect((await client.ask(`/presence/${token}`, { ...navigation, 'Sec-Fetch-Dest': 'iframe' })).status).toBe(403);
  const document = { ...navigation, 'Sec-Fetch-Dest': 'document' };
  expect((await client.ask(`/presence/${await beginResume()}`, document)).status).toBe(200);
  expect((await client.ask(`/presence/${await beginResume()}`, {}, 'GET', undefined, '::1')).status).toBe(200);
  expect(window.presence.readCeremony(token).state).toBe('open');
});

test('the page shows each value that a request changes or sends', async () => {
  await setUpPasskey();
  const listingId = await world.practice.live((await world.secrets.get('agent-key practice')) ?? '');
  await world.perform('reviseListing', { params: { listingId }, body: { price: 1, sku: 'A04-3' } });
  const [asked] = world.companion().approvals.listPending();
  const yes = { approvalId: asked?.approvalId ?? '', digest: asked?.digest ?? '' };
  window.show([yes]);
  const { token } = await window.call('proofs.begin', { call: 'approvals.approve', input: yes });
  const { view } = await openPage(token);
  const lines = view.rows.flatMap((row) => row.lines);
  expect(lines).toContainEqual(expect.stringMatching(/^Price: US\$\d+\.\d\d → US\$0\.01$/));
  expect(lines).toContainEqual(expect.stringContaining('A04-3'));
});

test('the page shows the act, title, price, photo, total and asker that are signed', async () => {
  await setUpPasskey();
  const { token, yes } = await beginPublish();
  const { view, passkeyOptions } = await openPage(token);
  const { prompt } = world.companion().approvals.readView(yes.approvalId);
  expect(prompt.mainFact).toMatch(/^US\$\d+\.\d\d$/);
  expect(view.rows).toEqual([
    { act: prompt.act, title: prompt.target?.title, lines: [prompt.mainFact], photo: `/presence/${token}/photos/0` },
  ]);
  const [total, asker] = view.facts;
  expect([total?.label, total?.value]).toEqual(['Total', expect.stringMatching(/^(US\$[\d.]+|no fee)$/)]);
  expect(asker).toEqual({ label: 'Asked by', value: 'you' });
  expect(passkeyOptions?.rpId).toBe('localhost');
  const photo = await client.ask(`/presence/${token}/photos/0`);
  expect([photo.status, photo.headers['content-type']]).toEqual([200, expect.stringMatching(/^image\//)]);
  expect(photo.headers['content-security-policy']).toContain('sandbox');
  for (const path of [`${token}/photos/1`, `${token}/photos/x`, 'guessed/photos/0'])
    expect((await client.ask(`/presence/${path}`)).status).toBe(404);
  await post(`${token}/cancel`, {});
  expect((await client.ask(`/presence/${token}/photos/0`)).status).toBe(404);
  expect(window.presence.readCeremony(token).state).toBe('cancelled');
});

test('a signature made on the page gives a proof', async () => {
  await setUpPasskey();
  const { token, yes } = await beginPublish();
  const { passkeyOptions } = await openPage(token);
  const signed = authenticator.get({ challenge: passkeyOptions?.challenge ?? '' }, { origin });
  const reply = await post(`${token}/passkey`, signed);
  // The page gets no id of the proof, because only the window repeats the call.
  expect(JSON.parse(reply.body)).toEqual({ ok: true });
  const { proofId } = await window.call('proofs.result', { token });
  await window.call('approvals.approve', yes, proofId ?? '');
  expect(await world.happened('publish')).toBe(1);
});

test.each([
  ['the page of another localhost port', () => ({ origin: 'http://localhost:1' })],
  ['a frame of the window', () => ({ origin, topOrigin: windowOrigin })],
  ['a frame of another page', () => ({ origin, topOrigin: 'http://localhost:1' })],
  ['the window itself', () => ({ origin: windowOrigin })],
])('a signature made in %s gives no proof', async (_where, createPlace) => {
  await setUpPasskey();
  const { token, yes } = await beginPublish();
  const { passkeyOptions } = await openPage(token);
  const signed = authenticator.get({ challenge: passkeyOptions?.challenge ?? '' }, createPlace());
  expect(getRefusal(await post(`${token}/passkey`, signed)).code).toBe('PROOF_REFUSED');
  expect(await window.call('proofs.result', { token })).toEqual({ state: 'refused', proofId: null });
  await expect(window.call('approvals.approve', yes)).rejects.toMatchObject({ code: 'PROOF_NEEDED' });
  expect(await listRows('proof.refused')).toHaveLength(1);
});

test('a passkey that was created in a frame is not added', async () => {
  window.noteSignIn();
  const { token } = await window.call('proofs.register', { kind: 'passkey', label: 'Key' });
  const { passkeyOptions } = await openPage(token);
  const made = authenticator.create(
    { challenge: passkeyOptions?.challenge ?? '' },
    { origin, topOrigin: windowOrigin },
  );
  expect(getRefusal(await post(`${token}/new-passkey`, made)).code).toBe('PROOF_REFUSED');
  expect(window.presence.readState().isSetUp).toBe(false);
});

test('a wrong PIN can be corrected on the same page, in the language of the browser, until it must wait', async () => {
  await setUpPin();
  const german = { 'Accept-Language': 'xx,de-DE;q=0.9,en;q=0.8' };
  const token = await beginResume();
  const page = await client.ask(`/presence/${token}`, german);
  expect(page.body).toContain('<html lang="de">');
  expect(readPageData(page).view.heading).toBe('Genau das bestätigen');
  // The fifth one starts a wait, which the page shows at once.
  for (let wrong = 1; wrong <= 5; wrong += 1)
    expect(getRefusal(await post(`${token}/pin`, { pin: '111112' }, german))).toEqual({
      code: 'PIN_WRONG',
      sentence: 'Diese PIN ist falsch.',
      ...(wrong === 5 ? { retryAfterS: 60 } : {}),
    });
  expect(getRefusal(await post(`${token}/pin`, { pin: '246813' }))).toMatchObject({
    code: 'PIN_WAITS',
    retryAfterS: 60,
  });
});

test('hidden characters of a title and a label are visible on the page', async () => {
  window.noteSignIn();
  const { token } = await window.call('proofs.register', { kind: 'pin', label: 'a\u202eb' });
  expect((await openPage(token)).view.facts).toEqual([{ label: 'Name', value: 'a‹U+202E›b' }]);
});

test('the server ends with the companion', async () => {
  await server.stop();
  await expect(client.ask('/presence/x')).rejects.toThrow('ECONNREFUSED');
});
