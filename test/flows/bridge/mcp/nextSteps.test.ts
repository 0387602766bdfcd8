import { afterEach, beforeEach, expect, test } from 'vitest';
import { readServiceKey } from '../../../helpers/approvals/decisions.ts';
import { pairAssistant } from '../../../helpers/assistant.ts';
import { connect } from './clients.ts';
import { startMcp, type Mcp } from './startMcp.ts';

let mcp: Mcp;
beforeEach(async () => {
  mcp = await startMcp();
});
afterEach(() => mcp.close());

const containing = (part: string): unknown => expect.stringContaining(part);
const call = (name: string, args: Record<string, unknown> = {}) => mcp.client.call(name, args);
const askToPublish = async (name = 'blue shoes') => {
  const { listingId } = await mcp.world.reviewed(name);
  const { data } = await call('publish_listing', { listingId });
  return { listingId, requestId: String(data['requestId']), summary: data['untrustedSummary'] };
};

test('a request that became impossible says why, and names no other request to check', async () => {
  const { listingId, requestId } = await askToPublish();
  await mcp.world.perform('publishListing', { params: { listingId } });
  const own = mcp.world
    .companion()
    .approvals.listPending()
    .find(({ approvalId }) => approvalId !== requestId);
  if (!own) throw new Error('The person has no prompt.');
  await mcp.world.approve(own);
  const { data } = await call('check_request', { requestId });
  expect(data).toMatchObject({ state: 'superseded', supersededBy: null, next: null });
  expect(data['nextStep']).toContain('untrustedOutcome');
  expect(data['nextStep']).not.toContain('Check that one');
});

test('a superseded request names its successor', async () => {
  const { listingId, requestId } = await askToPublish();
  const { data } = await call('publish_listing', { listingId, autoDelistOnSale: true });
  expect((await call('check_request', { requestId })).data).toMatchObject({
    state: 'superseded',
    supersededBy: data['requestId'],
    nextStep: containing('supersededBy'),
    next: { tool: 'check_request', arguments: { requestId: data['requestId'] } },
  });
});

test('an assistant that has lost its ids lists its own open requests and withdraws one', async () => {
  const one = await askToPublish('blue shoes');
  const two = await askToPublish('desk lamp');
  expect((await call('check_request', { requestId: 'ap_none' })).data).toMatchObject({
    code: 'NOT_FOUND',
    nextStep: containing('check_request without an id'),
  });
  const other = await connect(mcp.bridge.url, (await pairAssistant(mcp.world, mcp.bridge.url, 'Other')).token);
  expect((await other.call('check_request')).data).toMatchObject({ requests: [], nextStep: containing('None') });
  expect((await other.call('withdraw_request', { requestId: one.requestId })).data).toMatchObject({
    code: 'NOT_FOUND',
  });
  await other.close();

  expect((await call('check_request')).data).toMatchObject({
    requests: [
      { requestId: two.requestId, state: 'pending', untrustedSummary: two.summary },
      { requestId: one.requestId, state: 'pending', untrustedSummary: one.summary },
    ],
    nextStep: containing('withdraw_request'),
  });
  const withdrawn = { requestId: one.requestId, state: 'withdrawn', next: null };
  expect((await call('withdraw_request', { requestId: one.requestId })).data).toMatchObject(withdrawn);
  expect((await call('withdraw_request', { requestId: one.requestId })).data).toMatchObject(withdrawn);
  expect((await call('check_request')).data).toMatchObject({ requests: [{ requestId: two.requestId }] });
  expect(mcp.world.companion().approvals.listPending()).toHaveLength(1);
});

test('withdrawing a request that the person has answered changes nothing', async () => {
  const { listingId, requestId } = await askToPublish();
  await mcp.world.yes();
  expect((await call('withdraw_request', { requestId })).data).toMatchObject({ state: 'done' });
  expect((await mcp.world.listing(listingId)).status).toBe('published');
});

test.each(['edit_listing', 'change_live_listing'])(
  'an argument that %s does not have is named if nothing else is changed',
  async (tool) => {
    const { listingId } = await mcp.world.reviewed();
    const { data } = await call(tool, { listingId, price: 4_200 });
    expect(data).toMatchObject({ code: 'INVALID_REQUEST', field: 'price', error: containing('“price”') });
    expect(data['nextStep']).toContain('priceCents');
    expect((await call(tool, { listingId })).data).toMatchObject({ code: 'INVALID_REQUEST' });
    expect((await call(tool, { listingId })).data).not.toHaveProperty('field');
  },
);

test('get_standing says first that no publish is left today', async () => {
  const { assistants } = mcp.world.companion();
  assistants.change(mcp.assistantId, { publishesPerDay: 1 });
  expect((await call('get_standing')).data['nextStep']).not.toContain('No publish is left');
  await askToPublish();
  await mcp.world.yes();
  const { data } = await call('get_standing');
  expect(data['nextStep']).toMatch(/^No publish is left today/);
  expect(data).toMatchObject({ you: { budget: { publishesPerDay: 1, publishesToday: 1 } } });
});

test('a saved condition that the category does not accept is reported at once', async () => {
  const { listingId } = await mcp.world.reviewed();
  const { categoryId } = await mcp.world.listing(listingId);
  const { data } = await call('edit_listing', { listingId, condition: 'FOR_PARTS_OR_NOT_WORKING' });
  expect(data).toMatchObject({
    state: 'done',
    blockers: [{ code: 'CONDITION_NOT_ALLOWED', field: 'condition' }],
    nextStep: containing('find_category'),
    next: { tool: 'find_category', arguments: { categoryId } },
  });
  const { data: accepted } = await call('find_category', { categoryId });
  const [{ condition } = {}] = accepted['conditions'] as { condition?: string }[];
  expect((await call('edit_listing', { listingId, condition })).data).toMatchObject({
    blockers: [],
    next: { tool: 'get_listing' },
  });
});

test.each([
  ['list_listings', 'get_listing'],
  ['get_listing', 'list_listings'],
])('after a sale that %s has shown, %s shows the same', async (first, second) => {
  const listingId = await mcp.world.practice.live(await readServiceKey(mcp.world));
  const readStatus = async (tool: string): Promise<unknown> => {
    const { data } = await call(tool, tool === 'get_listing' ? { listingId, photo: 0 } : {});
    const listings = (data['listings'] ?? [data]) as { listingId: string; status: string }[];
    return listings.find((one) => one.listingId === listingId)?.status;
  };
  expect(await readStatus(second)).toBe('published');
  mcp.world.clock.advance(40_000);
  await mcp.world.practice.control('POST', '/sales', { listingId });
  expect(await readStatus(first)).toBe('sold');
  expect(await readStatus(second)).toBe('sold');
});

test('a batch is one open request, and is withdrawn as one', async () => {
  const [one, two] = [await mcp.world.reviewed('blue shoes'), await mcp.world.reviewed('desk lamp')];
  const { data } = await call('publish_listing', { listingIds: [one.listingId, two.listingId] });
  expect((await call('check_request')).data).toMatchObject({
    requests: [{ requestId: data['requestId'], listings: 2 }],
  });
  const withdrawn = { state: 'over', counts: { withdrawn: 2 } };
  expect((await call('withdraw_request', { requestId: data['requestId'] })).data).toMatchObject(withdrawn);
  expect((await call('withdraw_request', { requestId: data['requestId'] })).data).toMatchObject(withdrawn);
  expect((await call('check_request')).data).toMatchObject({ requests: [] });
  const other = await connect(mcp.bridge.url, (await pairAssistant(mcp.world, mcp.bridge.url, 'Other')).token);
  expect((await other.call('withdraw_request', { requestId: data['requestId'] })).data).toMatchObject({
    code: 'NOT_FOUND',
  });
  await other.close();
});
