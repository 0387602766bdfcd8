import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { pairAssistant } from '../../helpers/assistant.ts';
import { drawnPhoto } from '../../helpers/practice.ts';
import { startWorld, type World } from '../../helpers/world.ts';

const run = promisify(execFile);
const runCurl = (...args: string[]): Promise<string> => run('curl', ['-sS', ...args]).then(({ stdout }) => stdout);
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
);

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
beforeEach(async () => {
  world = await startWorld();
  bridge = await world.bridge();
});
afterEach(async () => {
  await bridge.stop();
  await world.close();
});

/** Returns every text between backticks in the guide. */
const listCodes = (guide: string): string[] => [...guide.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** The values that the assistant has learned so far, by their placeholders in the guide. */
type Known = Record<string, string>;
const fillPlaceholders = (text: string, known: Known): string =>
  Object.entries(known)
    .sort(([a], [b]) => b.length - a.length)
    .reduce((now, [word, value]) => now.replaceAll(word, value), text);

test.skipIf(!hasCurl)(
  'an assistant can publish a folder of photos with curl by following the guide',
  async () => {
    const guide = await runCurl(`${bridge.url}/companion/guide`);
    const codes = listCodes(guide);
    const known: Known = {};
    const commandWith = (part: string): string[] => {
      const line = codes.find((code) => code.startsWith('curl ') && code.includes(part)) ?? '';
      return [...fillPlaceholders(line, known).matchAll(/'([^']*)'|(\S+)/g)]
        .map(([, quoted, bare]) => quoted ?? bare ?? '')
        .slice(1);
    };
    /** Sends the first request of the guide with this beginning, together with the body that follows it in the guide. */
    const followGuide = async (beginning: string, status: number): Promise<Record<string, unknown>> => {
      const at = codes.findIndex((code) => code.startsWith(beginning));
      expect(at, `the guide contains “${beginning}”`).not.toBe(-1);
      const [method = '', path = ''] = fillPlaceholders(codes[at] ?? '', known).split(' ');
      const next = codes[at + 1] ?? '';
      const body =
        method !== 'GET' && next.startsWith('{')
          ? ['-H', 'Content-Type: application/json', '-d', fillPlaceholders(next, known)]
          : [];
      const answer = await runCurl(
        '-X',
        method,
        ...['-H', `Authorization: Bearer ${known['TOKEN']}`],
        ...body,
        '-w',
        '\n%{http_code}',
        bridge.url + path,
      );
      const end = answer.lastIndexOf('\n');
      expect(Number(answer.slice(end)), `${method} ${path}: ${answer}`).toBe(status);
      return z.looseObject({}).parse(JSON.parse(answer.slice(0, end)));
    };

    const pairing = z
      .object({ pairingId: z.string(), pairingSecret: z.string(), code: z.string() })
      .parse(JSON.parse(await runCurl(...commandWith('/companion/pairings -H'))));
    const [asks] = world.companion().assistants.list().pairings;
    expect([asks?.name, asks?.code]).toEqual(['YOUR NAME', pairing.code]);
    Object.assign(known, { PAIRING_ID: pairing.pairingId, PAIRING_SECRET: pairing.pairingSecret });
    world.companion().assistants.accept(pairing.pairingId);
    const state = z
      .object({ state: z.literal('accepted'), token: z.string() })
      .parse(JSON.parse(await runCurl(...commandWith('/companion/pairings/PAIRING_ID'))));
    known['TOKEN'] = state.token;

    const folder = await world.folder('blue shoes', 2);
    known['/the/whole/path'] = folder;
    known['what the person said of it'] = 'Worn once';
    const me = await followGuide('GET /companion/me', 200);
    world.companion().assistants.change(String(me['assistantId']), { folders: [folder] });
    await followGuide('GET /agent/me', 200);
    await followGuide('GET /market/status', 200);
    known['ITEM_ID'] = String((await followGuide('POST /companion/items', 202))['itemId']);
    await world.item(known['ITEM_ID'], 'review');
    const { item } = z
      .object({ item: z.looseObject({ step: z.literal('review'), listingId: z.string() }) })
      .parse(await followGuide('GET /companion/items/ITEM_ID', 200));
    known['LISTING_ID'] = item.listingId;
    expect(await followGuide('GET /listings/LISTING_ID', 200)).toMatchObject({
      status: 'pending_review',
      additionalContext: 'Worn once',
    });
    const { quote } = z
      .looseObject({ quote: z.looseObject({ totalMinor: z.int(), currency: z.string() }) })
      .parse(await followGuide('POST /listings/LISTING_ID/channels/fees', 200));
    expect(quote.currency).toBe('USD');
    const asked = z
      .object({ approval: z.looseObject({ id: z.string() }) })
      .parse(await followGuide('POST /market/publish/LISTING_ID', 202));
    known['APPROVAL_ID'] = asked.approval.id;
    expect(await world.happened('publish')).toBe(0);
    await world.yes();
    const { approval } = z
      .object({
        approval: z.looseObject({
          state: z.literal('done'),
          answer: z.looseObject({ body: z.looseObject({ marketListingUrl: z.url() }) }),
        }),
      })
      .parse(await followGuide('GET /companion/approvals/APPROVAL_ID', 200));
    expect((await world.listing(item.listingId)).marketListingUrl).toBe(approval.answer.body.marketListingUrl);
    expect(await world.happened('publish')).toBe(1);
  },
  60_000,
);

test('the service’s guide is served as Markdown by default and as JSON on request', async () => {
  const { token } = await pairAssistant(world, bridge.url);
  const readGuide = (accept?: string) =>
    fetch(`${bridge.url}/agent/guide`, {
      headers: { authorization: `Bearer ${token}`, ...(accept === undefined ? {} : { accept }) },
    });
  for (const accept of [undefined, '*/*', 'text/markdown', 'text/html']) {
    const answer = await readGuide(accept);
    expect([accept, answer.status, answer.headers.get('content-type')]).toEqual([
      accept,
      200,
      'text/markdown; charset=utf-8',
    ]);
    expect(await answer.text()).toMatch(/^# .+\n/);
  }
  const asJson = await readGuide('application/json');
  expect(asJson.headers.get('content-type')).toContain('application/json');
  expect(await asJson.json()).toMatchObject({ goldenPath: expect.any(Array) as unknown });
  expect(await (await readGuide()).text()).toMatch(/^# /);
});

test('an assistant can publish a photo by following only the guide of the service', async () => {
  const { token } = await pairAssistant(world, bridge.url);
  const authorization = `Bearer ${token}`;
  const guide = await (await fetch(`${bridge.url}/agent/guide`, { headers: { authorization } })).text();
  const codes = listCodes(guide);
  const known: Known = {};
  /** Sends the first request of the guide with this beginning, together with the body that follows it in the guide. */
  const followGuide = async (beginning: string, status: number, more = {}): Promise<unknown> => {
    const at = codes.findIndex((code) => code.startsWith(beginning));
    expect(at, `the guide contains “${beginning}”`).not.toBe(-1);
    const [method = '', path = ''] = fillPlaceholders(codes[at] ?? '', known).split(' ');
    const body = codes[at + 1] ?? '';
    const answer = await fetch(bridge.url + path, {
      method,
      headers: { authorization, 'content-type': 'application/json', ...more },
      ...(method !== 'GET' && body.startsWith('{') ? { body: fillPlaceholders(body, known) } : {}),
    });
    const answered: unknown = await answer.json();
    expect([answer.status, answered]).toEqual([status, answered]);
    return answered;
  };

  await followGuide('GET /agent/me', 200);
  await followGuide('GET /market/status', 200);
  const draft = z.looseObject({ listingId: z.string() });
  const key = { 'Idempotency-Key': 'one-item' };
  known['{listingId}'] = draft.parse(await followGuide('POST /listings', 201, key)).listingId;
  const slots = z.array(z.looseObject({ uploadUrl: z.url() }));
  const [slot] = slots.parse(await followGuide('POST /listings/upload-url', 200));
  const photo = new Uint8Array(await drawnPhoto(1));
  const put = await fetch(slot?.uploadUrl ?? '', {
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg' },
    body: photo,
  });
  expect(put.status).toBe(200);
  await followGuide('POST /listings/{listingId}/generate', 200);
  const ready = z.looseObject({ status: z.literal('pending_review') });
  await world.until(async () => {
    const now = await followGuide('GET /listings/{listingId}', 200);
    return ready.safeParse(now).success ? now : null;
  }, 'the written listing');
  await followGuide('POST /listings/{listingId}/channels/fees', 200);
  const asked = z
    .looseObject({ approval: z.looseObject({ id: z.string() }) })
    .parse(await followGuide('POST /market/publish/{listingId}', 202));
  await world.yes();
  const path = `/companion/approvals/${asked.approval.id}`;
  const done = (await (await fetch(bridge.url + path, { headers: { authorization } })).json()) as unknown;
  expect(done).toMatchObject({
    approval: { state: 'done', answer: { body: { marketListingUrl: expect.any(String) as unknown } } },
  });
  expect(await world.happened('publish')).toBe(1);
});

test('every path in the guide is part of the bridge’s OpenAPI description', async () => {
  const text = await (await fetch(`${bridge.url}/companion/guide`)).text();
  const { paths } = z
    .looseObject({ paths: z.record(z.string(), z.unknown()) })
    .parse(await (await fetch(`${bridge.url}/companion/openapi.json`)).json());
  const shapes = Object.keys(paths).map((path) => path.replace(/\{[^}]+\}/g, '*'));
  const named = listCodes(text).flatMap((code) => /^(?:GET|POST|PUT|PATCH|DELETE) (\/[^?\s]*)/.exec(code)?.[1] ?? []);
  expect(named.length).toBeGreaterThan(10);
  expect(named.map((path) => path.replace(/[A-Z_]{2,}/g, '*')).filter((path) => !shapes.includes(path))).toEqual([]);
});
