import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allowFolder } from '../../../helpers/allowFolder.ts';
import { pairAssistant } from '../../../helpers/assistant.ts';
import { startWorld, type World } from '../../../helpers/world.ts';
import { clients, type Answer, type McpClient } from './clients.ts';

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;

beforeAll(async () => {
  world = await startWorld();
  bridge = await world.bridge();
});
afterAll(async () => {
  await bridge.stop();
  await world.close();
});

// These types replace `any`, the type of a matcher.
const someText: unknown = expect.any(String);
const someNumber: unknown = expect.any(Number);
const waiting = { state: 'waiting_for_person', requestId: someText, nextStep: someText };

describe.each(Object.entries(clients))('the tools with %s', (_client, { revision, connect }) => {
  let client: McpClient;
  let listingId: string;
  let name: string;
  beforeAll(async () => {
    name = `Helper ${Math.random()}`;
    const { token } = await pairAssistant(world, bridge.url, name);
    client = await connect(bridge.url, token);
    ({ listingId } = await world.reviewed(`thing ${Math.random()}`));
  });
  afterAll(() => client.close());

  test('a client gets the expected protocol revision and short instructions', () => {
    expect(client.revision).toBe(revision);
    expect(client.instructions).toContain('create_listing_from_photos');
    expect(client.instructions.length).toBeLessThan(1_600);
  });

  test('the tool list contains every tool and marks reading and destructive tools', async () => {
    const tools = await client.tools();
    expect(tools.map(({ name }) => name)).toEqual([
      'get_standing',
      'list_listings',
      'get_listing',
      'view_photos',
      'create_listing_from_photos',
      'check_request',
      'withdraw_request',
      'edit_listing',
      'quote_fees',
      'publish_listing',
      'change_live_listing',
      'end_listing',
      'relist',
      'find_category',
      'find_comparable_prices',
      'read_sales',
      'read_notifications',
      'list_service_routes',
      'call_service',
    ]);
    const reads = tools.filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name);
    expect(reads).toEqual([
      'get_standing',
      'list_listings',
      'get_listing',
      'view_photos',
      'check_request',
      'quote_fees',
      'find_category',
      'find_comparable_prices',
      'read_sales',
      'read_notifications',
      'list_service_routes',
    ]);
    const destructive = tools.filter(({ annotations }) => annotations.destructiveHint).map(({ name }) => name);
    expect(destructive).toEqual([
      'edit_listing',
      'publish_listing',
      'change_live_listing',
      'end_listing',
      'call_service',
    ]);
  });

  // Every conversation of a model starts with this list.
  test('the tool list takes at most 16 kB', async () => {
    const tools = await client.tools();
    const countBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
    process.stdout.write(`tools/list, ${revision}: ${countBytes({ tools })} bytes\n`);
    expect(countBytes({ tools })).toBeLessThanOrEqual(16_000);
    for (const { name, description, inputSchema, outputSchema } of tools) {
      expect({ name, description }).toMatchObject({
        description: expect.stringMatching(/\b(not|never)\b/i) as unknown,
      });
      const words = JSON.stringify([inputSchema, outputSchema]);
      expect({ name, words }).toMatchObject({ words: expect.not.stringContaining('$schema') as unknown });
    }
  });

  // The clients validate every result against the output schema and throw if it does not match.
  test('the result of every tool matches its output schema', async () => {
    await client.tools();
    const folder = await world.folder(`box ${Math.random()}`);
    allowFolder(world, name, folder);
    const calls: [string, Record<string, unknown>, Record<string, unknown>][] = [
      ['get_standing', {}, { remaining: someNumber, market: expect.objectContaining({ connected: true }) }],
      [
        'list_listings',
        { status: 'pending_review' },
        { listings: expect.arrayContaining([expect.objectContaining({ listingId })]) },
      ],
      ['get_listing', { listingId }, { listingId, status: 'pending_review', untrustedTitle: someText }],
      ['edit_listing', { listingId, priceCents: 4_200 }, { state: 'done', changed: ['priceCents'] }],
      ['quote_fees', { listingId }, { state: 'fee', currency: 'USD', totalCents: someNumber }],
      ['find_category', { query: 'camera' }, { categories: expect.arrayContaining([expect.anything()]) }],
      ['find_comparable_prices', { query: 'camera' }, { comparables: expect.arrayContaining([expect.anything()]) }],
      [
        'list_service_routes',
        { query: 'template' },
        { routes: expect.arrayContaining([expect.objectContaining({ route: 'validateTemplate' })]) },
      ],
      ['read_sales', {}, { totals: [] }],
      ['read_notifications', {}, { notifications: expect.any(Array) as unknown }],
      ['call_service', { route: 'readCredits' }, { state: 'done', status: 200 }],
      ['call_service', { route: 'deleteListing', params: { listingId } }, waiting],
      ['publish_listing', { listingId, reason: 'It is ready.' }, waiting],
      ['create_listing_from_photos', { folder, waitS: 0 }, { itemId: someText, step: 'photos' }],
    ];
    for (const [tool, args, expected] of calls) {
      const answer = await client.call(tool, args);
      expect({ tool, ...answer }).toMatchObject({ tool, isError: false, data: expected });
      expect(answer.text).toMatch(/^.{5,}\.$/s);
    }
  });

  test('a client can publish, change, end and relist a listing with the person’s approvals', async () => {
    const { listingId: id } = await world.reviewed(`going live ${Math.random()}`);
    const live = await approveAndCheck(client, await client.call('publish_listing', { listingId: id }));
    expect(live.data).toMatchObject({ state: 'done', liveUrl: expect.stringMatching(/^https?:/) as unknown });
    const changed = await approveAndCheck(
      client,
      await client.call('change_live_listing', { listingId: id, priceCents: 3_900 }),
    );
    expect(changed.data).toMatchObject({ state: 'done' });
    const ended = await approveAndCheck(client, await client.call('end_listing', { listingId: id }));
    expect(ended.data).toMatchObject({ state: 'done' });
    expect((await client.call('relist', { listingId: id })).data).toMatchObject({ state: 'done' });
    expect((await world.listing(id)).status).toBe('pending_review');
  });

  test('a refused tool call returns its code, the reason and the next step', async () => {
    await client.tools();
    const refusals: [string, Record<string, unknown>, Record<string, unknown>][] = [
      ['get_listing', {}, { code: 'INVALID_REQUEST', field: 'listingId' }],
      ['get_listing', { listingId: 'none' }, { code: 'NOT_FOUND' }],
      ['edit_listing', { listingId }, { code: 'INVALID_REQUEST' }],
      ['create_listing_from_photos', {}, { code: 'INVALID_REQUEST', field: 'folder' }],
      ['create_listing_from_photos', { folder: '/etc' }, { code: 'FOLDER_NOT_ALLOWED' }],
      ['check_request', { requestId: 'ap_none' }, { code: 'NOT_FOUND' }],
      ['check_request', { itemId: 'it_none' }, { code: 'NOT_FOUND' }],
      ['check_request', { requestId: 'a', waitS: 46 }, { code: 'INVALID_REQUEST', field: 'waitS' }],
      ['call_service', { route: 'upgradePlan' }, { code: 'UNKNOWN_ROUTE' }],
      ['call_service', { route: 'startSignIn', body: { email: 'a@b.example' } }, { code: 'CONNECTION_IS_THE_PERSONS' }],
      ['change_live_listing', { listingId, priceCents: 1 }, { code: 'WRONG_STATE' }],
    ];
    for (const [name, args, expected] of refusals) {
      const answer = await client.call(name, args);
      expect({ name, ...answer }).toMatchObject({
        name,
        isError: true,
        data: { ...expected, nextStep: someText },
      });
      expect(String(answer.data['error'])).toMatch(/^[A-Z].*\.$/);
    }
  });
});

/** Approves the request of this tool call and returns the assistant's view of the request. */
const approveAndCheck = async (client: McpClient, asked: Answer): Promise<Answer> => {
  expect(asked.data).toMatchObject(waiting);
  const requestId = String(asked.data['requestId']);
  const prompt = world
    .companion()
    .approvals.listPending()
    .find(({ approvalId }) => approvalId === requestId);
  if (!prompt) throw new Error('No prompt is waiting.');
  await world.approve(prompt);
  return client.call('check_request', { requestId });
};
