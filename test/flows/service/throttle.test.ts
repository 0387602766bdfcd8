import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { callBridge, pairAssistant } from '../../helpers/assistant.ts';
import { countServiceCalls } from '../../helpers/practice/serviceCalls.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
let assistant: Awaited<ReturnType<typeof pairAssistant>>;
const begin = async (options: Parameters<typeof startWorld>[0] = {}) => {
  world = await startWorld(options);
  bridge = await world.bridge();
  assistant = await pairAssistant(world, bridge.url);
};
const end = async () => {
  await bridge.stop();
  await world.close();
};

const readServiceKey = async () => (await world.secrets.get('agent-key practice')) ?? '';
const { asked, reached } = countServiceCalls(() => world);
const runTimes = async <T>(count: number, run: () => Promise<T>): Promise<T[]> => {
  const all: T[] = [];
  for (let index = 0; index < count; index += 1) all.push(await run());
  return all;
};

describe('limits on polling and repeated calls', () => {
  beforeEach(() => begin());
  afterEach(end);

  test('extras can be turned off even if the payment budget is used up', async () => {
    const spent = { status: 429, headers: { 'retry-after': '3600' } };
    await world.practice.fault({ method: 'GET', path: '/subscriptions', ...spent });
    const read = () => assistant.call('GET', '/subscriptions');
    expect((await runTimes(3, read)).map(({ status }) => status)).toEqual([429, 429, 429]);
    const off = await assistant.call('PATCH', '/subscriptions/overage', { body: { enabled: false } });
    expect(off.status).toBe(202);
    const { approvals } = world.companion();
    const [shown] = approvals.listPending();
    if (!shown) throw new Error('No approval is pending.');
    await world.pressYes(shown.approvalId, shown.digest);
    await world.until(() => approvals.readView(shown.approvalId).state === 'done', 'the extras to be off');
  });

  test('repeated reads of an unchanged listing reach the service once', async () => {
    const listingId = await world.practice.written(await readServiceKey());
    const read = () => assistant.call('GET', `/listings/${listingId}`);
    const answers: Awaited<ReturnType<typeof read>>[] = [];
    expect(await reached('readListing', async () => answers.push(...(await runTimes(5, read))))).toBe(1);
    expect(answers[0]?.headers['companion-source']).toBeUndefined();
    world.clock.advance(7_000);
    const kept = await read();
    expect([kept.headers['companion-source'], kept.headers['age']]).toEqual(['cache', '7']);
    expect(kept.body).toEqual(answers[0]?.body);

    await assistant.call('PUT', `/listings/${listingId}`, { body: { title: 'A better title' } });
    const after = await read();
    expect([after.body['title'], after.headers['companion-source']]).toEqual(['A better title', undefined]);
    world.clock.advance(61_000);
    expect(await reached('readListing', read)).toBe(1);
  });

  test('marking a notification as read leaves the kept listings of all assistants valid', async () => {
    const listingId = await world.practice.written(await readServiceKey());
    const other = await pairAssistant(world, bridge.url, 'Other');
    const read = () => assistant.call('GET', `/listings/${listingId}`);
    await read();
    expect((await other.call('POST', '/notifications/mark-viewed', { body: {} })).status).toBe(200);
    expect((await read()).headers['companion-source']).toBe('cache');
  });

  test('an assistant reads the new state after the person changes a listing', async () => {
    const listingId = await world.practice.written(await readServiceKey());
    await assistant.call('GET', `/listings/${listingId}`);
    await world.perform('updateListing', { params: { listingId }, body: { title: 'By the person' } });
    expect((await assistant.call('GET', `/listings/${listingId}`)).body['title']).toBe('By the person');
  });

  test('an assistant gets cached reads only of listings that it can access', async () => {
    const listingId = await world.practice.written(await readServiceKey());
    const other = await pairAssistant(world, bridge.url, 'Other');
    const views = world.companion().assistants.list().assistants;
    const otherId = views.find(({ name }) => name === 'Other')?.assistantId ?? '';
    await assistant.call('GET', `/listings/${listingId}`);
    expect(await reached('readListing', () => other.call('GET', `/listings/${listingId}`))).toBe(0);
    world.companion().assistants.change(otherId, { touches: 'own' });
    expect((await other.call('GET', `/listings/${listingId}`)).body['code']).toBe('NOT_YOUR_LISTING');
  });

  test.each([
    ['searchComps', 'GET', '/market/comps?q=lamp', undefined],
    ['readInsightsSummary', 'GET', '/insights/summary', undefined],
    ['readItemSales', 'GET', '/insights/items', undefined],
    ['readDaySales', 'GET', '/insights/day', undefined],
    ['validateTemplate', 'POST', '/market/templates/validate', { name: 'Small parcels' }],
  ])('%s calls reach the service once a minute', async (route, method, path, body) => {
    const call = () => assistant.call(method, path, { body });
    expect(await reached(route, () => runTimes(20, call))).toBe(1);
    expect((await call()).headers['companion-source']).toBe('cache');
    world.clock.advance(60_500);
    expect(await reached(route, call)).toBe(1);
  });

  test('a fee is quoted once for each version of a listing', async () => {
    const listingId = await world.practice.written(await readServiceKey());
    const quote = () => assistant.call('POST', `/listings/${listingId}/channels/fees`, { body: { action: 'quote' } });
    expect(await reached('quoteFees', () => runTimes(5, quote))).toBe(1);
    await assistant.call('PUT', `/listings/${listingId}`, { body: { price: 2_500 } });
    expect(await reached('quoteFees', quote)).toBe(1);
  });

  test('a repeated marketplace refresh is refused with the seconds to wait', async () => {
    const listingId = await world.practice.live(await readServiceKey());
    const hydrate = () => assistant.call('POST', `/market/hydrate/${listingId}`, { body: {} });
    expect((await hydrate()).status).toBe(200);
    const second = await hydrate();
    expect(second).toMatchObject({ status: 429, body: { code: 'SLOW_DOWN' } });
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(50);
    expect(await asked('hydrateListing')).toBe(1);
  });

  test('the person’s reads are never answered from the cache', async () => {
    const listingId = await world.practice.written(await readServiceKey());
    const read = () => world.perform('readListing', { params: { listingId } });
    expect(await reached('readListing', () => runTimes(3, read))).toBe(3);
  });
});

describe('local refusal of calls that the service has throttled', () => {
  beforeEach(() => begin());
  afterEach(end);

  test('throttled calls are refused locally until the service’s Retry-After has passed', async () => {
    await world.practice.fault({
      method: 'GET',
      path: '/market/categories',
      status: 429,
      headers: { 'retry-after': '120' },
    });
    const search = (words: string) => assistant.call('GET', `/market/categories?query=${words}`);
    expect((await search('lamp')).status).toBe(429);
    world.clock.advance(30_000);
    const held = await search('chair');
    // The fault affects one call, so a second call would succeed if it reached the service.
    expect([held.status, held.headers['retry-after']]).toEqual([429, '90']);
    expect(await asked('searchCategories')).toBe(0);
    expect((await assistant.call('GET', '/market/policies')).status).toBe(200);
    world.clock.advance(91_000);
    expect((await search('chair')).status).toBe(200);
  });

  test('calls throttled without a Retry-After are refused locally until midnight Pacific time', async () => {
    await world.practice.fault({ method: 'GET', path: '/market/policies', status: 429 });
    expect((await assistant.call('GET', '/market/policies')).status).toBe(429);
    const held = await assistant.call('GET', '/market/policies');
    const seconds = Number(held.headers['retry-after']);
    const there = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'America/Los_Angeles',
      timeStyle: 'medium',
    }).format(world.clock.now() + seconds * 1_000);
    expect(there).toMatch(/^(00:00:0[01]|23:59:59)$/);
    world.clock.advance(seconds * 1_000);
    expect((await assistant.call('GET', '/market/policies')).status).toBe(200);
  });
});

describe('generations by assistants', () => {
  afterEach(end);

  /** A writer that ends its generations only when `finish` is called. */
  const createSlowWriter = () => {
    const waiting: (() => void)[] = [];
    return {
      finish: () => waiting.splice(0).forEach((go) => go()),
      writer: {
        write: async () => {
          await new Promise<void>((resolve) => waiting.push(resolve));
          return { ok: false as const, code: 'IMAGES_UNREADABLE' as const, sentence: 'No.' };
        },
        close: async () => {},
      },
    };
  };
  const createDrafts = async (count: number) =>
    runTimes(count, async () => world.practice.draft(await readServiceKey()));
  const generate = (listingId: string, headers = {}, body = {}) =>
    assistant.call('POST', `/listings/${listingId}/generate`, { body, headers });

  test('a sixth generation starts when one of five has finished', async () => {
    const slow = createSlowWriter();
    await begin({ writer: slow.writer });
    const [sixth = '', ...five] = await createDrafts(6);
    for (const listingId of five) expect((await generate(listingId)).status).toBe(200);
    let answered: number | null = null;
    const waiting = generate(sixth, { prefer: 'wait=45' }).then(({ status }) => (answered = status));
    world.clock.advance(5_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([answered, await asked('generateListing')]).toEqual([null, 5]);
    slow.finish();
    await world.until(() => answered !== null, 'the sixth');
    await waiting;
    expect([answered, await asked('generateListing')]).toEqual([200, 6]);
    slow.finish();
  });

  test('a sixth listing that the person adapts to another site is refused when its wait for a place ends', async () => {
    await begin();
    const [sixth = '', ...five] = await runTimes(6, async () => world.practice.written(await readServiceKey()));
    await world.practice.control('POST', '/writer', { delayMs: 600_000 });
    const adaptListing = (listingId: string) =>
      world.perform('generateListing', {
        params: { listingId },
        body: { intent: 'adapt_marketplace', targetMarketplaceId: 'MKT_DE' },
      });
    const before = await asked('generateListing');
    for (const listingId of five) expect((await adaptListing(listingId)).state).toBe('done');
    const refused = adaptListing(sixth).catch((error: unknown) => error);
    await waitUntil(() => world.clock.sleepsFor(20_000), 'the wait of the sixth');
    world.clock.advance(20_000);
    expect(await refused).toMatchObject({ code: 'FIVE_AT_A_TIME' });
    expect((await asked('generateListing')) - before).toBe(5);
  });

  test('a sixth generation is refused with a Retry-After when its wait ends', async () => {
    const slow = createSlowWriter();
    await begin({ writer: slow.writer });
    const [sixth = '', ...five] = await createDrafts(6);
    for (const listingId of five) await generate(listingId);
    // No other work sleeps for exactly 3 s.
    expect(world.clock.sleepsFor(3_000)).toBe(false);
    const answer = generate(sixth, { prefer: 'wait=3' });
    await waitUntil(() => world.clock.sleepsFor(3_000), 'the wait of the sixth');
    world.clock.advance(3_000);
    expect(await answer).toMatchObject({ status: 429, body: { code: 'FIVE_AT_A_TIME' } });
    expect((await answer).headers['retry-after']).toBe('20');
    expect(await asked('generateListing')).toBe(5);
    slow.finish();
  });

  test('generations in flight still block a sixth generation after a restart', async () => {
    const slow = createSlowWriter();
    await begin({ writer: slow.writer });
    const [sixth = '', ...five] = await createDrafts(6);
    for (const listingId of five) {
      await generate(listingId);
      await assistant.call('GET', `/listings/${listingId}`);
    }
    await bridge.stop();
    await world.stop();
    await world.begin();
    bridge = await world.bridge();
    const answer = callBridge(bridge.url, 'POST', `/listings/${sixth}/generate`, {
      body: {},
      headers: { authorization: `Bearer ${assistant.token}`, prefer: 'wait=3' },
    });
    await waitUntil(() => world.clock.sleepsFor(3_000), 'the wait of the sixth');
    world.clock.advance(3_000);
    expect(await answer).toMatchObject({ status: 429, body: { code: 'FIVE_AT_A_TIME' } });
    slow.finish();
  });

  test('an assistant reads a listing at most every five seconds during its generation', async () => {
    const slow = createSlowWriter();
    await begin({ writer: slow.writer });
    const [listingId = ''] = await createDrafts(1);
    await generate(listingId);
    const read = () => assistant.call('GET', `/listings/${listingId}`);
    expect(await reached('readListing', () => runTimes(10, read))).toBe(1);
    // The companion itself reads after six seconds, so this read reaches the service.
    world.clock.advance(5_100);
    expect((await read()).headers['companion-source']).toBeUndefined();
    slow.finish();
    await world.until(async () => (await read()).body['status'] === 'failed', 'the end of the writing');
  });

  test('a second generation of the same listing requires approval', async () => {
    const slow = createSlowWriter();
    await begin({ writer: slow.writer });
    const [listingId = ''] = await createDrafts(1);
    expect((await generate(listingId)).status).toBe(200);
    slow.finish();
    await world.until(async () => (await world.listing(listingId)).status === 'failed', 'the end of the writing');
    expect((await assistant.call('POST', `/listings/${listingId}/revert`, { body: {} })).status).toBe(200);
    expect((await generate(listingId)).status).toBe(202);
    expect(await world.happened('generation')).toBe(1);
  });

  test('a second extra is refused while the first extra is in flight', async () => {
    const slow = createSlowWriter();
    await begin({ writer: slow.writer, person: { plan: 'Lite', used: 30, extras: true } });
    const standing = z.looseObject({ allowance: z.looseObject({ extras: z.looseObject({ rateCents: z.int() }) }) });
    const { rateCents } = standing.parse((await assistant.call('GET', '/agent/me')).body).allowance.extras;
    await assistant.call('POST', '/subscriptions/extras-approval', { body: { count: 2, rateCents } });
    const done = await world.yes();
    expect(done.state).toBe('done');
    const { body } = await assistant.call('GET', `/companion/approvals/${done.approvalId}`);
    const extrasApprovalId = z
      .object({ approval: z.object({ answer: z.object({ body: z.looseObject({ approvalId: z.string() }) }) }) })
      .parse(body).approval.answer.body.approvalId;
    const [first = '', second = ''] = await createDrafts(2);
    expect((await generate(first, {}, { extrasApprovalId })).status).toBe(200);
    const refused = await generate(second, {}, { extrasApprovalId });
    expect(refused).toMatchObject({ status: 429, body: { code: 'EXTRAS_IN_FLIGHT' } });
    expect(await asked('generateListing')).toBe(1);
    slow.finish();
    await world.until(async () => (await generate(second, {}, { extrasApprovalId })).status === 200, 'the second');
    slow.finish();
  });
});

describe('a page of the service that only the person can open', () => {
  beforeEach(() => begin());
  afterEach(end);

  test('the page is offered in the window, and the assistant does not get its address', async () => {
    const answer = await assistant.call('GET', '/market/auth-url');
    expect(answer).toMatchObject({ status: 200, body: { openedFor: 'person' } });
    expect(JSON.stringify(answer.body)).not.toMatch(/https?:/);
    const [offer] = world.companion().offers.list();
    expect(offer).toMatchObject({
      by: 'Tidy Helper',
      what: 'It would like you to open the sign-in page of your marketplace account.',
    });
    expect(JSON.stringify(offer)).not.toMatch(/https?:/);
    // A newer link cancels the older link at the service, so only the newer link is offered.
    await assistant.call('GET', '/market/auth-url');
    const offers = world.companion().offers.list();
    expect(offers).toHaveLength(1);
    expect(world.companion().offers.open(offers[0]?.offerId ?? '')).toMatch(/^https?:/);
    expect(world.companion().offers.list()).toEqual([]);
    expect(() => world.companion().offers.open(offers[0]?.offerId ?? '')).toThrow('no longer offered');
  });

  test('the assistant gets no address after the person approved opening the page', async () => {
    await assistant.call('POST', '/subscriptions/portal', { body: {} });
    const done = await world.yes();
    expect(done.outcome?.url).toMatch(/^https?:/);
    const { body } = await assistant.call('GET', `/companion/approvals/${done.approvalId}`);
    expect(body).toMatchObject({ approval: { state: 'done', answer: { body: { openedFor: 'person' } } } });
    expect(JSON.stringify(body)).not.toMatch(/https?:/);
  });

  test('the page is no longer offered after its link has expired', async () => {
    await assistant.call('GET', '/market/auth-url');
    world.clock.advance(10 * 60_000);
    expect(world.companion().offers.list()).toEqual([]);
  });
});

test('the person can view the calls of assistants', async () => {
  await begin();
  const listingId = await world.practice.written(await readServiceKey());
  await runTimes(2, () => assistant.call('GET', `/listings/${listingId}`));
  await assistant.call('POST', `/market/publish/${listingId}`);
  await assistant.call('POST', '/market/comps');
  await assistant.call('GET', '/listings/nothing');
  const rows = world.companion().activity.list();
  expect(rows.map(({ status, answeredFrom }) => [status, answeredFrom])).toEqual([
    [404, 'refused'],
    [202, 'companion'],
    [200, 'cache'],
    [200, 'service'],
  ]);
  const { title } = z
    .object({ title: z.string().min(1) })
    .parse((await assistant.call('GET', `/listings/${listingId}`)).body);
  expect(rows[1]).toMatchObject({ name: 'Tidy Helper', what: { key: 'activity.publish' }, title });
  await end();
});
