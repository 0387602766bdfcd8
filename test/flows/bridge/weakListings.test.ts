import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { startScene, type Paired, type Scene } from '../../helpers/bridge/scene.ts';
import { connect } from './mcp/clients.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await startScene();
});
afterEach(() => scene.close());

const title = 'Item, black – see photos';
const weak = { title, description: `<p>${title}</p>`, categoryId: '9999' };
const warnings = z.array(z.object({ code: z.string(), sentence: z.string() }));
const asked = z.object({ approval: z.looseObject({ id: z.string(), warnings }) });
const listCodes = (found: z.infer<typeof warnings>): string[] => found.map(({ code }) => code);

/** Creates listings of the person that the companion has read. */
const createOwnListings = async (count: number): Promise<string[]> => {
  const { world } = scene;
  const key = (await world.secrets.get('agent-key practice')) ?? '';
  const ids = [];
  for (let at = 0; at < count; at += 1) {
    const listingId = await world.practice.written(key);
    await world.practice.call(key, 'PUT', `/listings/${listingId}`, { ...weak, price: 1_000 + at });
    await world.listing(listingId);
    ids.push(listingId);
  }
  return ids;
};

const createWrittenListing = async (assistant: Paired): Promise<string> => {
  const { itemId } = z
    .looseObject({ itemId: z.string() })
    .parse((await assistant.call('POST', '/companion/items', { body: { folder: await allowFolder(assistant) } })).body);
  const { listingId } = await scene.world.until(async () => {
    const { body } = await assistant.call('GET', `/companion/items/${itemId}`);
    const { item } = z
      .object({ item: z.looseObject({ step: z.string(), listingId: z.string().nullable() }) })
      .parse(body);
    return item.step === 'review' ? item : null;
  }, 'the review');
  return listingId ?? '';
};

const allowFolder = async ({ assistantId }: Paired): Promise<string> => {
  const folder = await scene.world.folder('desk lamp', 2);
  scene.world.companion().assistants.change(assistantId, { folders: [folder] });
  return folder;
};

const requestPublish = async (assistant: Paired, listingId: string) => {
  const { status, body } = await assistant.call('POST', `/market/publish/${listingId}`, { body: {} });
  expect(status).toBe(202);
  return asked.parse(body).approval;
};

test('the answer of a publish request names what is weak, and so does the approval until it is decided', async () => {
  const [first = ''] = await createOwnListings(3);
  const approval = await requestPublish(scene.one, first);
  expect(approval.warnings).toEqual([
    { code: 'TITLE_SHORT', sentence: 'The title is short' },
    { code: 'TITLE_SHARED', sentence: '2 others have this title' },
    { code: 'CATEGORY_GENERAL', sentence: 'The category is too general' },
  ]);
  const path = `/companion/approvals/${approval.id}`;
  expect((await scene.one.call('GET', path)).body).toMatchObject({ approval: { warnings: approval.warnings } });
  await scene.one.call('DELETE', path);
  expect(
    z.object({ approval: z.object({}).loose() }).parse((await scene.one.call('GET', path)).body).approval,
  ).not.toHaveProperty('warnings');
});

test('a batch of publish requests names what is weak in each row', async () => {
  const ids = await createOwnListings(2);
  const requests = ids.map((listingId) => ({ method: 'POST', path: `/market/publish/${listingId}` }));
  const { body } = await scene.one.call('POST', '/companion/approvals/batch', { body: { requests } });
  const rows = z.object({ approvals: z.array(asked) }).parse(body).approvals;
  expect(rows.map(({ approval }) => listCodes(approval.warnings))).toEqual([
    ['TITLE_SHORT', 'CATEGORY_GENERAL'],
    ['TITLE_SHORT', 'CATEGORY_GENERAL'],
  ]);
});

test('an assistant learns nothing about the listings that it may not see', async () => {
  const { one, other, world } = scene;
  await createOwnListings(6);
  const listingId = await createWrittenListing(one);
  await one.call('PUT', `/listings/${listingId}`, { body: { ...weak, price: 1_000 } });
  world.companion().assistants.change(one.assistantId, { touches: 'own' });
  const read = async (assistant: Paired) => (await requestPublish(assistant, listingId)).warnings;
  expect(listCodes(await read(one))).toEqual(['TITLE_SHORT', 'CATEGORY_GENERAL']);
  const items = z
    .object({ items: z.array(z.looseObject({ warnings })) })
    .parse((await one.call('GET', '/companion/items')).body);
  expect(items.items.map((item) => listCodes(item.warnings))).toEqual([['TITLE_SHORT', 'CATEGORY_GENERAL']]);
  expect((await read(other)).find(({ code }) => code === 'TITLE_SHARED')?.sentence).toBe('6 others have this title');
});

test('the MCP tools return the same warnings as the listing routes', async () => {
  const [first = ''] = await createOwnListings(3);
  const client = await connect(scene.url, scene.one.token);
  const codes = ['TITLE_SHORT', 'TITLE_SHARED', 'CATEGORY_GENERAL'];
  const read = async (tool: string, values: Record<string, unknown>) => (await client.call(tool, values)).data;
  const own = z.looseObject({ warnings });
  expect(listCodes(own.parse(await read('get_listing', { listingId: first, photo: 0 })).warnings)).toEqual(codes);
  const listed = z
    .looseObject({ listings: z.array(own) })
    .parse(await read('list_listings', { status: 'pending_review' }));
  expect(listed.listings.map((listing) => listCodes(listing.warnings))).toEqual(Array(3).fill(codes));
  const pending = z
    .looseObject({ warnings, requestId: z.string() })
    .parse(await read('publish_listing', { listingId: first }));
  expect(listCodes(pending.warnings)).toEqual(codes);
  expect(listCodes(own.parse(await read('check_request', { requestId: pending.requestId })).warnings)).toEqual(codes);
  await client.close();
});
