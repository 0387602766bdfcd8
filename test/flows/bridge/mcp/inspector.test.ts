import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { allowFolder } from '../../../helpers/allowFolder.ts';
import { pairedAssistant } from '../../../helpers/assistant.ts';
import { sampledBy, sampleOf } from '../../../helpers/sample.ts';
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
  ({ token } = await pairedAssistant(world, bridge.url, 'MCP Inspector'));
});
afterAll(async () => {
  await bridge.stop();
  await world.close();
  await rm(home, { recursive: true, force: true });
});

type Era = 'legacy' | 'modern';

/** Runs the inspector's command line against `/mcp`, on files of its own. Answers what it found, and its exit code. */
const inspect = (era: Era, ...args: string[]): Promise<{ code: number; found: unknown; stderr: string }> =>
  new Promise((resolve) => {
    const all = [
      ...[inspector, '--cli', `${bridge.url}/mcp`, '--transport', 'http', '--protocol-era', era],
      ...['--header', `Authorization: Bearer ${token}`, '--stored-auth-only', '--format', 'json', ...args],
    ];
    const env = { PATH: process.env['PATH'], HOME: home, USERPROFILE: home };
    execFile(process.execPath, all, { env, maxBuffer: 2 ** 24 }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : 0;
      resolve({ code, found: stdout.trim() === '' ? null : JSON.parse(stdout), stderr });
    });
  });

const call = (tool: string, args: Record<string, unknown>) =>
  inspect('modern', '--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(args));

const list = z.looseObject({ result: z.looseObject({ tools: z.array(z.unknown()) }) });

test.each(['legacy', 'modern'] as const)(
  'the inspector finds fifteen tools with schemas that every client can take, %s',
  async (era) => {
    const { code, found, stderr } = await inspect(era, '--method', 'tools/list', '--strict');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(list.parse(found).result.tools).toHaveLength(15);
  },
);

/** Each call is a process of the inspector's own. */
const sampledTools = 5;

test(`the inspector calls every tool (${sampledBy})`, async () => {
  const { listingId } = await world.reviewed('inspected');
  const folder = await world.folder('to inspect');
  allowFolder(world, 'MCP Inspector', folder);
  const calls: [string, Record<string, unknown>][] = [
    ['get_standing', {}],
    ['list_listings', {}],
    ['get_listing', { listingId }],
    ['create_listing_from_photos', { folder, waitS: 0 }],
    ['check_request', { requestId: 'none' }],
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
  ];
  // What cannot be done with a listing that never went live is refused in words.
  const refused = new Set(['check_request', 'change_live_listing', 'end_listing', 'relist']);
  expect(calls).toHaveLength(15);
  for (const [tool, args] of sampleOf('tools', calls, sampledTools)) {
    const { found, stderr } = await call(tool, args);
    expect({ tool, found, stderr }).toMatchObject({
      found: { result: { structuredContent: expect.any(Object) as unknown } },
    });
    expect({ tool, found }).toMatchObject(refused.has(tool) ? { found: { result: { isError: true } } } : {});
  }
}, 120_000);
