import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpTransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { pairAssistant } from '../../../helpers/assistant.ts';
import { startWorld, type World } from '../../../helpers/world.ts';

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
let token: string;
beforeAll(async () => {
  world = await startWorld();
  bridge = await world.bridge();
  ({ token } = await pairAssistant(world, bridge.url));
});
afterAll(async () => {
  await bridge.stop();
  await world.close();
});

const me = { name: 'test', version: '1.0.0' };
const cardType = 'text/html;profile=mcp-app';
const buildCardCapability = (mimeTypes: string[]) => ({ extensions: { 'io.modelcontextprotocol/ui': { mimeTypes } } });
const getMcpUrl = () => new URL('/mcp', bridge.url);
const buildAuthorization = () => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });

type Connected = Pick<Client, 'listTools' | 'listResources' | 'readResource' | 'callTool' | 'close'>;
type Connect = (capabilities: object) => Promise<Connected>;
const connectV2 = async (mode: 'legacy' | { pin: string }, capabilities: object): Promise<Connected> => {
  const client = new Client(me, { versionNegotiation: { mode }, capabilities });
  await client.connect(new StreamableHTTPClientTransport(getMcpUrl(), buildAuthorization()));
  return client;
};
const connectV1 = async (capabilities: object): Promise<Connected> => {
  const client = new ClientV1(me, { capabilities });
  await client.connect(new HttpTransportV1(getMcpUrl(), buildAuthorization()));
  return client as unknown as Connected;
};
const clients: [string, Connect][] = [
  ['the version 1 client', connectV1],
  ['the version 2 client on 2025-11-25', (capabilities) => connectV2('legacy', capabilities)],
  ['the version 2 client on 2026-07-28', (capabilities) => connectV2({ pin: '2026-07-28' }, capabilities)],
];

const tools = z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })) });
const pages = z.looseObject({ contents: z.tuple([z.looseObject({ mimeType: z.string(), text: z.string() })]) });
const readPage = async (client: Connected, uri: string) => pages.parse(await client.readResource({ uri })).contents[0];

describe.each(clients)('MCP resources with %s', (_name, connect) => {
  test('a client reads the same guide over MCP as over HTTP', async () => {
    const client = await connect({});
    const { resources } = await client.listResources();
    expect(resources).toMatchObject([{ uri: 'companion://guide', mimeType: 'text/markdown' }]);
    const guide = await readPage(client, 'companion://guide');
    expect(guide.text).toBe(await (await fetch(`${bridge.url}/companion/guide`)).text());
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow();
    await client.close();
  });

  test('only check_request offers a card to a client that can show cards', async () => {
    const client = await connect(buildCardCapability([cardType]));
    const listed = tools.parse(await client.listTools());
    const withCard = listed.tools.filter((tool) => '_meta' in tool);
    expect(withCard).toMatchObject([
      {
        name: 'check_request',
        _meta: { ui: { resourceUri: 'ui://listing-companion/receipt', visibility: ['model'] } },
      },
    ]);
    expect(Buffer.byteLength(JSON.stringify({ tools: listed.tools }))).toBeLessThanOrEqual(16_000);
    const card = await readPage(client, 'ui://listing-companion/receipt');
    const nothing = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] };
    expect(card).toMatchObject({ mimeType: cardType, _meta: { ui: { csp: nothing } } });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['companion://guide', 'ui://listing-companion/receipt']);
    await client.close();
  });

  test('a client that can show cards gets the card’s texts in the person’s language', async () => {
    world.companion().changeSettings({ language: 'de' });
    const client = await connect(buildCardCapability([cardType]));
    const wording = { language: 'de', title: 'Beleg', names: { outcome: 'Ergebnis' } };
    for (const args of [{ itemId: 'none' }, { requestId: 'none' }])
      expect(await client.callTool({ name: 'check_request', arguments: args })).toMatchObject({
        isError: true,
        _meta: { 'listing-companion/receipt': wording },
      });
    const other = await client.callTool({ name: 'get_standing', arguments: {} });
    expect(other._meta ?? {}).not.toHaveProperty('listing-companion/receipt');
    const without = await connect({});
    const plain = await without.callTool({ name: 'check_request', arguments: {} });
    expect(plain._meta ?? {}).not.toHaveProperty('listing-companion/receipt');
    world.companion().changeSettings({ language: 'system' });
    await Promise.all([client.close(), without.close()]);
  });

  test.each([
    ['without support for cards', {}],
    ['with support for another type of card', buildCardCapability(['text/uri-list'])],
  ])('a client %s gets the tools without the card', async (_what, capabilities) => {
    const client = await connect(capabilities);
    expect(tools.parse(await client.listTools()).tools.filter((tool) => '_meta' in tool)).toEqual([]);
    await expect(client.readResource({ uri: 'ui://listing-companion/receipt' })).rejects.toThrow();
    expect((await client.listResources()).resources).toHaveLength(1);
    await client.close();
  });
});

test('the card loads no other resources and contains no links or buttons', async () => {
  const client = await connectV2({ pin: '2026-07-28' }, buildCardCapability([cardType]));
  const { text } = await readPage(client, 'ui://listing-companion/receipt');
  expect(text).toMatch(/^<!doctype html>/);
  expect(text).toContain("default-src 'none'");
  expect(text).not.toMatch(/<(button|a|form|input|img|iframe|link|object)\b|https?:|\bsrc=|innerHTML|eval|fetch\(/i);
  expect(text).not.toMatch(/tools\/call|ui\/open-link|ui\/message/);
  await client.close();
});

test('the card is in the person’s language, while the tool results stay in English', async () => {
  const client = await connectV2({ pin: '2026-07-28' }, buildCardCapability([cardType]));
  const uri = 'ui://listing-companion/receipt';
  const english = (await readPage(client, uri)).text;
  expect(english).toContain('<html lang="en">');
  world.companion().changeSettings({ language: 'de' });
  const german = (await readPage(client, uri)).text;
  expect(german).toContain('<html lang="de">');
  for (const text of ['Wartet auf Ihr Ja oder Nein in Listing Companion', 'Ergebnis', '<title>Beleg</title>'])
    expect(german).toContain(text);
  for (const text of ['Waiting for your yes', '"Outcome"', 'Receipt']) expect(german).not.toContain(text);
  const answer = await client.callTool({ name: 'check_request', arguments: {} });
  expect(JSON.stringify(answer)).toContain('None of your requests is open');
  world.companion().changeSettings({ language: 'system' });
  await client.close();
});
