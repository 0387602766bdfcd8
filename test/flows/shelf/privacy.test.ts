import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { operationKeys } from '../../../src/bridge/ownOperations.ts';
import { routes } from '../../../src/contract/index.ts';
import { pairWithId, type Paired } from '../../helpers/bridge/scene.ts';
import { startRecordingProxy } from '../../helpers/hosts/recordingProxy.ts';
import { startTestPractice } from '../../helpers/practice.ts';
import { startWorld, type World } from '../../helpers/world.ts';

const runs = 200;

let close: () => Promise<void> = () => Promise.resolve();
afterEach(() => close());

/** A text that occurs nowhere else. Its characters survive JSON and URLs, so that it is found in any of them. */
const canary = fc.stringMatching(/^[a-z0-9]{24}$/).map((text) => `zq${text}`);
const minor = fc.integer({ min: 700_000_000, max: 999_999_999 });
const shelfValues = fc.record({
  sku: canary,
  place: canary,
  boughtFrom: canary,
  note: canary,
  tags: fc.array(canary, { minLength: 1, maxLength: 3 }),
  cost: fc.record({ minor, currency: fc.constant('EUR') }),
  postagePaid: fc.record({ minor, currency: fc.constant('EUR') }),
  otherCosts: fc.record({ minor, currency: fc.constant('EUR') }),
});
type ShelfValues = typeof shelfValues extends fc.Arbitrary<infer V> ? V : never;

/** Returns the values, also in the spellings that the companion derives from them. */
const listSecrets = (values: ShelfValues): string[] =>
  Object.values(values)
    .flat()
    .map((value) => (typeof value === 'string' ? value : String(value.minor)))
    .flatMap((text) => [text, text.toUpperCase()]);

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
  return { world, proxy, assistant: await pairWithId(world, bridge.url, 'Tidy Helper') };
};

/** The bridge's own operations and all routes of the service, with the ids of the item and its listing. */
const listCalls = (ids: Record<string, string>) => {
  const fill = (path: string): string => path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? 'none');
  const own = operationKeys.map((key) => key.split(' '));
  const service = Object.values(routes).map(({ method, path }) => [method, path]);
  // A pairing is rare and limited, events never end, and these routes end the item or the connection.
  const isUsed = (path: string): boolean => !/pairing|events|\/mcp|disconnect|logout|revoke/i.test(path);
  return [...own, ...service].flatMap(([method = '', path = '']) =>
    isUsed(path) && method !== 'DELETE' ? [{ method, path: fill(path) }] : [],
  );
};

const callTool = (assistant: Paired, name: string, args: object) =>
  assistant.call('POST', '/mcp', {
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  });

const startStory = async (world: World, assistant: Paired) => {
  const folder = await world.folder('harrow shirt', 1);
  world.companion().assistants.change(assistant.assistantId, { folders: [folder], touches: 'all' });
  const added = await assistant.call('POST', '/companion/items', { body: { folder } });
  const { itemId } = z.looseObject({ itemId: z.string() }).parse(added.body);
  const { listingId } = await world.item(itemId, 'review');
  return { itemId, listingId: listingId ?? '' };
};

test('no value of the shelf is in a request to the service or in an answer to an assistant', async () => {
  const { world, proxy, assistant } = await startRecordedWorld();
  const { itemId, listingId } = await startStory(world, assistant);
  const calls = listCalls({ itemId, listingId, id: itemId });
  expect(calls.length).toBeGreaterThan(40);
  const { shelf } = world.companion();
  const leaks: string[] = [];
  let call = 0;
  await fc.assert(
    fc.asyncProperty(shelfValues, fc.boolean(), async (values, byItem) => {
      shelf.change(byItem ? { itemIds: [itemId] } : { listingIds: [listingId] }, values);
      expect(shelf.read({ itemId }).fields).toMatchObject(values);
      const { method, path } = calls[call++ % calls.length] ?? { method: 'GET', path: '/health' };
      const answers = [
        await assistant.call(method, path, method === 'GET' ? {} : { body: {} }),
        await assistant.call('GET', `/companion/items/${itemId}`),
        await assistant.call('PUT', `/listings/${listingId}`, { body: { title: `Shirt no. ${call}` } }),
        ...(call % 10 === 0 ? [await callTool(assistant, 'check_request', { id: itemId })] : []),
      ];
      // The clock moves, so that no limit of the bridge refuses the next run.
      await world.until(() => true);
      const texts = [...answers, ...proxy.take()].map((one) => JSON.stringify(one));
      for (const secret of listSecrets(values))
        leaks.push(...texts.filter((text) => text.includes(secret)).map((text) => `${method} ${path}: ${text}`));
      expect(leaks).toEqual([]);
    }),
    { numRuns: runs },
  );
  // The requests really reached the service and the assistant.
  expect((await world.listing(listingId)).title).toMatch(/^Shirt no\. \d/);
}, 120_000);
