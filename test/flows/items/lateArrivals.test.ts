import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { createOutboundPolicy } from '../../../src/core/service/outboundPolicy.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { pairAssistant } from '../../helpers/assistant.ts';
import { startGateway } from '../../helpers/hosts/gateway.ts';
import { drawnPhoto } from '../../helpers/practice.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let gateway: Awaited<ReturnType<typeof startGateway>>;
beforeEach(async () => {
  gateway = await startGateway(() => world.practice.url);
  world = await startWorld({
    person: null,
    reach: () => gateway.url,
    outside: createOutboundPolicy(() => gateway.url),
  });
  await world.companion().connect.practice();
});
afterEach(async () => {
  await world.close();
  gateway.close();
});

const approvals = () => world.companion().approvals;
const getShownApproval = (): ApprovalView => {
  const [waiting] = approvals().listPending();
  if (!waiting) throw new Error('No prompt is waiting.');
  return waiting;
};

type AbortedRequest = { method: string; path: string; type: string; body: string | Buffer; token: string };
/** Sends a whole request, and aborts it after `afterMs`. */
const sendAndAbort = (
  url: string,
  { method, path, type, body, token }: AbortedRequest,
  afterMs: number,
): Promise<void> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const headers = {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      authorization: `Bearer ${token}`,
    };
    const sent = request({ hostname, port, method, path, headers });
    sent.on('error', () => undefined);
    sent.end(body);
    setTimeout(() => (sent.destroy(), setTimeout(resolve, 50)), afterMs);
  });

const approveShown = ({ approvalId, digest }: ApprovalView) => world.pressYes(approvalId, digest);

test('a publish needs a new approval if an aborted edit changes the listing later', async () => {
  const bridge = await world.bridge();
  const hanger = await pairAssistant(world, bridge.url, 'Hanger');
  const { listingId } = await world.reviewed();
  await hanger.call('POST', `/market/publish/${listingId}`, { body: {} });
  const shown = getShownApproval();
  gateway.slow.push({ method: 'PUT', path: /^\/listings\//, ms: 700 });
  const edit = { method: 'PUT', path: `/listings/${listingId}`, type: 'application/json', token: hanger.token };
  await sendAndAbort(bridge.url, { ...edit, body: JSON.stringify({ price: 1, title: 'Not what was shown' }) }, 200);
  const next = await approveShown(shown);
  expect(next).toMatchObject({ state: 'pending', sinceShown: [{ label: 'Title' }, { label: 'Price' }] });
  expect(await world.happened('publish')).toBe(0);
  await bridge.stop();
});

test('publishing is refused while an aborted upload is still being stored', async () => {
  const bridge = await world.bridge();
  const hanger = await pairAssistant(world, bridge.url, 'Hanger');
  const { listingId } = await world.reviewed();
  const files = [{ contentType: 'image/jpeg', index: 0 }];
  const { body } = await hanger.call('POST', '/listings/upload-url', { body: { listingId, files } });
  const [slot] = z.array(z.looseObject({ uploadUrl: z.string() })).parse(body);
  gateway.slow.push({ method: 'PUT', path: /^\/uploads\//, ms: 900 });
  const bytes = await drawnPhoto(99);
  const put = { method: 'PUT', path: new URL(slot?.uploadUrl ?? '').pathname, type: 'image/jpeg', token: hanger.token };
  await sendAndAbort(bridge.url, { ...put, body: bytes }, 300);
  const early = await hanger.call('POST', `/market/publish/${listingId}`, { body: {} });
  expect([early.status, early.body['code']]).toEqual([409, 'PHOTOS_UPLOADING']);
  await waitUntil(
    async () => (await hanger.call('POST', `/market/publish/${listingId}`, { body: {} })).status === 202,
    'the photo to be there',
  );
  const hash = createHash('sha256').update(bytes).digest('hex');
  expect(getShownApproval().prompt.target?.photos[0]).toBe(`/bound-photos/${hash}`);
  await bridge.stop();
});

test('a listing stays locked until the outcome of its unanswered publish is known', async () => {
  const { listingId } = await world.reviewed();
  await world.perform('publishListing', { params: { listingId } });
  const shown = getShownApproval();
  gateway.slow.push({ method: 'POST', path: /^\/market\/publish/, ms: 4_000 });
  const going = approveShown(shown);
  await waitUntil(() => approvals().readView(shown.approvalId).state === 'sending', 'the sending');
  await wait(200);
  for (let round = 0; round < 12; round += 1) {
    world.clock.advance(15_000);
    await wait(30);
  }
  expect(approvals().readView(shown.approvalId).state).toBe('unconfirmed');
  const edit = world
    .perform('updateListing', { params: { listingId }, body: { price: 1 } })
    .catch((error: unknown) => error);
  await wait(20);
  world.clock.advance(6_000);
  expect(await edit).toMatchObject({ code: 'BEING_DECIDED' });
  await waitUntil(async () => (await world.happened('publish')) === 1, 'the publish to land');
  await world.until(() => approvals().readView(shown.approvalId).state === 'done', 'its outcome');
  await going;
  expect((await world.listing(listingId)).price).toBe(1_299);
  expect(approvals().readView(shown.approvalId).differences).toEqual([]);
});

test('an invalid fee quote is treated as an unknown fee, which exceeds every budget', async () => {
  const bridge = await world.bridge();
  const helper = await pairAssistant(world, bridge.url);
  const [assistant] = world.companion().assistants.list().assistants;
  const quotes = [
    { state: 'free', currency: 'USD', totalMinor: 5_000, lines: [{ name: 'Fee', amountMinor: 5_000 }] },
    { state: 'fee', currency: 'USD', totalMinor: -500, lines: [] },
    { state: 'fee', currency: 'USD', totalMinor: 35, lines: [{ name: 'Insertion', amountMinor: 9_900 }] },
    { state: 'fee', currency: 'USD' },
  ];
  const { listingId } = await world.reviewed();
  for (const quote of quotes) {
    const to = (text: string): string => JSON.stringify({ ...z.looseObject({}).parse(JSON.parse(text)), quote });
    gateway.rewrite.splice(0, 1, { call: /^POST .*channels\/fees/, to });
    const asked = await helper.call('POST', `/market/publish/${listingId}`, { body: {} });
    expect(getShownApproval().prompt.money).toMatchObject({ state: 'unavailable', totalMinor: null });
    const { approval } = z.object({ approval: z.looseObject({ id: z.string() }) }).parse(asked.body);
    await helper.call('DELETE', `/companion/approvals/${approval.id}`);
    // An assistant can withdraw an approval only twice in ten minutes.
    world.clock.suspend(10 * 60_000);
  }
  world.companion().assistants.change(assistant?.assistantId ?? '', { moneyCentsPerDay: 100_000 });
  const over = await helper.call('POST', `/market/publish/${listingId}`, { body: {} });
  expect([over.status, over.body['code']]).toEqual([429, 'BUDGET_SPENT']);
  await bridge.stop();
});

test('a service response that contains a different listing is rejected', async () => {
  const { listingId } = await world.reviewed('one');
  const key = (await world.secrets.get('agent-key practice')) ?? '';
  const other = await world.practice.written(key);
  const answer = JSON.stringify((await world.practice.call(key, 'GET', `/listings/${other}`)).body);
  gateway.rewrite.push({ call: new RegExp(`^GET /listings/${listingId}$`), to: () => answer });
  const asked = world.perform('publishListing', { params: { listingId } });
  await expect(asked).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER' });
  expect(approvals().listPending()).toEqual([]);
});
