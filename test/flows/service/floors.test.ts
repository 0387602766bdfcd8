import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { pairAssistant } from '../../helpers/assistant.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { countServiceCalls } from '../../helpers/practice/serviceCalls.ts';
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
const get = (path: string) => assistant.call('GET', path);
const post = (path: string, body: unknown) => assistant.call('POST', path, { body });
const runInOrder = async <T, R>(all: readonly T[], run: (one: T) => Promise<R>): Promise<R[]> => {
  const done: R[] = [];
  for (const one of all) done.push(await run(one));
  return done;
};
const ten = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

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

describe('limits on repeated calls by assistants', () => {
  beforeEach(() => begin());
  afterEach(end);

  test('an undeclared parameter does not cause a new call', async () => {
    const answers: Awaited<ReturnType<typeof get>>[] = [];
    expect(
      await reached('searchComps', async () => {
        answers.push(...(await runInOrder(ten, (n) => get(`/market/comps?q=lamp&x=${n}`))));
      }),
    ).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual([200, ...ten.slice(1).map(() => 429)]);
    expect(answers[9]?.body['code']).toBe('SLOW_DOWN');
    expect(Number(answers[9]?.headers['retry-after'])).toBeGreaterThan(50);
    // The answer to a call with an undeclared parameter is not cached.
    world.clock.advance(5_000);
    expect((await get('/market/comps?q=lamp')).headers['companion-source']).toBeUndefined();
    expect((await get('/market/comps?q=lamp')).headers['companion-source']).toBe('cache');
    world.clock.advance(61_000);
    expect((await get('/market/comps?q=lamp&x=11')).status).toBe(200);
  });

  test('different values of declared parameters cause only a few calls per minute', async () => {
    expect(await reached('searchComps', () => runInOrder(['shoes', 'hats'], (q) => get(`/market/comps?q=${q}`)))).toBe(
      2,
    );
    expect(await reached('searchComps', () => runInOrder(ten, (n) => get(`/market/comps?q=shoes&limit=${n}`)))).toBe(4);
    const refused = await get('/market/comps?q=shoes&limit=10');
    expect([refused.status, refused.body['code']]).toEqual([429, 'SLOW_DOWN']);
    // Cached answers are still returned.
    expect((await get('/market/comps?q=hats')).headers['companion-source']).toBe('cache');
  });

  test('two assistants share the limit of calls per minute', async () => {
    const other = await pairAssistant(world, bridge.url, 'Other');
    await runInOrder(ten, (n) => get(`/market/comps?q=shoes&limit=${n}`));
    expect((await other.call('GET', '/market/comps?q=boats')).status).toBe(429);
  });

  test('requests that differ only in undeclared body fields cause one call to the service', async () => {
    const listingId = await world.practice.live(await readServiceKey());
    expect(
      await reached('hydrateListing', () => runInOrder(ten, (n) => post(`/market/hydrate/${listingId}`, { junk: n }))),
    ).toBe(1);
    expect(
      await reached('validateTemplate', () =>
        runInOrder(ten, (n) => post('/market/templates/validate', { name: `T${n}` })),
      ),
    ).toBe(6);
    const draft = await world.practice.written(await readServiceKey());
    expect(
      await reached('quoteFees', () =>
        runInOrder(ten, (n) => post(`/listings/${draft}/channels/fees`, { action: 'quote', junk: n })),
      ),
    ).toBe(0);
    const policy = (n: number) => ({ action: 'quote', paymentPolicyId: `pp_${n}` });
    const many = [...ten, ...ten.map((n) => n + 10), ...ten.map((n) => n + 20)];
    expect(
      await reached('quoteFees', () => runInOrder(many, (n) => post(`/listings/${draft}/channels/fees`, policy(n)))),
    ).toBe(20);
  });

  test('an undeclared query parameter causes no new read of a listing', async () => {
    const listingId = await world.practice.written(await readServiceKey());
    expect(await reached('readListing', () => runInOrder(ten, (n) => get(`/listings/${listingId}?x=${n}`)))).toBe(1);
  });

  test('notifications are read once a minute, regardless of the query', async () => {
    await waitUntil(async () => (await asked('listNotifications')) === 1, 'the first reading of the companion itself');
    const dressed = ['', '?x=1', '?limit=5', '?limit=6', '?cursor=a', '?cursor=b&x=2'];
    expect(await reached('listNotifications', () => runInOrder(dressed, (one) => get(`/notifications${one}`)))).toBe(0);
    expect((await get('/notifications?limit=5')).headers['companion-source']).toBe('cache');
    expect((await get('/notifications?x=1')).status).toBe(429);
  });

  test.each([
    ['listChannels', '/channels'],
    ['listPlans', '/agent/plans'],
    ['listListings', '/listings'],
    ['readStanding', '/agent/me'],
    ['readMarketStatus', '/market/status'],
    ['readSellerDefaults', '/market/seller-defaults'],
    ['listTemplates', '/market/templates/list'],
    ['readRateLimits', '/market/rate-limits'],
    ['readSubscription', '/subscriptions'],
  ])('%s calls in a loop reach the service at most once', async (route, path) => {
    const before = await asked(route);
    expect(await reached(route, () => runInOrder(ten, () => get(path)))).toBeLessThanOrEqual(1);
    expect((await get(path)).headers['companion-source']).toBe('cache');
    world.clock.advance(61_000);
    expect((await get(path)).headers['companion-source']).toBeUndefined();
    expect(await asked(route)).toBeGreaterThan(before);
  });

  test('no assistant can immediately retry a failed call', async () => {
    expect(await reached('readListing', () => runInOrder(ten, () => get('/listings/li_nothing')))).toBe(1);
    expect((await get('/listings/li_nothing')).body['code']).toBe('SLOW_DOWN');
    world.clock.advance(5_000);
    expect((await get('/listings/li_nothing')).status).toBe(404);
  });

  test.each([-3_600_000, 3_600_000])(
    'a change of the wall clock by %d ms does not change minimum intervals',
    async (ms) => {
      const listingId = await world.practice.live(await readServiceKey());
      const fetched = () => post(`/market/hydrate/${listingId}`, {});
      await fetched();
      world.clock.jumpWall(ms);
      const refused = await fetched();
      expect(refused.status).toBe(429);
      world.clock.advance(Number(refused.headers['retry-after']) * 1_000);
      expect((await fetched()).status).toBe(200);
    },
  );

  test('ten simultaneous equal requests reach the service once', async () => {
    expect(await reached('searchComps', () => Promise.all(ten.map(() => get('/market/comps?q=lamp'))))).toBe(1);
  });

  test('a change by the person makes the cached lists of assistants stale', async () => {
    const titles = async () => JSON.stringify((await get('/listings')).body);
    const listingId = await world.practice.written(await readServiceKey());
    expect(await titles()).toContain(listingId);
    await world.perform('updateListing', { params: { listingId }, body: { title: 'A title of the person' } });
    expect(await titles()).toContain('A title of the person');
    await get('/market/seller-defaults');
    await world.perform('updateSellerDefaults', { body: { postalCode: '97201' } });
    await world.yes();
    expect(JSON.stringify((await get('/market/seller-defaults')).body)).toContain('97201');
  });

  test('a read that overlaps a write is not cached', async () => {
    const listingId = await world.practice.written(await readServiceKey());
    await world.practice.fault({ method: 'GET', path: '/listings/{listingId}', delayMs: 300 });
    const slow = get(`/listings/${listingId}`);
    await waitUntil(async () => (await asked('readListing')) > 0, 'the slow reading');
    await world.perform('updateListing', { params: { listingId }, body: { title: 'Newer' } });
    await slow;
    const after = await get(`/listings/${listingId}`);
    expect([after.body['title'], after.headers['companion-source']]).toEqual(['Newer', undefined]);
  });
});

describe('reads of a listing that is being generated', () => {
  afterEach(end);

  test('four readers together read the listing at most every five seconds', async () => {
    const slow = createSlowWriter();
    await begin({ writer: slow.writer });
    const other = await pairAssistant(world, bridge.url, 'Other');
    const listingId = await world.practice.draft(await readServiceKey());
    await post(`/listings/${listingId}/generate`, {});
    const readAt: number[] = [];
    let before = await asked('readListing');
    for (let second = 0; second < 60; second += 1) {
      await get(`/listings/${listingId}`);
      await other.call('GET', `/listings/${listingId}`);
      await world.perform('readListing', { params: { listingId } });
      const now = await asked('readListing');
      expect(now - before).toBeLessThanOrEqual(1);
      if (now > before) readAt.push(second);
      before = now;
      world.clock.advance(1_000);
    }
    const apart = readAt.slice(1).map((at, index) => at - (readAt[index] ?? 0));
    expect(readAt.length).toBeGreaterThan(8);
    expect(Math.min(...apart)).toBeGreaterThanOrEqual(5);
    slow.finish();
  });

  test('an assistant that polls its item causes at most one read every five seconds', async () => {
    const slow = createSlowWriter();
    await begin({ writer: slow.writer });
    const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await world.folder('blue shoes')] });
    const view = await world.item(itemIds[0] ?? '', 'writing');
    const listingId = view.listingId ?? '';
    await waitUntil(async () => (await asked('readListing')) > 0, 'the first reading of the item');
    let before = await asked('readListing');
    const readAt: number[] = [];
    for (let second = 0; second < 40; second += 1) {
      await get(`/listings/${listingId}`);
      await new Promise((resolve) => setTimeout(resolve, 15));
      const now = await asked('readListing');
      if (now > before) readAt.push(second);
      before = now;
      world.clock.advance(1_000);
    }
    const apart = readAt.slice(1).map((at, index) => at - (readAt[index] ?? 0));
    expect(readAt.length).toBeGreaterThan(4);
    expect(Math.min(...apart)).toBeGreaterThanOrEqual(5);
    slow.finish();
  });
});

describe('fresh reads around an approval', () => {
  beforeEach(() => begin());
  afterEach(end);

  test('a publish rereads the listing before the prompt, at the approval and afterwards', async () => {
    const { listingId } = await world.reviewed();
    const read = () => get(`/listings/${listingId}`);
    await read();
    expect(
      await reached('readListing', () => world.perform('publishListing', { params: { listingId } })),
    ).toBeGreaterThanOrEqual(1);
    await read();
    // The companion reads at the approval, after the fee notice and once the listing is live.
    expect(await reached('readListing', () => world.yes())).toBe(3);
    expect((await read()).body['status']).toBe('published');
  });
});

describe('reads of the connection while the person uses a page of the service', () => {
  beforeEach(() => begin({ person: { connected: false } }));
  afterEach(end);

  test('the connection is read every five seconds until the person finishes on the page', async () => {
    const topics: string[] = [];
    world.companion().onChanged((topic) => topics.push(topic));
    const page = await world.perform('readMarketAuthUrl', {});
    const { authUrl } = z.object({ authUrl: z.string() }).parse(page.state === 'done' ? page.answer : null);
    await waitUntil(async () => (await asked('readMarketStatus')) === 1, 'the first look');
    for (const looks of [2, 3]) {
      world.clock.advance(5_000);
      await waitUntil(async () => (await asked('readMarketStatus')) === looks, 'the next look');
    }
    topics.length = 0;
    await fetch(authUrl, { method: 'POST', headers: { origin: world.practice.url } });
    world.clock.advance(5_000);
    await waitUntil(() => topics.includes('setup'), 'the news');
    expect((await get('/market/status')).body['connected']).toBe(true);
    // The account is connected, so the companion stops reading.
    const done = await asked('readMarketStatus');
    for (let turn = 0; turn < 5; turn += 1) {
      world.clock.advance(5_000);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(await asked('readMarketStatus')).toBe(done);
  });

  test('the companion stops reading the connection when the link to the page expires', async () => {
    await world.perform('readMarketAuthUrl', {});
    for (let turn = 0; turn < 125; turn += 1) {
      world.clock.advance(5_000);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const over = await asked('readMarketStatus');
    expect(over).toBeGreaterThan(1);
    world.clock.advance(60_000);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await asked('readMarketStatus')).toBe(over);
  });
});

describe('fee quotes for an approval', () => {
  beforeEach(() => begin());
  afterEach(end);

  /** Counts quotes, without the call that confirms the fee notice. */
  const countQuotes = async (): Promise<number> => (await asked('quoteFees')) - (await world.happened('fee_confirmed'));

  test('a publish uses one quote for the prompt and one at the approval', async () => {
    const { listingId } = await world.reviewed();
    await get(`/listings/${listingId}`);
    await post(`/listings/${listingId}/channels/fees`, { action: 'quote' });
    await post(`/market/publish/${listingId}`, {});
    await world.perform('publishListing', { params: { listingId } });
    expect(await asked('quoteFees')).toBe(1);
    const done = await world.yes();
    expect(done.state).toBe('done');
    expect(await countQuotes()).toBe(2);
  });

  test('a fee is quoted again if the quote is old or the listing has changed', async () => {
    const { listingId } = await world.reviewed();
    const look = () => world.perform('publishListing', { params: { listingId } });
    await look();
    await look();
    expect(await countQuotes()).toBe(1);
    world.clock.advance(10 * 60_000);
    await look();
    expect(await countQuotes()).toBe(2);
    await world.perform('updateListing', { params: { listingId }, body: { price: 1_900 } });
    await look();
    expect(await countQuotes()).toBe(3);
    await world.practice.call(await readServiceKey(), 'PUT', `/listings/${listingId}`, { price: 2_900 });
    await look();
    expect(await countQuotes()).toBe(4);
  });

  test('a fee that rose after the prompt was shown is not paid', async () => {
    const asking = await world.asked();
    await world.practice.control('POST', '/fees', { extraMinor: 999 });
    const after = await world.approve(asking);
    expect([after.state, after.prompt.money?.totalMinor]).toEqual(['pending', 1_034]);
    expect(await world.happened('publish')).toBe(0);
  });
});
