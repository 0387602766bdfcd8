import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { pairAssistant } from '../../helpers/assistant.ts';
import { connectAs } from '../../helpers/approvals/decisions.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { countServiceCalls } from '../../helpers/practice/serviceCalls.ts';
import { startWorld, type World } from '../../helpers/world.ts';

// Attempts of an assistant to evade the call limits and the response cache.
let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
let assistant: Awaited<ReturnType<typeof pairAssistant>>;
beforeEach(async () => {
  world = await startWorld();
  bridge = await world.bridge();
  assistant = await pairAssistant(world, bridge.url);
});
afterEach(async () => {
  await bridge.stop();
  await world.close();
});

const readServiceKey = async () => (await world.secrets.get('agent-key practice')) ?? '';
const { asked, reached } = countServiceCalls(() => world);
const get = (path: string) => assistant.call('GET', path);
const post = (path: string, body: unknown = {}) => assistant.call('POST', path, { body });
/** Calls `run` once a second for 30 s. */
const repeatFor30Seconds = async (run: () => Promise<unknown>): Promise<void> => {
  for (let second = 0; second < 30; second += 1) {
    await run();
    world.clock.advance(1_000);
  }
};
const approvalId = z.object({ approval: z.object({ id: z.string() }) });

test('an assistant that requests and withdraws approvals in a loop causes few fee quotes', async () => {
  const listingId = await world.practice.written(await readServiceKey());
  const { body: policies } = await world.practice.call(await readServiceKey(), 'GET', '/market/policies');
  const named = z
    .object({ policies: z.array(z.object({ kind: z.string(), policyId: z.string() })) })
    .parse(policies)
    .policies.map(({ kind, policyId }) => [`${kind}PolicyId`, policyId] as const);
  /** Returns a different subset of the policies for each turn, so that each request needs a new quote. */
  const choice = (turn: number) => Object.fromEntries(named.filter((_one, at) => (turn >> at) % 2 === 1));
  let [turn, refused] = [0, 0];
  const quotes = await reached('quoteFees', () =>
    repeatFor30Seconds(async () => {
      const { status, body } = await post(`/market/publish/${listingId}`, choice(turn));
      turn += 1;
      if (status === 429) refused += 1;
      else await assistant.call('DELETE', `/companion/approvals/${approvalId.parse(body).approval.id}`);
    }),
  );
  expect(quotes).toBeLessThanOrEqual(12);
  // After two withdrawn approvals the assistant can request none for ten minutes.
  expect(refused).toBe(28);
});

test('a refused write makes no cached read stale', async () => {
  const write = () => assistant.call('PUT', '/listings/li_nothing', { body: { title: 'x' } });
  expect(
    await reached('readSellerDefaults', () =>
      repeatFor30Seconds(async () => {
        await write();
        await get('/market/seller-defaults');
      }),
    ),
  ).toBe(1);
});

test('thirty refused generations cause fewer than eight reads of the account standing', async () => {
  expect(
    await reached('readStanding', () => repeatFor30Seconds(() => post('/listings/li_nothing/generate'))),
  ).toBeLessThan(8);
});

test('publish requests cause no reads of a listing that is being generated', async () => {
  await world.practice.control('POST', '/writer', { delayMs: 20_000 });
  const listingId = await world.practice.draft(await readServiceKey());
  await post(`/listings/${listingId}/generate`);
  await get(`/listings/${listingId}`);
  const statuses: number[] = [];
  const reads = await reached('readListing', async () => {
    for (let turn = 0; turn < 8; turn += 1) statuses.push((await post(`/market/publish/${listingId}`)).status);
  });
  expect([reads, new Set(statuses)]).toEqual([0, new Set([409])]);
});

test('an answer that arrives after a change of account is not stored', async () => {
  const listingId = await world.practice.live(await readServiceKey());
  await world.practice.control('POST', '/sales', { listingId, buyer: 'ada' });
  await waitUntil(async () => (await asked('listNotifications')) === 1, 'the first reading');
  world.companion().notifications.stop();
  world.clock.advance(61_000);
  const paths = ['/notifications', '/listings/{listingId}'];
  for (const path of paths) await world.practice.fault({ method: 'GET', path, delayMs: 900 });
  const slow = [get('/notifications'), get(`/listings/${listingId}`)];
  const own = world.perform('readListing', { params: { listingId } }).catch((error: unknown) => error);
  await waitUntil(async () => (await asked('readListing')) > 0, 'the slow reading');
  await connectAs(world, 'somebody-else@example.com');
  for (const answer of slow) expect((await answer).status).toBeGreaterThanOrEqual(400);
  expect(await own).toMatchObject({ code: 'ACCOUNT_CHANGED' });
  const fresh = await pairAssistant(world, bridge.url, 'Fresh');
  expect((await fresh.call('GET', '/notifications')).body['notifications']).toEqual([]);
  expect(world.companion().listings.counts().all).toBe(0);
});

test('a marketplace refresh or a fee confirmation makes cached reads stale', async () => {
  const listingId = await world.practice.live(await readServiceKey());
  await get(`/listings/${listingId}`);
  await world.practice.control('POST', '/sales', { listingId, quantity: 1 });
  await post(`/market/hydrate/${listingId}`);
  expect((await get(`/listings/${listingId}`)).headers['companion-source']).toBeUndefined();

  const draft = await world.practice.written(await readServiceKey());
  const quote = () => post(`/listings/${draft}/channels/fees`, { action: 'quote' });
  await quote();
  await world.perform('quoteFees', {
    params: { listingId: draft },
    body: { action: 'confirm', marketplaceId: 'MKT_US' },
  });
  await world.yes();
  expect(JSON.stringify((await quote()).body)).toContain('MKT_US');
  expect((await quote()).body).toMatchObject({ feeNotice: { confirmedSites: ['MKT_US'] } });
});

test('a read of one notification is not cached as the complete list', async () => {
  for (let sale = 0; sale < 3; sale += 1) {
    const listingId = await world.practice.live(await readServiceKey());
    await world.practice.control('POST', '/sales', { listingId, buyer: `ada ${sale}` });
  }
  await waitUntil(async () => (await asked('listNotifications')) === 1, 'the first reading');
  world.companion().pauseAll(true);
  world.clock.advance(80_000);
  const one = await get('/notifications?limit=1');
  const rows = z.looseObject({ notifications: z.array(z.unknown()) });
  expect(rows.parse(one.body).notifications).toHaveLength(1);
  expect((await get('/notifications')).status).toBe(429);
  world.clock.advance(60_000);
  const all = rows.parse((await get('/notifications')).body).notifications;
  expect(all.length).toBeGreaterThan(2);
  // The cached page also serves requests for fewer notifications.
  expect((await get('/notifications?limit=1')).headers['companion-source']).toBe('cache');
});

test('a revoked assistant gets no answer to a request in flight', async () => {
  const listingId = await world.practice.live(await readServiceKey());
  await world.practice.fault({ method: 'GET', path: '/listings/{listingId}', delayMs: 500 });
  const slow = get(`/listings/${listingId}`);
  await waitUntil(async () => (await asked('readListing')) > 0, 'the slow reading');
  const { assistants } = world.companion();
  assistants.revoke(assistants.list().assistants[0]?.assistantId ?? '');
  expect((await slow).status).toBe(403);
});
