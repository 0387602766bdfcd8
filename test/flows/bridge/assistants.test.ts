import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { AssistantChanges } from '../../../src/core/assistants/assistant.ts';
import { pairAssistant } from '../../helpers/assistant.ts';
import { drawnPhoto } from '../../helpers/practice.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
beforeEach(async () => {
  world = await startWorld();
  bridge = await world.bridge();
});
afterEach(async () => {
  await bridge.stop();
  await world.close();
});

const pairAndChange = async (changes: AssistantChanges) => {
  const assistant = await pairAssistant(world, bridge.url);
  const [view] = world.companion().assistants.list().assistants;
  world.companion().assistants.change(view?.assistantId ?? '', changes);
  return { ...assistant, assistantId: view?.assistantId ?? '' };
};
const readServiceKey = async () => (await world.secrets.get('agent-key practice')) ?? '';
const createWrittenListing = async () => world.practice.written(await readServiceKey());
const publishListing = async (assistant: Awaited<ReturnType<typeof pairAndChange>>) =>
  assistant.call('POST', `/market/publish/${await createWrittenListing()}`);

const createDraft = async (assistant: Awaited<ReturnType<typeof pairAndChange>>): Promise<string> =>
  z.object({ listingId: z.string() }).parse((await assistant.call('POST', '/listings', { body: {} })).body).listingId;

describe('daily budgets of an assistant', () => {
  test('the daily budget of publishes includes pending publishes', async () => {
    const assistant = await pairAndChange({ publishesPerDay: 2 });
    expect((await publishListing(assistant)).status).toBe(202);
    await world.yes();
    expect((await publishListing(assistant)).status).toBe(202);
    const third = await publishListing(assistant);
    expect(third).toMatchObject({ status: 429, body: { code: 'BUDGET_SPENT' } });
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
    expect(world.companion().approvals.listPending()).toHaveLength(1);
    expect((await assistant.call('GET', '/companion/me')).body).toMatchObject({
      budget: { publishesPerDay: 2, publishesToday: 2 },
    });
  });

  test('the daily budget of fees includes pending publishes but not declined publishes', async () => {
    const assistant = await pairAndChange({ moneyCentsPerDay: 50 });
    expect((await publishListing(assistant)).status).toBe(202);
    expect((await publishListing(assistant)).body).toMatchObject({ code: 'BUDGET_SPENT' });
    const [waiting] = world.companion().approvals.listPending();
    world.companion().approvals.decline(waiting?.approvalId ?? '', waiting?.digest ?? '', 'no');
    expect((await publishListing(assistant)).status).toBe(202);
  });

  test('a daily budget starts again after midnight', async () => {
    const assistant = await pairAndChange({ publishesPerDay: 1 });
    await publishListing(assistant);
    await world.yes();
    expect((await publishListing(assistant)).status).toBe(429);
    world.clock.advance(25 * 3_600_000);
    expect((await publishListing(assistant)).status).toBe(202);
  });

  test('an assistant’s daily budget does not limit the person', async () => {
    await pairAndChange({ publishesPerDay: 0 });
    expect((await world.perform('publishListing', { params: { listingId: await createWrittenListing() } })).state).toBe(
      'pending',
    );
  });
});

describe('an assistant limited to its own listings', () => {
  test('an assistant limited to its own listings cannot read, edit or publish other listings', async () => {
    const others = await createWrittenListing();
    const assistant = await pairAndChange({ touches: 'own' });
    const listingId = await createDraft(assistant);
    const ids = z.object({ listings: z.array(z.looseObject({ listingId: z.string() })) });
    expect(ids.parse((await assistant.call('GET', '/listings')).body).listings.map((one) => one.listingId)).toEqual([
      listingId,
    ]);
    for (const [method, path, body] of [
      ['GET', `/listings/${others}`, undefined],
      ['PUT', `/listings/${others}`, { title: 'Mine now' }],
      ['POST', `/market/publish/${others}`, {}],
      ['POST', '/listings/upload-url', { listingId: others, files: [{ contentType: 'image/jpeg', index: 0 }] }],
    ] as const) {
      expect(await assistant.call(method, path, { body })).toMatchObject({
        status: 403,
        body: { code: 'NOT_YOUR_LISTING' },
      });
    }
    expect((await assistant.call('PUT', `/listings/${listingId}`, { body: { title: 'My own' } })).status).toBe(200);
  });

  const ownPage = z.strictObject({
    listings: z.array(z.looseObject({ listingId: z.string() })),
    nextCursor: z.string().nullable(),
  });

  test('the pages of its own listings are the same whether or not there are other listings', async () => {
    const assistant = await pairAndChange({ touches: 'own' });
    const own: string[] = [];
    for (const title of ['Red fox', 'Blue fox', 'Tin robot']) {
      own.unshift(await createDraft(assistant));
      await assistant.call('PUT', `/listings/${own[0]}`, { body: { title } });
      await createWrittenListing();
      await createWrittenListing();
      world.clock.advance(60_000);
    }
    const readPage = async (query: string) => ownPage.parse((await assistant.call('GET', `/listings?${query}`)).body);
    const first = await readPage('limit=2');
    expect(first.listings.map((one) => one.listingId)).toEqual(own.slice(0, 2));
    expect(first.nextCursor).toBe('2');
    const second = await readPage(`limit=2&cursor=${first.nextCursor}`);
    expect([second.listings.map((one) => one.listingId), second.nextCursor]).toEqual([own.slice(2), null]);
    expect((await readPage('limit=3')).nextCursor).toBeNull();
    expect((await readPage('q=fox')).listings).toHaveLength(2);
    expect((await readPage('q=book')).listings).toEqual([]);
    expect((await readPage('status=pending_review')).listings).toEqual([]);
    expect(await assistant.call('GET', '/listings?cursor=lst_1')).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', field: 'cursor' },
    });
  });

  test('its notifications and their count are those of its own listings, whatever the limit', async () => {
    const assistant = await pairAndChange({ touches: 'own' });
    await createWrittenListing();
    const listingId = await createDraft(assistant);
    const key = await readServiceKey();
    const files = [{ contentType: 'image/jpeg', index: 0 }];
    const slots = await world.practice.call(key, 'POST', '/listings/upload-url', { listingId, files });
    const [slot] = z.array(z.looseObject({ uploadUrl: z.string() })).parse(slots.body);
    await world.practice.upload(slot?.uploadUrl ?? '', await drawnPhoto());
    await world.practice.call(key, 'POST', `/listings/${listingId}/generate`, {});
    await world.practice.settled(key, listingId);
    await createWrittenListing();
    world.clock.advance(61_000);
    for (const query of ['', '?limit=1', '?limit=2'])
      expect((await assistant.call('GET', `/notifications${query}`)).body).toEqual({
        notifications: [expect.objectContaining({ listingId })],
        unread: 1,
        nextCursor: null,
      });
    expect((await assistant.call('GET', '/notifications?cursor=9')).body).toMatchObject({ notifications: [] });
  });

  test.each([
    ['GET', '/insights/summary'],
    ['GET', '/insights/inventory'],
    ['GET', '/insights/items'],
    ['GET', '/insights/day'],
    ['PUT', '/notifications/ntf_1/read'],
    ['POST', '/notifications/mark-viewed'],
  ])('%s %s is refused, because it is about the whole shop', async (method, path) => {
    const assistant = await pairAndChange({ touches: 'own' });
    const refusal = { status: 403, body: { code: 'OWN_LISTINGS_ONLY' } };
    expect(await assistant.call(method, path, method === 'GET' ? {} : { body: {} })).toMatchObject(refusal);
    world.companion().assistants.change(assistant.assistantId, { touches: 'all' });
    expect(await assistant.call(method, path, method === 'GET' ? {} : { body: {} })).not.toMatchObject(refusal);
  });

  test('a listing that does not exist is refused like the listing of another', async () => {
    const others = await createWrittenListing();
    const assistant = await pairAndChange({ touches: 'own' });
    const refusals = await Promise.all(
      [others, 'lst_none'].map(async (id) => {
        const { status, body } = await assistant.call('GET', `/listings/${id}`);
        return { status, body };
      }),
    );
    expect(refusals[0]).toEqual(refusals[1]);
  });
});

test('a paused assistant is refused until it is resumed', async () => {
  const assistant = await pairAndChange({ paused: true });
  expect((await assistant.call('GET', '/agent/me')).status).toBe(403);
  world.companion().assistants.change(assistant.assistantId, { paused: false });
  expect((await assistant.call('GET', '/agent/me')).status).toBe(200);
});

test('an assistant’s reason is stored separately from the prompt', async () => {
  const assistant = await pairAndChange({});
  const headers = { 'companion-reason': encodeURIComponent('You said “sell the lamp” – now. Approve at once!') };
  await assistant.call('POST', `/market/publish/${await createWrittenListing()}`, { headers });
  const [waiting] = world.companion().approvals.listPending();
  expect(waiting?.reason).toBe('You said “sell the lamp” – now. Approve at once!');
  expect(JSON.stringify(waiting?.prompt)).not.toContain('Approve at once');
});

describe('notifications with an approve button', () => {
  const small = { description: '', itemSpecifics: { 'Book Title': 'Rivers' } };
  const getNotification = async (assistant: Awaited<ReturnType<typeof pairAndChange>>, body: object = small) => {
    const listingId = await createWrittenListing();
    await assistant.call('PUT', `/listings/${listingId}`, { body });
    await assistant.call('POST', `/market/publish/${listingId}`);
    return world.notices.at(-1);
  };
  /** Pairs an assistant, agrees to the site's fee notice, and allows approval from a notification up to a fee. */
  const allowNotificationApproval = async (publishFromNotificationMinor = 35) => {
    const assistant = await pairAndChange({});
    await publishListing(assistant);
    await world.yes();
    world.companion().changeSettings({ publishFromNotificationMinor });
    return assistant;
  };

  test('a notification has no approve button by default or before the fee notice is accepted', async () => {
    const assistant = await pairAndChange({});
    expect((await getNotification(assistant))?.yes).toBeUndefined();
    world.companion().changeSettings({ publishFromNotificationMinor: 100 });
    expect((await getNotification(assistant))?.yes).toBeUndefined();
  });

  test('a notification has an approve button if the fee is within the person’s limit', async () => {
    const assistant = await allowNotificationApproval(34);
    expect((await getNotification(assistant))?.yes).toBeUndefined();
    world.companion().changeSettings({ publishFromNotificationMinor: 35 });
    const offered = await getNotification(assistant);
    expect(offered?.yes?.label).toBe('Publish for US$0.35');
    const done = await world.pressYes(offered?.approvalId ?? '', offered?.yes?.digest ?? '');
    expect(done.state).toBe('done');
    expect(await world.happened('publish')).toBe(2);
  });

  test('a notification with an approve button contains every fact of the prompt', async () => {
    const offered = await getNotification(await allowNotificationApproval());
    const prompt = world.companion().approvals.readView(offered?.approvalId ?? '').prompt;
    const left = ['listingId', 'status', 'createdAt', 'categoryId', 'currency', 'listingLanguage', 'visible'];
    // A buyer needs the name and the terms of a policy, but not its id.
    const facts = prompt.facts.filter(({ key }) => !left.includes(key) && !key.endsWith(' policyId'));
    expect(facts.map(({ namespace }) => namespace)).toEqual(
      expect.arrayContaining(['policies', 'defaults', 'account']),
    );
    for (const { value } of facts) expect(offered?.text).toContain(value);
  });

  test('a notification that cannot show everything has no approve button', async () => {
    const assistant = await allowNotificationApproval();
    expect((await getNotification(assistant, { ...small, description: 'Broken. '.repeat(60) }))?.yes).toBeUndefined();
    expect((await getNotification(assistant, { ...small, title: 'Rivers” · Price: “US$1' }))?.yes).toBeUndefined();
    expect((await getNotification(assistant, { ...small, title: 'Rivers\u034f' }))?.yes).toBeUndefined();
  });

  test('markup characters in a notification are replaced by look-alikes', async () => {
    const assistant = await allowNotificationApproval();
    const shownTitles: Record<string, string> = {
      'Rivers <b>': 'Rivers ‹b›',
      'Rivers&lt;b': 'Rivers＆lt;b',
      'Rivers \\n': 'Rivers ∖n',
      'Rivers &#60;': 'Rivers ＆#60;',
      'B&B': 'B＆B',
      'Rivers & lakes': 'Rivers & lakes',
    };
    for (const [title, shown] of Object.entries(shownTitles)) {
      const notification = await getNotification(assistant, { ...small, title });
      expect(notification?.text).toContain(`“${shown}”`);
      expect(notification?.yes).toBeDefined();
      world.companion().approvals.decline(notification?.approvalId ?? '', notification?.yes?.digest ?? '', 'no');
    }
  });

  test('a notification with an approve button quotes listing text and names an auction', async () => {
    const offered = await getNotification(await allowNotificationApproval(100), {
      ...small,
      title: 'Rivers · Price: US$4,900.00',
      itemSpecifics: { 'Book Title': 'Rivers', Price: 'US$4,900.00', Fee: 'free' },
    });
    expect(offered?.yes).toBeDefined();
    expect(offered?.text).toContain('“Rivers · Price: US$4,900.00” · Price: US$12.99');
    expect(offered?.text).toContain('“Fee”: “free” · “Price”: “US$4,900.00”');
    const listingId = await createWrittenListing();
    await world.perform('updateListing', { params: { listingId }, body: { ...small, format: 'AUCTION' } });
    await world.yes();
    await pairAndChange({}).then((other) => other.call('POST', `/market/publish/${listingId}`));
    expect(world.notices.at(-1)?.text).toMatch(/Format: Auction/);
  });

  test('a notification without an approve button quotes the title of the listing', async () => {
    const assistant = await pairAndChange({});
    const notification = await getNotification(assistant, { ...small, title: 'Lamp · Publish free' });
    expect(notification?.text).toMatch(/^“Lamp · Publish free” · US\$12\.99/);
  });
});
