import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { settled } from '../../helpers/testClock.ts';
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
  let said = '';
  proxy.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await settled(() => said.includes('Prism is listening'), 'the validating proxy');
}, 60_000);
afterAll(async () => {
  proxy.kill();
  await bridge.stop();
  await world.close();
});

const headers: Record<string, string> = {};
/** Sends a request through the proxy, which reports violations of the description in a response header. */
const call = async (method: string, path: string, body?: unknown, type = 'application/json') => {
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
const textAt = (body: Record<string, unknown>, name: string): string => z.string().parse(body[name]);

test('every request and response of a complete sale matches the bridge’s OpenAPI description', async () => {
  for (const path of ['/health', '/companion', '/companion/guide', '/companion/openapi.json', '/llms.txt'])
    expect((await call('GET', path)).status).toBe(200);
  const pairing = (await call('POST', '/companion/pairings', { name: 'Tidy Helper' })).body;
  world.companion().assistants.accept(textAt(pairing, 'pairingId'));
  headers['authorization'] = `Pairing ${textAt(pairing, 'pairingSecret')}`;
  const accepted = await call('GET', `/companion/pairings/${textAt(pairing, 'pairingId')}`);
  headers['authorization'] = `Bearer ${textAt(accepted.body, 'token')}`;

  const folder = await world.folder('blue shoes', 2);
  const { assistantId } = z.looseObject({ assistantId: z.string() }).parse((await call('GET', '/companion/me')).body);
  world.companion().assistants.change(assistantId, { folders: [folder] });
  for (const path of ['/agent/me', '/market/status', '/agent/plans', '/agent/routes', '/listings', '/channels'])
    expect((await call('GET', path)).status, path).toBe(200);

  const added = await call('POST', '/companion/items', { folder, note: 'Worn once' });
  const itemId = textAt(added.body, 'itemId');
  await world.item(itemId, 'review');
  const { item } = z
    .object({ item: z.looseObject({ listingId: z.string() }) })
    .parse((await call('GET', `/companion/items/${itemId}`)).body);
  const { listingId } = item;
  expect((await call('GET', `/listings/${listingId}`)).status).toBe(200);
  expect((await call('PUT', `/listings/${listingId}`, { title: 'Blue shoes', price: 2_500 })).status).toBe(200);
  expect((await call('POST', `/listings/${listingId}/channels/fees`, { action: 'quote' })).status).toBe(200);
  const asked = await call('POST', `/market/publish/${listingId}`, {});
  expect(asked.status).toBe(202);
  const { approval } = z.object({ approval: z.looseObject({ id: z.string() }) }).parse(asked.body);
  expect((await call('GET', '/companion/approvals')).status).toBe(200);
  await world.yes();
  const done = await call('GET', `/companion/approvals/${approval.id}`);
  expect(done.body).toMatchObject({ approval: { state: 'done', answer: { status: 200 } } });
  expect((await call('POST', `/market/revise/${listingId}`, { price: 2_400 })).status).toBe(202);

  const draft = await call('POST', '/listings', {});
  const photo = await readFile(join(folder, 'IMG_1.jpg'));
  const photos = `/companion/listings/${textAt(draft.body, 'listingId')}/photos`;
  expect((await call('POST', photos, { photos: [join(folder, 'IMG_2.jpg')] })).status).toBe(200);
  expect((await call('POST', photos, photo, 'image/jpeg')).status).toBe(200);
  const other = textAt((await call('POST', '/listings', {})).body, 'listingId');
  const requests = [textAt(draft.body, 'listingId'), other].map((id) => ({
    method: 'DELETE',
    path: `/listings/${id}`,
  }));
  expect((await call('POST', '/companion/approvals/batch', { requests })).status).toBe(202);
  expect((await call('GET', '/companion/items')).status).toBe(200);

  // The description includes refusals.
  expect((await call('GET', '/listings/none')).status).toBe(404);
  expect((await call('GET', '/companion/items/none')).status).toBe(404);
  expect((await call('POST', `/market/publish/${other}`, {})).status).toBe(409);
  expect(violations).toEqual([]);
}, 60_000);

test('the validating proxy detects a request that violates the description', async () => {
  violations.length = 0;
  await call('POST', '/companion/pairings', { name: 7 });
  expect(violations.join()).toContain('request');
});
