import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { buildRoutePath, getRouteByName, type RouteName } from '../../../src/contract/index.ts';
import { countRequests } from '../../helpers/approvals/decisions.ts';
import { startScene, type Scene } from '../../helpers/bridge/scene.ts';

let scene: Scene;
afterEach(() => scene.close());

describe('pages that only the person may open', () => {
  const pages: [RouteName, string, object | undefined][] = [
    ['readMarketAuthUrl', 'Starter', undefined],
    ['connectChannel', 'Starter', undefined],
    ['createCheckoutToken', 'Free', { tier: 'pro' }],
    ['createCheckout', 'Free', { tier: 'pro' }],
    ['createPortal', 'Starter', {}],
  ];
  /** Opens the offered page and checks that it can be opened only once. */
  const openOffer = (): string => {
    const { offers } = scene.world.companion();
    const [offer] = offers.list().toReversed();
    expect(offer?.by).toBe('Tidy Helper');
    const url = offers.open(offer?.offerId ?? '');
    expect(() => offers.open(offer?.offerId ?? '')).toThrow('no longer offered');
    return url;
  };

  test.each(pages)('the assistant does not get the address of the page from %s', async (name, plan, body) => {
    scene = await startScene({ person: { plan } });
    const { world, one } = scene;
    const { method, path } = getRouteByName(name);
    const asked = await one.call(method, buildRoutePath(path, { channelId: 'corner' }), {
      ...(body ? { body } : {}),
    });
    const responses = [asked];
    const asks = asked.status === 202;
    const decided = asks ? await world.yes() : null;
    if (!asks) expect(asked.body['openedFor']).toBe('person');
    responses.push(
      await one.call('GET', '/companion/approvals'),
      await one.call(method, buildRoutePath(path, { channelId: 'corner' }), { ...(body ? { body } : {}) }),
    );
    // A page that needed an approval is opened from the outcome of the approval.
    const url = asks
      ? (world.companion().approvals.requireApproval(decided?.approvalId ?? '').outcome?.url ?? '')
      : openOffer();
    expect(url).toMatch(/^http/);
    for (const answer of responses) {
      expect(JSON.stringify(answer)).not.toContain(url);
      expect(JSON.stringify(answer.body)).not.toMatch(/https?:\/\//);
    }
    expect(world.logs.join()).not.toContain(url);
  });
});

const listOffers = () => scene.world.companion().offers.list();
test('a page that the person has dismissed is not offered again for ten minutes', async () => {
  scene = await startScene();
  const { world, one } = scene;
  const requestPage = () => one.call('GET', '/market/auth-url');
  expect((await requestPage()).status).toBe(200);
  world.companion().offers.dismiss(listOffers()[0]?.offerId ?? '');
  world.clock.advance(60_000);
  expect(await requestPage()).toMatchObject({
    status: 403,
    body: { code: 'PERSON_DECLINED', declinedBecause: 'no', retryAfterS: 540 },
  });
  expect(listOffers()).toEqual([]);
  world.clock.advance(9 * 60_000);
  expect((await requestPage()).status).toBe(200);
  expect(listOffers()).toHaveLength(1);
});

test('a dismissed page of one channel does not affect requests for other channels', async () => {
  scene = await startScene({ person: { plan: 'Starter' } });
  const connectChannel = (channelId: string) =>
    scene.one.call('GET', buildRoutePath(getRouteByName('connectChannel').path, { channelId }));
  expect((await connectChannel('corner')).status).toBe(200);
  scene.world.companion().offers.dismiss(listOffers()[0]?.offerId ?? '');
  expect((await connectChannel('corner')).body).toMatchObject({ code: 'PERSON_DECLINED' });
  // The request for the other channel reaches the service, which does not know this channel.
  expect((await connectChannel('other')).status).toBe(404);
});

/** Returns how many sign-in pages were requested from the service. */
const countSignInPages = (): Promise<number> => countRequests(scene.world, 'readMarketAuthUrl');
const requestSignInPage = () => scene.one.call('GET', '/market/auth-url');

test.each(['read', 'draft'] as const)(
  'an assistant with the scope %s cannot offer a page to the person',
  async (scope) => {
    scene = await startScene();
    scene.world.companion().assistants.change(scene.one.assistantId, { scope });
    const before = await countSignInPages();
    const refused = await requestSignInPage();
    expect([refused.status, refused.body['code']]).toEqual([403, 'NOT_ALLOWED']);
    expect([await countSignInPages(), listOffers()]).toEqual([before, []]);
  },
);

describe('repeated requests for a page that is already offered', () => {
  test('simultaneous and repeated requests by any assistant share one page', async () => {
    scene = await startScene();
    const before = await countSignInPages();
    const answers = await Promise.all([
      requestSignInPage(),
      requestSignInPage(),
      requestSignInPage(),
      scene.other.call('GET', '/market/auth-url'),
    ]);
    answers.push(await scene.one.call('GET', '/market/auth-url?again=1'), await requestSignInPage());
    for (const { status, body } of answers) expect([status, body]).toEqual([200, { openedFor: 'person' }]);
    expect(answers.at(-1)?.headers).toMatchObject({ 'companion-source': 'cache' });
    expect((await countSignInPages()) - before).toBe(1);
    expect(listOffers()).toHaveLength(1);
  });

  test('a request gets a new page from the service after the earlier page has expired', async () => {
    scene = await startScene();
    await requestSignInPage();
    const before = await countSignInPages();
    scene.world.clock.advance(10 * 60_000);
    expect(listOffers()).toEqual([]);
    await requestSignInPage();
    expect((await countSignInPages()) - before).toBe(1);
    expect(listOffers()).toHaveLength(1);
  });

  test('an assistant’s request does not replace a page that the person has opened', async () => {
    scene = await startScene();
    const openPage = async (): Promise<unknown> => {
      const done = await scene.world.perform('readMarketAuthUrl', {});
      return done.state === 'done' ? done.answer : null;
    };
    const first = await openPage();
    const before = await countSignInPages();
    await requestSignInPage();
    expect((await countSignInPages()) - before).toBe(0);
    const second = await openPage();
    expect(second).not.toEqual(first);
    // The person is never offered a link that a newer link has invalidated.
    expect(listOffers()).toEqual([]);
    await requestSignInPage();
    const [offer] = listOffers();
    expect({ authUrl: scene.world.companion().offers.open(offer?.offerId ?? '') }).toEqual(second);
  });

  test('a repeated checkout needs no new approval while the page of the first checkout is open', async () => {
    scene = await startScene({ person: { plan: 'Free' } });
    const requestCheckout = (tier: string) => scene.one.call('POST', '/subscriptions/checkout', { body: { tier } });
    expect((await requestCheckout('pro')).status).toBe(202);
    await scene.world.yes();
    expect(await requestCheckout('pro')).toMatchObject({ status: 200, body: { openedFor: 'person' } });
    expect((await requestCheckout('lite')).status).toBe(202);
  });
});

test('refusals and lists that assistants get contain no page addresses', async () => {
  const page = 'https://sign-in.example/secret';
  const service = createServer((request, response) => {
    const isPage = request.url?.startsWith('/market/auth-url') ?? false;
    const body = isPage
      ? { error: `Open ${page} first`, code: 'PAGE_OPEN', authUrl: page }
      : { channels: [{ channelId: 'corner', connectUrl: page, hint: ` ${page}` }] };
    response
      .writeHead(isPage ? 409 : 200, { 'content-type': 'application/json', location: page })
      .end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const address = service.address();
  let reached: string | null = null;
  scene = await startScene({ reach: () => reached });
  reached = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  try {
    const refused = await requestSignInPage();
    expect([refused.status, refused.body]).toEqual([409, { error: 'Open … first', code: 'PAGE_OPEN' }]);
    const tool = await scene.one.call('POST', '/mcp', {
      headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'call_service', arguments: { route: 'readMarketAuthUrl' } },
      },
    });
    const list = await scene.one.call('GET', '/channels');
    expect(list.body).toEqual({ channels: [{ channelId: 'corner' }] });
    const activity = scene.world.companion().activity.list();
    for (const seen of [refused, tool, list, activity]) expect(JSON.stringify(seen)).not.toContain('sign-in.example');
    expect(JSON.stringify(tool)).toContain('PAGE_OPEN');
  } finally {
    reached = null;
    await new Promise<void>((resolve) => service.close(() => resolve()));
  }
});
