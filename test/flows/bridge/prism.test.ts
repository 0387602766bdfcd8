import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { waitUntil } from '../../helpers/testClock.ts';
import { toolPath } from '../../helpers/toolPath.ts';
import { startWorld, type World } from '../../helpers/world.ts';

const prism = toolPath('prism');

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
let proxy: ChildProcess;
let url: string;
const violations: string[] = [];

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
};

beforeAll(async () => {
  world = await startWorld();
  bridge = await world.bridge();
  const file = join(world.dataDir, 'openapi.json');
  await writeFile(file, await (await fetch(`${bridge.url}/companion/openapi.json`)).text());
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const args = [prism, 'proxy', file, bridge.url, '--port', String(port), '--cors', 'false'];
  proxy = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  proxy.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await waitUntil(() => output.includes('Prism is listening'), 'the validating proxy');
}, 60_000);
afterAll(async () => {
  proxy.kill();
  await bridge.stop();
  await world.close();
});

const headers: Record<string, string> = {};
/** Sends a request through the proxy, which reports violations of the description in a response header. */
const callThroughProxy = async (method: string, path: string, body?: unknown, type = 'application/json') => {
  const bytes = Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body);
  const answer = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body: bytes }),
  });
  const found = answer.headers.get('sl-violations');
  if (found !== null) violations.push(`${method} ${path}: ${found}`);
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  return { status: answer.status, body: z.looseObject({}).parse(isJson ? JSON.parse(text) : {}) };
};
const readText = (body: Record<string, unknown>, name: string): string => z.string().parse(body[name]);

test('every request and response of a complete sale matches the bridge’s OpenAPI description', async () => {
  for (const path of ['/health', '/companion', '/companion/guide', '/companion/openapi.json', '/llms.txt'])
    expect((await callThroughProxy('GET', path)).status).toBe(200);
  const pairing = (await callThroughProxy('POST', '/companion/pairings', { name: 'Tidy Helper' })).body;
  world.companion().assistants.accept(readText(pairing, 'pairingId'));
  headers['authorization'] = `Pairing ${readText(pairing, 'pairingSecret')}`;
  const accepted = await callThroughProxy('GET', `/companion/pairings/${readText(pairing, 'pairingId')}`);
  headers['authorization'] = `Bearer ${readText(accepted.body, 'token')}`;

  const folder = await world.folder('blue shoes', 2);
  const { assistantId } = z
    .looseObject({ assistantId: z.string() })
    .parse((await callThroughProxy('GET', '/companion/me')).body);
  world.companion().assistants.change(assistantId, { folders: [folder] });
  for (const path of ['/agent/me', '/market/status', '/agent/plans', '/agent/routes', '/listings', '/channels'])
    expect((await callThroughProxy('GET', path)).status, path).toBe(200);

  const added = await callThroughProxy('POST', '/companion/items', { folder, note: 'Worn once' });
  const itemId = readText(added.body, 'itemId');
  await world.item(itemId, 'review');
  const { item } = z
    .object({ item: z.looseObject({ listingId: z.string() }) })
    .parse((await callThroughProxy('GET', `/companion/items/${itemId}`)).body);
  const { listingId } = item;
  expect((await callThroughProxy('GET', `/listings/${listingId}`)).status).toBe(200);
  expect((await callThroughProxy('PUT', `/listings/${listingId}`, { title: 'Blue shoes', price: 2_500 })).status).toBe(
    200,
  );
  expect((await callThroughProxy('POST', `/listings/${listingId}/channels/fees`, { action: 'quote' })).status).toBe(
    200,
  );
  const asked = await callThroughProxy('POST', `/market/publish/${listingId}`, {});
  expect(asked.status).toBe(202);
  const { approval } = z.object({ approval: z.looseObject({ id: z.string() }) }).parse(asked.body);
  expect((await callThroughProxy('GET', '/companion/approvals')).status).toBe(200);
  await world.yes();
  const done = await callThroughProxy('GET', `/companion/approvals/${approval.id}`);
  expect(done.body).toMatchObject({ approval: { state: 'done', answer: { status: 200 } } });
  expect((await callThroughProxy('POST', `/market/revise/${listingId}`, { price: 2_400 })).status).toBe(202);

  const draft = await callThroughProxy('POST', '/listings', {});
  const photo = await readFile(join(folder, 'IMG_1.jpg'));
  const photos = `/companion/listings/${readText(draft.body, 'listingId')}/photos`;
  expect((await callThroughProxy('POST', photos, { photos: [join(folder, 'IMG_2.jpg')] })).status).toBe(200);
  expect((await callThroughProxy('POST', photos, photo, 'image/jpeg')).status).toBe(200);
  const other = readText((await callThroughProxy('POST', '/listings', {})).body, 'listingId');
  const requests = [readText(draft.body, 'listingId'), other].map((id) => ({
    method: 'DELETE',
    path: `/listings/${id}`,
  }));
  expect((await callThroughProxy('POST', '/companion/approvals/batch', { requests })).status).toBe(202);
  expect((await callThroughProxy('GET', '/companion/items')).status).toBe(200);

  // The description includes refusals.
  expect((await callThroughProxy('GET', '/listings/none')).status).toBe(404);
  expect((await callThroughProxy('GET', '/companion/items/none')).status).toBe(404);
  expect((await callThroughProxy('POST', `/market/publish/${other}`, {})).status).toBe(409);
  expect(violations).toEqual([]);
}, 60_000);

test('the validating proxy detects a request that violates the OpenAPI description', async () => {
  violations.length = 0;
  await callThroughProxy('POST', '/companion/pairings', { name: 7 });
  expect(violations.join()).toContain('request');
});
