import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { callBridge, pairAssistant } from '../../../helpers/assistant.ts';
import type { Paired } from '../../../helpers/bridge/scene.ts';
import { waitUntil } from '../../../helpers/testClock.ts';
import { startWorld, type World } from '../../../helpers/world.ts';
import { clients, type McpClient, type Opening } from './clients.ts';

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
let token: string;
let shown: number;
let client: McpClient | null;
let opening: Opening;

beforeEach(async () => {
  world = await startWorld();
  shown = 0;
  bridge = await world.bridge(() => void (shown += 1));
  ({ token } = await pairAssistant(world, bridge.url));
  opening = { answer: 'accept', asked: [], completed: 0 };
  client = null;
});
afterEach(async () => {
  await client?.close();
  await bridge.stop();
  await world.close();
});

const windowUrl = (): string => `${bridge.url}/companion/window`;
const listPrompts = () => world.companion().approvals.listPending();

describe.each(Object.entries(clients))('MCP with %s', (_name, { revision, connect }) => {
  test('a client is referred to the companion’s window while a prompt is pending', async () => {
    client = await connect(bridge.url, token, opening);
    const { listingId } = await world.reviewed('blue shoes');
    const asked = client.call('publish_listing', { listingId, waitS: 45 });
    await waitUntil(() => opening.asked.length > 0, 'the address');
    expect(opening.asked).toMatchObject([{ url: windowUrl() }]);
    expect(JSON.stringify(opening.asked)).not.toContain('shoes');

    const opened = await callBridge(bridge.url, 'GET', '/companion/window');
    expect([opened.status, shown]).toEqual([200, 1]);
    const [approval] = listPrompts();
    if (!approval) throw new Error('Opening the window has answered the prompt.');
    await world.approve(approval);
    expect((await asked).data).toMatchObject({ state: 'done' });
    expect(await world.happened('publish')).toBe(1);
    // The newer revision has no completion message: its client repeats the call instead.
    if (revision === '2025-11-25') await waitUntil(() => opening.completed === 1, 'the end of it');
    expect(opening.asked).toHaveLength(1);
  });

  test('an approval stays pending if the client refuses to open the companion’s window', async () => {
    opening.answer = 'decline';
    client = await connect(bridge.url, token, opening);
    const { listingId } = await world.reviewed();
    const first = await client.call('publish_listing', { listingId });
    expect(first.data).toMatchObject({ state: 'waiting_for_person' });
    await waitUntil(() => opening.asked.length > 0, 'the address');
    const again = await client.call('publish_listing', { listingId });
    expect(again.data).toMatchObject({ state: 'waiting_for_person', requestId: first.data['requestId'] });
    expect(opening.asked).toHaveLength(1);
    expect(listPrompts()).toHaveLength(1);
  });

  test('a client is referred to the companion’s window, never to a page of the service', async () => {
    client = await connect(bridge.url, token, opening);
    const answer = await client.call('call_service', { route: 'readMarketAuthUrl' });
    expect(answer.data).toMatchObject({ state: 'done', untrustedBody: { openedFor: 'person' } });
    await waitUntil(() => opening.asked.length > 0, 'the address');
    expect(opening.asked.map(({ url }) => url)).toEqual([windowUrl()]);
  });

  test('a client without support for opening URLs is not referred to the window', async () => {
    client = await connect(bridge.url, token);
    const { listingId } = await world.reviewed();
    expect((await client.call('publish_listing', { listingId })).data).toMatchObject({ state: 'waiting_for_person' });
  });
});

test('a client is not referred to the window if the companion runs without a window', async () => {
  await bridge.stop();
  bridge = await world.bridge();
  client = await clients['the version 2 client on 2026-07-28'].connect(bridge.url, token, opening);
  const { listingId } = await world.reviewed();
  expect((await client.call('publish_listing', { listingId })).data).toMatchObject({ state: 'waiting_for_person' });
  expect(opening.asked).toEqual([]);
});

/** Calls publish_listing with the state that a client returns after a referral to the window. */
const resumePublish = (assistant: Pick<Paired, 'call'>, args: Record<string, unknown>, requestState: string) => {
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'publish_listing' };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
  };
  return assistant.call('POST', '/mcp', {
    headers: { ...headers, accept: 'application/json, text/event-stream' },
    body: {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'publish_listing', arguments: args, requestState, _meta },
    },
  });
};
const sentBack = z.object({ result: z.looseObject({ requestState: z.string() }) });

test('a client cannot complete one call with the state of another call', async () => {
  const helper = await pairAssistant(world, bridge.url, 'Other Helper');
  const { listingId } = await world.reviewed('blue shoes');
  const { listingId: another } = await world.reviewed('desk lamp');
  const { requestState } = sentBack.parse((await resumePublish(helper, { listingId }, 'none')).body).result;
  const [approval] = listPrompts();
  if (!approval) throw new Error('No prompt is pending.');
  await world.approve(approval);
  const parseResult = (answer: unknown) => z.object({ result: z.looseObject({}) }).parse(answer).result;
  for (const state of [requestState, approval.approvalId])
    expect(
      JSON.stringify(parseResult((await resumePublish(helper, { listingId: another }, state)).body)),
    ).not.toContain('"done"');
  expect(parseResult((await resumePublish(helper, { listingId }, requestState)).body)).toMatchObject({
    structuredContent: { state: 'done' },
  });
  expect(await world.happened('publish')).toBe(1);
});

test('an assistant that sends another assistant’s approval id gets no data of the approval', async () => {
  client = await clients['the version 2 client on 2026-07-28'].connect(bridge.url, token);
  const { listingId } = await world.reviewed('their own lamp');
  const asked = await client.call('publish_listing', { listingId });
  const other = await pairAssistant(world, bridge.url, 'Other Helper');
  const answer = await resumePublish(other, { listingId: 'none' }, z.string().parse(asked.data['requestId']));
  expect(answer.body).toMatchObject({ result: { isError: true, structuredContent: { code: 'NOT_FOUND' } } });
  expect(JSON.stringify(answer.body)).not.toContain('lamp');
});

test('a program can open the window by its address, but a web page cannot', async () => {
  const { approvalId } = await world.asked();
  const before = JSON.stringify(listPrompts());
  const refused: [string, Record<string, string>, number][] = [
    ['GET', { origin: 'https://evil.example' }, 403],
    ['GET', { 'sec-fetch-site': 'cross-site' }, 403],
    ['GET', { 'sec-fetch-site': 'same-site' }, 403],
    ['GET', { host: 'evil.example' }, 421],
    ['POST', {}, 405],
    ['PUT', {}, 405],
    ['DELETE', {}, 405],
  ];
  for (const [method, headers, status] of refused)
    expect([method, headers, (await callBridge(bridge.url, method, '/companion/window', { headers })).status]).toEqual([
      method,
      headers,
      status,
    ]);
  expect(shown).toBe(0);
  const opened = await callBridge(bridge.url, 'GET', `/companion/window?approve=${approvalId}&place=/approvals`);
  expect([opened.status, shown]).toEqual([200, 1]);
  expect(opened.body['text']).toBe('Go on in the window of Listing Companion. You can close this page.\n');
  expect(JSON.stringify(listPrompts())).toBe(before);
});

test('the window is shown at most once every five seconds', async () => {
  for (let index = 0; index < 20; index += 1)
    expect((await callBridge(bridge.url, 'GET', '/companion/window')).status).toBe(200);
  expect(shown).toBe(1);
  world.clock.advance(5_000);
  await callBridge(bridge.url, 'GET', '/companion/window');
  expect(shown).toBe(2);
});
