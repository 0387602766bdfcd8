import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioTransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { computeConnectionProof } from '../../../src/bridge/proof.ts';
import { hashWithSha256 } from '../../../src/core/assistants/pairings.ts';
import { createClientIdentity } from '../../../src/host/clientTokens.ts';
import { listAllItems } from '../../helpers/listAllItems.ts';
import { allowFolder } from '../../helpers/allowFolder.ts';
import { startListener, writeDiscovery } from '../../helpers/bridge/listener.ts';
import { commandLine } from '../../helpers/hosts/programs.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>> | null;

beforeEach(async () => {
  world = await startWorld();
  bridge = null;
});
afterEach(async () => {
  await bridge?.stop();
  await world.close();
});

const buildServer = (dataDir: string, more: string[] = []) => ({
  command: process.execPath,
  args: [commandLine, 'mcp', '--data', dataDir, '--keychain', 'memory', ...more],
  stderr: 'pipe' as const,
});
const answer = z.looseObject({
  isError: z.boolean().optional(),
  content: z.array(z.looseObject({ type: z.string() })),
  structuredContent: z.looseObject({ code: z.string().optional(), pairingCode: z.string().optional() }),
});
const toolNames = z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })) });

type Connected = {
  tools: () => Promise<string[]>;
  call: (name: string, args?: Record<string, unknown>) => Promise<z.infer<typeof answer>>;
  close: () => Promise<void>;
};
const me = { name: 'Desktop client', version: '1.0.0' };

type As = { name?: string; more?: string[] };
const connectV2 = async (
  dataDir: string,
  mode: 'legacy' | 'auto' | { pin: string },
  { name = me.name, more }: As = {},
): Promise<Connected> => {
  const client = new Client({ ...me, name }, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport(buildServer(dataDir, more)));
  return {
    tools: async () => toolNames.parse(await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}) => answer.parse(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
};
const connectV1 = async (dataDir: string): Promise<Connected> => {
  const client = new ClientV1(me);
  await client.connect(new StdioTransportV1(buildServer(dataDir)));
  return {
    tools: async () => toolNames.parse(await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}) => answer.parse(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
};
const clients: [string, (dataDir: string) => Promise<Connected>][] = [
  ['the version 1 client', connectV1],
  ['the version 2 client with automatic negotiation', (dataDir) => connectV2(dataDir, 'auto')],
  ['the version 2 client on 2026-07-28', (dataDir) => connectV2(dataDir, { pin: '2026-07-28' })],
];

const listPairings = () => world.companion().assistants.list().pairings;

describe.each(clients)('MCP over stdio with %s', (_name, connect) => {
  test('a client lists the tools before the companion runs and uses them after pairing', async () => {
    const client = await connect(world.dataDir);
    expect(await client.tools()).toContain('publish_listing');
    const early = await client.call('get_standing');
    expect(early).toMatchObject({ isError: true, structuredContent: { code: 'NOT_RUNNING' } });

    bridge = await world.bridge();
    const asked = await client.call('get_standing');
    expect(asked).toMatchObject({ isError: true, structuredContent: { code: 'NOT_PAIRED' } });
    const again = await client.call('list_listings');
    expect(listPairings().map(({ name, code }) => [name, code])).toEqual([
      ['Desktop client', asked.structuredContent.pairingCode],
    ]);
    expect(again.structuredContent.pairingCode).toBe(asked.structuredContent.pairingCode);

    world.companion().assistants.accept(listPairings()[0]?.pairingId ?? '');
    expect(await client.call('get_standing')).toMatchObject({
      structuredContent: { remaining: expect.any(Number) as unknown },
    });
    const { listingId } = await world.reviewed();
    expect(await client.call('publish_listing', { listingId })).toMatchObject({
      structuredContent: { state: 'waiting_for_person' },
    });
    const seen = await client.call('get_listing', { listingId });
    expect(seen.content.map(({ type }) => type)).toEqual(['text', 'text', 'image']);
    expect(await client.call('get_listing', { listingId: 'none' })).toMatchObject({
      isError: true,
      structuredContent: { code: 'NOT_FOUND' },
    });
    await client.close();
  });
});

test('a revoked client requests pairing again, but a refused client does not', async () => {
  bridge = await world.bridge();
  const revoked = await connectV2(world.dataDir, 'legacy');
  await revoked.call('get_standing');
  world.companion().assistants.accept(listPairings()[0]?.pairingId ?? '');
  expect((await revoked.call('get_standing')).isError).not.toBe(true);
  world.companion().assistants.revoke(world.companion().assistants.list().assistants[0]?.assistantId ?? '');
  expect((await revoked.call('get_standing')).structuredContent.code).toBe('NOT_PAIRED');

  world.companion().assistants.refuse(listPairings()[0]?.pairingId ?? '');
  expect((await revoked.call('get_standing')).structuredContent.code).toBe('PAIRING_REFUSED');
  expect((await revoked.call('get_standing')).structuredContent.code).toBe('PAIRING_REFUSED');
  expect(listPairings()).toEqual([]);
  await revoked.close();
});

test('a client without an identity gets a hint about the missing identity with each pairing code', async () => {
  bridge = await world.bridge();
  const readSentence = async (more: string[]): Promise<unknown> => {
    const client = await connectV2(world.dataDir, 'legacy', { more });
    const { structuredContent } = await client.call('get_standing');
    await client.close();
    return structuredContent['error'];
  };
  expect(await readSentence([])).toMatch(
    /accept when it shows the code \d{6}\. It has no identity in its configuration/,
  );
  expect(await readSentence(['--identity', createClientIdentity()])).toMatch(/accept when it shows the code \d{6}\.$/);
});

test('a client with a reserved or invisible name is shown as “An MCP client”', async () => {
  bridge = await world.bridge();
  for (const name of ['command line', 'Listing Companion', 'Tidy\u202eHelper', '\u3164']) {
    const client = await connectV2(world.dataDir, 'legacy', { name });
    expect((await client.call('get_standing')).structuredContent.code).toBe('NOT_PAIRED');
    expect(listPairings().at(-1)).toMatchObject({ name: 'An MCP client' });
    await client.close();
  }
  // Each of the four pairings warns that an assistant with the same name exists.
  expect(listPairings().map(({ nameLike }) => nameLike)).toEqual(
    Array(4).fill({ kind: 'assistant', name: 'An MCP client' }),
  );
});

describe.each([
  ['legacy', 'legacy' as const],
  ['2026-07-28', { pin: '2026-07-28' }],
])('MCP over stdio with the protocol %s', (_revision, mode) => {
  const startPairedClient = async (opened: string[]): Promise<Client> => {
    bridge = await world.bridge(() => undefined);
    const client = new Client(me, {
      capabilities: { elicitation: { url: {} } },
      versionNegotiation: { mode },
    });
    client.setRequestHandler('elicitation/create', ({ params }) => {
      opened.push(z.looseObject({ url: z.string() }).parse(params).url);
      return { action: 'accept' };
    });
    await client.connect(new StdioClientTransport(buildServer(world.dataDir)));
    await client.callTool({ name: 'get_standing', arguments: {} });
    world.companion().assistants.accept(listPairings()[0]?.pairingId ?? '');
    await client.callTool({ name: 'get_standing', arguments: {} });
    return client;
  };

  test('a client is referred to the window and gets the result after the approval', async () => {
    const opened: string[] = [];
    const client = await startPairedClient(opened);
    const { listingId } = await world.reviewed();
    const progressMessages: unknown[] = [];
    const asked = client.callTool(
      { name: 'publish_listing', arguments: { listingId, waitS: 45 } },
      { onprogress: ({ message }) => void progressMessages.push(message) },
    );
    await waitUntil(
      () => progressMessages.includes('The person is asked in Listing Companion'),
      'the progress message',
    );
    expect(opened).toEqual([`${bridge?.url}/companion/window`]);
    await world.yes();
    expect(await asked).toMatchObject({ structuredContent: { state: 'done' } });
    await client.close();
  });

  test('a client that repeats an aborted call gets the item of the first call', async () => {
    const client = await startPairedClient([]);
    const folder = await world.folder('desk lamp');
    allowFolder(world, me.name, folder);
    world.companion().pauseAll(true);
    const clientTimeout = new AbortController();
    const call = { name: 'create_listing_from_photos', arguments: { folder, waitS: 44 } };
    const first = client.callTool(call, { signal: clientTimeout.signal });
    first.catch(() => undefined);
    await waitUntil(() => world.clock.sleepsFor(44_000), 'the wait');
    clientTimeout.abort(new Error('No more time.'));
    await waitUntil(() => !world.clock.sleepsFor(44_000), 'the end of the wait');
    const again = client.callTool(call);
    await waitUntil(() => world.clock.sleepsFor(44_000), 'the repeated wait');
    world.clock.advance(44_000);
    const [item] = listAllItems(world.companion());
    expect(await again).toMatchObject({ structuredContent: { itemId: item?.itemId } });
    expect(listAllItems(world.companion())).toHaveLength(1);
    await client.close();
  });
});

test('a response cannot refer a client to any page except the companion’s window', async () => {
  const params = { mode: 'url', elicitationId: '1', url: 'https://elsewhere.example/', message: 'Come here.' };
  const elsewhere = { method: 'elicitation/create', params };
  const paired = { pairingId: 'pa_1', pairingSecret: 's', code: '123456', expiresAt: '', pollAfterMs: 1 };
  const answers: Record<string, object> = {
    'POST /companion/pairings': paired,
    'GET /companion/pairings/pa_1': { state: 'accepted', token: 'lct_1' },
    'POST /mcp': {
      result: { resultType: 'input_required', requestState: 'ap_1.x', inputRequests: { window: elsewhere } },
    },
  };
  const listening = startListener(async ({ method, path, body, caller }) => {
    if (path !== '/companion/proof') return { status: 200, body: answers[`${method} ${path}`] ?? {} };
    const { nonce, pairingId } = z
      .looseObject({ nonce: z.string(), pairingId: z.string().optional() })
      .parse(JSON.parse(body));
    const known = hashWithSha256(pairingId === undefined ? 'lct_1' : paired.pairingSecret);
    const bound = { nonce, caller, port: (await listening).port };
    return { status: 200, body: { proof: computeConnectionProof(known, 'companion', bound) } };
  });
  const { port } = await listening;
  const url = `http://127.0.0.1:${port}`;
  await writeDiscovery(world.dataDir, port);

  const opened: string[] = [];
  const client = new Client(me, {
    capabilities: { elicitation: { url: {} } },
    versionNegotiation: { mode: { pin: '2026-07-28' } },
  });
  client.setRequestHandler('elicitation/create', (request) => {
    opened.push(z.looseObject({ url: z.string() }).parse(request.params).url);
    return { action: 'cancel' };
  });
  await client.connect(new StdioClientTransport(buildServer(world.dataDir)));
  await client.callTool({ name: 'get_standing', arguments: {} }).catch(() => undefined);
  expect(new Set(opened)).toEqual(new Set([`${url}/companion/window`]));
  await client.close();
});

test('the mcp command writes only protocol messages to stdout', async () => {
  bridge = await world.bridge();
  const { command, args } = buildServer(world.dataDir);
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const stdout = text(child.stdout);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: me };
  const messages = [
    { id: 1, method: 'initialize', params: initialize },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: { name: 'get_standing', arguments: {} } },
    { id: 4, method: 'tools/call', params: { name: 'no_such_tool', arguments: {} } },
  ];
  for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  child.stdin.write('this is not JSON\n');
  await world.until(() => stderr.includes(listPairings()[0]?.code ?? 'no code'), 'the code on stderr');
  child.stdin.end();
  const [code] = (await once(child, 'close')) as [number];
  expect(code).toBe(0);
  const lines = (await stdout).trimEnd().split('\n');
  const ids = lines.map((line) => z.looseObject({ jsonrpc: z.literal('2.0'), id: z.int() }).parse(JSON.parse(line)).id);
  expect(ids).toEqual(expect.arrayContaining([1, 2]));
});
