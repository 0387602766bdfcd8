import { afterEach, beforeEach, expect, test } from 'vitest';
import { countRequests, readServiceKey } from '../../helpers/approvals/decisions.ts';
import { callBridge } from '../../helpers/assistant.ts';
import { listenToEvents, type BridgeEvent } from '../../helpers/bridge/listenToEvents.ts';
import { startScene, type Scene } from '../../helpers/bridge/scene.ts';
import { clients, connect } from './mcp/clients.ts';

let scene: Scene;
const close: (() => unknown)[] = [];
beforeEach(async () => (scene = await startScene()));
afterEach(async () => {
  for (const one of close.splice(0)) await one();
  await scene.close();
});

test.each([
  ['GET', '/companion/me', 'Bearer'],
  ['GET', '/listings', 'Bearer'],
  ['POST', '/mcp', 'Bearer'],
  ['GET', '/companion/pairings/pr_1', 'Pairing'],
])('%s %s without credentials names the scheme that it needs', async (method, path, scheme) => {
  const answer = await callBridge(scene.url, method, path);
  expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': scheme } });
});

test.each([
  ['an answer of the service', 200, 'GET', '/listings', {}],
  ['an answer of the companion', 200, 'GET', '/companion/me', {}],
  ['a refusal', 404, 'GET', '/no/such/path', {}],
  ['a request of a web page', 403, 'GET', '/listings', { headers: { origin: 'https://page.example' } }],
  ['a body that is too large', 413, 'POST', '/listings', { raw: `{"title":"${'x'.repeat(2 ** 21)}"}` }],
])('no program may store %s or guess its type', async (_name, status, method, path, wish) => {
  const seen = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  // The second answer of a read comes from the memory.
  const answers = [await scene.one.call(method, path, wish), await scene.one.call(method, path, wish)];
  for (const answer of answers) expect(answer).toMatchObject({ status, headers: seen });
});

test.each(Object.entries(clients))(
  '%s of a paused assistant connects, keeps its tools, and gets the sentence and the next step from each',
  async (_name, { connect: connectClient }) => {
    const { world, one, url } = scene;
    const { listingId } = await world.reviewed();
    const early = await connectClient(url, one.token);
    close.push(early.close);
    world.companion().assistants.pause(one.assistantId);
    const late = await connectClient(url, one.token);
    close.push(late.close);
    for (const client of [early, late]) {
      expect((await client.tools()).length).toBeGreaterThan(10);
      for (const [tool, args] of [
        ['get_standing', {}],
        ['publish_listing', { listingId }],
        ['check_request', {}],
        ['list_service_routes', {}],
      ] as const)
        expect(await client.call(tool, args)).toMatchObject({
          isError: true,
          data: {
            code: 'ASSISTANT_PAUSED',
            nextStep: expect.stringContaining('they paused you') as unknown,
            next: { again: true, personFirst: true },
          },
        });
    }
    expect(world.companion().approvals.listPending()).toEqual([]);
    expect(await one.call('GET', '/companion/me')).toMatchObject({ status: 403, body: { code: 'ASSISTANT_PAUSED' } });
    world.companion().assistants.change(one.assistantId, { paused: false });
    expect(await early.call('get_standing')).toMatchObject({ isError: false });
  },
);

test('a revoked assistant gets no answer over MCP', async () => {
  const client = await connect(scene.url, scene.one.token);
  scene.world.companion().assistants.revoke(scene.one.assistantId);
  await expect(client.call('get_standing')).rejects.toThrow();
  await client.close();
});

test('an assistant reads the standing however often another one writes', async () => {
  const { world, one, other } = scene;
  const before = await countRequests(world, 'readStanding');
  const ages: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    await scene.draft(other);
    const read = await one.call('GET', '/agent/me');
    expect(read).toMatchObject({ status: 200, body: { allowance: { remaining: 100 } } });
    expect((await one.call('GET', '/market/status')).status).toBe(200);
    ages.push(Number(read.headers['age'] ?? 0));
    world.clock.advance(1_000);
  }
  // The service is spared, and the age of the answer is told.
  expect((await countRequests(world, 'readStanding')) - before).toBeLessThanOrEqual(6);
  expect(Math.max(...ages)).toBeGreaterThan(5);
  world.clock.advance(60_000);
  expect((await one.call('GET', '/agent/me')).headers).not.toHaveProperty('age');
});

const openStream = async (token: string, lastId?: string) => {
  const stream = await listenToEvents(scene.url, token, lastId);
  close.push(stream.close);
  return stream;
};
const describeEvents = (events: BridgeEvent[]) =>
  events.flatMap(({ event, about, stands }) => (event === 'listing' ? `${about} ${stands}` : []));

test('events tell a finished generation and a sale to the assistants that may see the listing', async () => {
  const { world, one, other } = scene;
  const { companion } = world;
  const listingId = await world.practice.draft(await readServiceKey(world), 1);
  await world.perform('readListing', { params: { listingId } });
  companion().assistants.change(other.assistantId, { touches: 'own' });
  const mine = await openStream(one.token);
  const theirs = await openStream(other.token);
  expect((await one.call('POST', `/listings/${listingId}/generate`, { body: {} })).status).toBe(200);
  await world.until(() => describeEvents(mine.events()).length === 1, 'the finished generation');
  expect(describeEvents(mine.events())).toEqual([`${listingId} written`]);

  await world.perform('publishListing', { params: { listingId } });
  await world.yes();
  await world.practice.control('POST', '/sales', { listingId });
  await world.perform('readListing', { params: { listingId } });
  await world.until(() => describeEvents(mine.events()).length === 2, 'the sale');
  expect(describeEvents(mine.events())).toEqual([`${listingId} written`, `${listingId} sold`]);
  expect(mine.text()).toContain('"status":"sold"');
  expect(describeEvents(theirs.events())).toEqual([]);
  expect(theirs.text()).not.toContain(listingId);

  const missed = await openStream(one.token, mine.events().find(({ stands }) => stands === 'written')?.id);
  await world.until(() => describeEvents(missed.events()).length === 1, 'the missed event');
  expect(describeEvents(missed.events())).toEqual([`${listingId} sold`]);

  companion().assistants.change(one.assistantId, { touches: 'own' });
  const limited = await openStream(one.token, 'unknown-1');
  await scene.question(one);
  await world.until(() => limited.events().length > 0, 'another event');
  expect(limited.text()).not.toContain(listingId);
});

test('withdrawing a batch counts as one withdrawal, however many listings it has', async () => {
  const { world, one } = scene;
  const key = await readServiceKey(world);
  const requests: object[] = [];
  for (let index = 0; index < 14; index += 1)
    requests.push({ method: 'POST', path: `/market/publish/${await world.practice.written(key)}` });
  const client = await connect(scene.url, one.token);
  close.push(client.close);
  await one.call('POST', '/companion/approvals/batch', { body: { requests } });
  const [open] = (await client.call('check_request')).data['requests'] as { requestId: string; listings: number }[];
  expect(open?.listings).toBe(14);
  expect((await client.call('withdraw_request', { requestId: open?.requestId })).data).toMatchObject({
    counts: { withdrawn: 14 },
  });
  const listingId = await world.practice.written(key);
  expect((await client.call('publish_listing', { listingId })).data).toMatchObject({ state: 'waiting_for_person' });
});
