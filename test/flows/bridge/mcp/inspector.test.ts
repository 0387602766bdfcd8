import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { tools } from '../../../../src/bridge/mcp/tools/index.ts';
import { allowFolder } from '../../../helpers/allowFolder.ts';
import { pairAssistant } from '../../../helpers/assistant.ts';
import { commandLine } from '../../../helpers/hosts/programs.ts';
import { sampledBy, drawSample } from '../../../helpers/sample.ts';
import { toolPath } from '../../../helpers/toolPath.ts';
import { startWorld, type World } from '../../../helpers/world.ts';

const inspector = toolPath('inspector');

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
let token: string;
let home: string;

beforeAll(async () => {
  world = await startWorld();
  bridge = await world.bridge();
  home = await mkdtemp(join(tmpdir(), 'inspector-'));
  await writeServerConfig();
  ({ token } = await pairAssistant(world, bridge.url, 'MCP Inspector'));
});
afterAll(async () => {
  await bridge.stop();
  await world.close();
  await rm(home, { recursive: true, force: true });
});

type Era = 'legacy' | 'modern';
type Found = { code: number; found: unknown; stderr: string };

/** How the inspector reaches the tools: over HTTP, or through a command line process that it starts. */
const targets = {
  http: () => [
    ...[`${bridge.url}/mcp`, '--transport', 'http'],
    ...['--header', `Authorization: Bearer ${token}`, '--stored-auth-only'],
  ],
  stdio: () => ['--config', join(home, 'servers.json'), '--server', 'companion'],
} satisfies Record<string, () => string[]>;
type Transport = keyof typeof targets;

const writeServerConfig = (): Promise<void> => {
  const args = [commandLine, 'mcp', '--data', world.dataDir, '--keychain', 'memory'];
  const mcpServers = { companion: { type: 'stdio', command: process.execPath, args } };
  return writeFile(join(home, 'servers.json'), JSON.stringify({ mcpServers }));
};

/** Matches the inspector's messages about its secret store, which is not used over stdio. */
const ofItsSecrets = /^\[mcp-inspector\] .*secret.*\n/gim;

/** Runs the inspector's command line in a separate home folder. Returns its result and its exit code. */
const runInspector = (transport: Transport, era: Era, ...args: string[]): Promise<Found> =>
  new Promise((resolve) => {
    const all = [
      ...[inspector, '--cli', ...targets[transport](), '--protocol-era', era],
      ...['--format', 'json', ...args],
    ];
    // The inspector must not use the keychain of this machine.
    const own = { HOME: home, USERPROFILE: home, MCP_INSPECTOR_SECRET_STORE: 'memory' };
    const env = { PATH: process.env['PATH'], ...own };
    execFile(process.execPath, all, { env, maxBuffer: 2 ** 24 }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : 0;
      resolve({
        code,
        found: stdout.trim() === '' ? null : JSON.parse(stdout),
        stderr: stderr.replace(ofItsSecrets, ''),
      });
    });
  });

const callTool = (tool: string, args: Record<string, unknown>) =>
  runInspector(
    'http',
    'modern',
    '--method',
    'tools/call',
    '--tool-name',
    tool,
    '--tool-args-json',
    JSON.stringify(args),
  );

const list = z.looseObject({ result: z.looseObject({ tools: z.array(z.unknown()) }) });

const ways = [
  ['http', 'legacy'],
  ['http', 'modern'],
  ['stdio', 'legacy'],
  ['stdio', 'modern'],
] as const;

test.each(ways)('the MCP inspector accepts all tools over %s with the %s protocol', async (transport, era) => {
  const { code, found, stderr } = await runInspector(transport, era, '--method', 'tools/list', '--strict');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(list.parse(found).result.tools).toHaveLength(tools.length);
});

test.each(['legacy', 'modern'] as const)(
  'a tool call over stdio with the %s protocol creates a pairing request',
  async (era) => {
    const { found, stderr } = await runInspector('stdio', era, '--method', 'tools/call', '--tool-name', 'get_standing');
    const [pairing] = world.companion().assistants.list().pairings.slice(-1);
    expect({ found, stderr }).toMatchObject({
      found: { result: { isError: true, structuredContent: { code: 'NOT_PAIRED', pairingCode: pairing?.code } } },
    });
  },
);

/** Only a sample is called, because each call starts a process. */
const sampledTools = 3;

test(`the MCP inspector can call every tool (${sampledBy})`, async () => {
  const { listingId } = await world.reviewed('inspected');
  const folder = await world.folder('to inspect');
  allowFolder(world, 'MCP Inspector', folder);
  const calls: [string, Record<string, unknown>][] = [
    ['get_standing', {}],
    ['list_listings', {}],
    ['get_listing', { listingId }],
    ['create_listing_from_photos', { folder, waitS: 0 }],
    ['check_request', { requestId: 'none' }],
    ['withdraw_request', { requestId: 'none' }],
    ['edit_listing', { listingId, priceCents: 5_000 }],
    ['quote_fees', { listingId }],
    ['publish_listing', { listingId }],
    ['change_live_listing', { listingId, priceCents: 5_100 }],
    ['end_listing', { listingId }],
    ['relist', { listingId }],
    ['find_category', { query: 'shoes' }],
    ['find_comparable_prices', { query: 'shoes' }],
    ['list_service_routes', {}],
    ['call_service', { route: 'readCredits' }],
    ['view_photos', { listingId }],
    ['read_sales', {}],
    ['read_notifications', {}],
  ];
  // These calls are refused, because the listing never went live or the request is unknown.
  const refused = new Set(['check_request', 'withdraw_request', 'change_live_listing', 'end_listing', 'relist']);
  expect(calls.map(([name]) => name).sort()).toEqual(tools.map(({ name }) => name).sort());
  for (const [tool, args] of drawSample('tools', calls, sampledTools)) {
    const { found, stderr } = await callTool(tool, args);
    // The tool for images has no structured content, because some clients drop images beside it.
    const content = tool === 'view_photos' ? 'content' : 'structuredContent';
    expect({ tool, found, stderr }).toMatchObject({ found: { result: { [content]: expect.any(Object) as unknown } } });
    expect({ tool, found }).toMatchObject(refused.has(tool) ? { found: { result: { isError: true } } } : {});
  }
}, 120_000);
