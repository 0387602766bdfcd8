import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { tools } from '../../../src/bridge/mcp/tools/index.ts';
import { operationKeys } from '../../../src/bridge/ownOperations.ts';
import { routes } from '../../../src/contract/index.ts';
import { pairWithId, type Paired } from '../../helpers/bridge/scene.ts';
import { putCodePhoto } from '../../helpers/photos/putCodePhoto.ts';
import { startRecordingProxy } from '../../helpers/hosts/recordingProxy.ts';
import { startTestPractice } from '../../helpers/practice.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { runCommand } from '../cli/command.ts';

const runs = 2_000;
const minuteMs = 60_000;

let close: () => Promise<void> = () => Promise.resolve();
afterEach(() => close());

/** Each private text begins with this word, which occurs nowhere else, also not in another case. */
const mark = 'zqcanary';
const markedText = fc.stringMatching(/^[a-z0-9]{38}$/).map((text) => `${mark}${text}`);
const minor = fc.integer({ min: 700_000_000, max: 999_999_999 });
const money = fc.record({ minor, currency: fc.constant('EUR') });
const shelfValues = fc.record({
  sku: markedText,
  place: markedText,
  boughtFrom: markedText,
  note: markedText,
  tags: fc.array(markedText, { minLength: 1, maxLength: 3 }),
  cost: money,
  postagePaid: money,
  otherCosts: money,
});
type ShelfValues = typeof shelfValues extends fc.Arbitrary<infer V> ? V : never;

/** Returns what must be in no text: the mark, and the amounts in minor and major units. */
const listSecrets = ({ cost, postagePaid, otherCosts }: ShelfValues): string[] => [
  mark,
  ...[cost, postagePaid, otherCosts].flatMap((one) => [String(one.minor), (one.minor / 100).toFixed(2)]),
];

const startRecordedWorld = async () => {
  const practice = await startTestPractice();
  const proxy = await startRecordingProxy(practice.url);
  const world = await startWorld({ practice, reach: () => proxy.url });
  const bridge = await world.bridge();
  close = async () => {
    await bridge.stop();
    await world.close();
    await proxy.close();
    await practice.close();
  };
  const assistant = await pairWithId(world, bridge.url, 'Tidy Helper');
  world.companion().assistants.change(assistant.assistantId, { touches: 'all' });
  return { world, proxy, assistant };
};

/** The SKU of a label that is among the photos of the person and of the assistant. */
const labelSku = `${mark}label1`;

type Story = { itemId: string; listingId: string; live: string; folder: string };

/** Drops folders with private words in their names, by the person and by the assistant, and has them written. */
const startStory = async (world: World, assistant: Paired): Promise<Story> => {
  const { itemId: labelled } = await world.reviewed('old chair', 1);
  world.companion().shelf.change({ itemIds: [labelled] }, { sku: labelSku });
  world.companion().changeSettings({ folderPattern: '{place} {title} {cost}' });
  const names = ['lamp', 'teapot', 'hat'].map((name, at) => `${mark}folder${at} brass ${name} 7654${at}.21`);
  const paths = await Promise.all(names.map((name) => world.folder(name, 1)));
  for (const path of paths) await putCodePhoto(path, 'label.jpg', 'qrcode', labelSku);
  const { itemIds } = await world.companion().add({ kind: 'paths', paths });
  for (const itemId of itemIds) {
    expect(world.companion().shelf.read({ itemId }).fields.place).toMatch(mark);
    await world.item(itemId, 'review');
    expect(world.companion().shelf.read({ itemId }).fields.sku).toBe(labelSku);
  }
  const folder = await world.folder('harrow shirt', 1);
  await putCodePhoto(folder, 'label.jpg', 'qrcode', labelSku);
  world.companion().assistants.change(assistant.assistantId, { folders: [folder] });
  const added = await assistant.call('POST', '/companion/items', { body: { folder } });
  const { itemId } = z.looseObject({ itemId: z.string() }).parse(added.body);
  const { listingId } = await world.item(itemId, 'review');
  const live = await world.practice.live((await world.secrets.get('agent-key practice')) ?? '');
  await world.perform('readListing', { params: { listingId: live } });
  return { itemId, listingId: listingId ?? '', live, folder };
};

/** One way to learn something. Returns what the asker got. */
type Way = { name: string; ask: (run: number) => Promise<unknown> };

/** The bridge's own operations and all routes of the service, with the ids of the item and its listings. */
const listHttpWays = (assistant: Paired, { itemId, listingId, live }: Story): Way[] => {
  const own = operationKeys.map((key) => key.split(' '));
  const service = Object.values(routes).map(({ method, path }) => [method, path]);
  // A pairing is rare and limited, events never end, and these routes end the connection.
  const isUsed = (path: string): boolean => !/pairing|events|\/mcp|disconnect|logout|revoke/i.test(path);
  return [...own, ...service].flatMap(([method = '', path = '']) =>
    isUsed(path) && !(method === 'DELETE' && path.includes('templates'))
      ? [listingId, live].map((id) => {
          const ids: Record<string, string> = { itemId, id: itemId, listingId: id };
          const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? 'none');
          return {
            name: `${method} ${path}`,
            ask: () => assistant.call(method, filled, method === 'GET' ? {} : { body: {} }),
          };
        })
      : [],
  );
};

/** Every tool, with arguments that it accepts, and its uses of the shelf, which are refused. */
const listToolWays = (world: World, assistant: Paired, { itemId, listingId, live, folder }: Story): Way[] => {
  const getNewestRequest = (): string => world.companion().approvals.listNewest(1)[0]?.approvalId ?? 'none';
  const uses: Record<string, ((run: number) => object)[]> = {
    get_standing: [() => ({})],
    list_listings: [() => ({}), () => ({ query: 'shirt' }), () => ({ place: mark }), () => ({ tag: mark })],
    get_listing: [() => ({ listingId }), () => ({ listingId: live, photo: 0 })],
    view_photos: [() => ({ listingId }), () => ({ listingId: live })],
    create_listing_from_photos: [() => ({ folder, waitS: 0 })],
    check_request: [() => ({}), () => ({ itemId }), () => ({ itemIds: [itemId] })],
    withdraw_request: [() => ({ requestId: getNewestRequest() })],
    edit_listing: [(run) => ({ listingId, title: `Shirt no. ${run}` }), () => ({ listingId, shelf: { note: 'mine' } })],
    quote_fees: [() => ({ listingId })],
    publish_listing: [() => ({ listingId })],
    change_live_listing: [(run) => ({ listingId: live, priceCents: 1_000 + run })],
    end_listing: [() => ({ listingId: live })],
    relist: [() => ({ listingId: live })],
    find_category: [() => ({ query: 'shirt' })],
    find_comparable_prices: [() => ({ query: 'shirt' })],
    read_sales: [() => ({ byItem: true })],
    read_notifications: [() => ({})],
    list_service_routes: [() => ({})],
    call_service: [() => ({ route: 'readListing', params: { listingId } }), () => ({ route: 'listListings' })],
  };
  expect(Object.keys(uses).toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
  return Object.entries(uses).flatMap(([name, all]) =>
    all.map((createArguments) => ({
      name,
      ask: (run: number) =>
        assistant.call('POST', '/mcp', {
          headers: { accept: 'application/json, text/event-stream' },
          body: { jsonrpc: '2.0', id: run, method: 'tools/call', params: { name, arguments: createArguments(run) } },
        }),
    })),
  );
};

const listCommandWays = (world: World, { token }: Paired, { itemId, listingId, live }: Story): Way[] =>
  [
    ['status'],
    ['list', '--limit', '100'],
    ['list', '--place', mark],
    ['show', listingId, '--json'],
    ['show', live],
    ['show', itemId, '--json'],
    ['shelf', listingId],
    ['shelf', live, '--note', 'mine', '--json'],
    ['approvals'],
  ].map((args) => ({ name: args.slice(0, 2).join(' '), ask: () => runCommand(world.dataDir, args, { token }) }));

/** The person says yes to the changes of live listings, and the other prompts end. */
const answerPrompts = async (world: World): Promise<void> => {
  const { approvals } = world.companion();
  for (const { approvalId, digest, route } of approvals.listPending())
    if (route === 'reviseListing') await world.approve({ approvalId, digest });
    else approvals.decline(approvalId, digest, 'no');
};

test('no value of the shelf is in a request to the service or in an answer to an assistant without the right', async () => {
  const { world, proxy, assistant } = await startRecordedWorld();
  const story = await startStory(world, assistant);
  const { itemId, listingId, live } = story;
  const ways = [
    ...listHttpWays(assistant, story),
    ...listToolWays(world, assistant, story),
    ...listCommandWays(world, assistant, story),
  ];
  const { shelf } = world.companion();
  const targets = [{ itemIds: [itemId] }, { listingIds: [listingId] }, { listingIds: [live] }];
  const asked = new Set<string>();
  const sent: { method: string; path: string }[] = [];
  const findLeaks = (name: string, values: ShelfValues, texts: readonly unknown[]): string[] =>
    texts
      .map((one) => JSON.stringify(one) ?? '')
      .filter((text) => listSecrets(values).some((secret) => text.toLowerCase().includes(secret)))
      .map((text) => `${name}: ${text.slice(0, 2_000)}`);
  // What the person says by dropping the folders reaches the service before the first run.
  expect(proxy.take().filter(({ body, path }) => `${path}${body}`.toLowerCase().includes(mark))).toEqual([]);
  let run = 0;
  await fc.assert(
    fc.asyncProperty(shelfValues, fc.constantFrom(...targets), async (values, target) => {
      shelf.change(target, values);
      const way = ways[run % ways.length];
      if (way === undefined) throw new Error('There is no way to ask.');
      run += 1;
      const answer = await way.ask(run);
      asked.add(way.name);
      await answerPrompts(world);
      // No limit of the bridge refuses the next run.
      world.clock.advance(minuteMs);
      const requests = proxy.take();
      sent.push(...requests.map(({ method, path }) => ({ method, path })));
      expect(findLeaks(way.name, values, [answer, ...requests])).toEqual([]);
    }),
    { numRuns: runs, endOnFailure: true },
  );
  expect(asked.size).toBeGreaterThan(100);
  // The requests really reached the service: edits of both askers, and the approved changes of the live listing.
  const count = (method: string, path: string): number =>
    sent.filter((one) => one.method === method && one.path.includes(path)).length;
  expect(count('PUT', `/listings/${listingId}`)).toBeGreaterThan(10);
  expect(count('POST', `/market/revise/${live}`)).toBeGreaterThan(3);
}, 180_000);
