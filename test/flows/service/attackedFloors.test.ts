import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { pairedAssistant } from '../../helpers/assistant.ts';
import { connectAs } from '../../helpers/approvals/decisions.ts';
import { settled } from '../../helpers/testClock.ts';
import { countServiceCalls } from '../../helpers/practice/serviceCalls.ts';
import { startWorld, type World } from '../../helpers/world.ts';

// Ways around the floors and the memory of answers that were tried and are shut.
let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
let assistant: Awaited<ReturnType<typeof pairedAssistant>>;
beforeEach(async () => {
  world = await startWorld();
  bridge = await world.bridge();
  assistant = await pairedAssistant(world, bridge.url);
});
afterEach(async () => {
  await bridge.stop();
  await world.close();
});

const key = async () => (await world.secrets.get('agent-key practice')) ?? '';
const { asked, reached } = countServiceCalls(() => world);
const get = (path: string) => assistant.call('GET', path);
const post = (path: string, body: unknown = {}) => assistant.call('POST', path, { body });
/** Does it once a second, for half a minute. */
const halfAMinute = async (run: () => Promise<unknown>): Promise<void> => {
  for (let second = 0; second < 30; second += 1) {
    await run();
    world.clock.advance(1_000);
  }
};
const approvalId = z.object({ approval: z.object({ id: z.string() }) });

test('requesting and withdrawing approvals in a loop does not allow unlimited reads', async () => {
  const listingId = await world.practice.written(await key());
  const { body: policies } = await world.practice.call(await key(), 'GET', '/market/policies');
  const named = z
    .object({ policies: z.array(z.object({ kind: z.string(), policyId: z.string() })) })
    .parse(policies)
    .policies.map(({ kind, policyId }) => [`${kind}PolicyId`, policyId] as const);
  /** Another quote each time: with some of the policies, and without the others. */
  const choice = (turn: number) => Object.fromEntries(named.filter((_one, at) => (turn >> at) % 2 === 1));
  let [turn, refused] = [0, 0];
  const quotes = await reached('quoteFees', () =>
    halfAMinute(async () => {
      const { status, body } = await post(`/market/publish/${listingId}`, choice(turn));
      turn += 1;
      if (status === 429) refused += 1;
      else await assistant.call('DELETE', `/companion/approvals/${approvalId.parse(body).approval.id}`);
    }),
  );
  expect(quotes).toBeLessThanOrEqual(12);
  // Two requests that were taken back are the last for ten minutes.
  expect(refused).toBe(28);
});

test('a refused write makes no cached read stale', async () => {
  const write = () => assistant.call('PUT', '/listings/li_nothing', { body: { title: 'x' } });
  expect(
    await reached('readSellerDefaults', () =>
      halfAMinute(async () => {
        await write();
        await get('/market/seller-defaults');
      }),
    ),
  ).toBe(1);
});

test('a generation that is refused repeatedly reads the standing only a few times', async () => {
  expect(await reached('readStanding', () => halfAMinute(() => post('/listings/li_nothing/generate')))).toBeLessThan(8);
});

test('requests to publish a listing that is being generated cause no extra reads', async () => {
  await world.practice.control('POST', '/writer', { delayMs: 20_000 });
  const listingId = await world.practice.draft(await key());
  await post(`/listings/${listingId}/generate`);
  await get(`/listings/${listingId}`);
  const statuses: number[] = [];
  const reads = await reached('readListing', async () => {
    for (let turn = 0; turn < 8; turn += 1) statuses.push((await post(`/market/publish/${listingId}`)).status);
  });
  expect([reads, new Set(statuses)]).toEqual([0, new Set([409])]);
});

test('an answer in flight when the account changes is stored neither in memory nor on disk', async () => {
  const listingId = await world.practice.live(await key());
  await world.practice.control('POST', '/sales', { listingId, buyer: 'ada' });
  await settled(async () => (await asked('listNotifications')) === 1, 'the first reading');
  world.companion().notifications.stop();
  world.clock.advance(61_000);
  const paths = ['/notifications', '/listings/{listingId}'];
  for (const path of paths) await world.practice.fault({ method: 'GET', path, delayMs: 900 });
  const slow = [get('/notifications'), get(`/listings/${listingId}`)];
  const own = world.perform('readListing', { params: { listingId } }).catch((error: unknown) => error);
  await settled(async () => (await asked('readListing')) > 0, 'the slow reading');
  await connectAs(world, 'somebody-else@example.com');
  for (const answer of slow) expect((await answer).status).toBeGreaterThanOrEqual(400);
  expect(await own).toMatchObject({ code: 'ACCOUNT_CHANGED' });
  const fresh = await pairedAssistant(world, bridge.url, 'Fresh');
  expect((await fresh.call('GET', '/notifications')).body['notifications']).toEqual([]);
  expect(world.companion().listings.counts().all).toBe(0);
});

test('a refresh from the marketplace and a fee confirmation by the companion make the cached reads stale', async () => {
  const listingId = await world.practice.live(await key());
  await get(`/listings/${listingId}`);
  await world.practice.control('POST', '/sales', { listingId, quantity: 1 });
  await post(`/market/hydrate/${listingId}`);
  expect((await get(`/listings/${listingId}`)).headers['companion-source']).toBeUndefined();

  const draft = await world.practice.written(await key());
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

test('a read of one notification by an assistant is not cached as the complete list', async () => {
  for (let sale = 0; sale < 3; sale += 1) {
    const listingId = await world.practice.live(await key());
    await world.practice.control('POST', '/sales', { listingId, buyer: `ada ${sale}` });
  }
  await settled(async () => (await asked('listNotifications')) === 1, 'the first reading');
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

test('a revoked assistant gets no answer that was in flight', async () => {
  const listingId = await world.practice.live(await key());
  await world.practice.fault({ method: 'GET', path: '/listings/{listingId}', delayMs: 500 });
  const slow = get(`/listings/${listingId}`);
  await settled(async () => (await asked('readListing')) > 0, 'the slow reading');
  const { assistants } = world.companion();
  assistants.revoke(assistants.list().assistants[0]?.assistantId ?? '');
  expect((await slow).status).toBe(403);
});
