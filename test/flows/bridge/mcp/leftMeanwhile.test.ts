import { ClientRequest } from 'node:http';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { listAllItems } from '../../../helpers/listAllItems.ts';
import { waitUntil } from '../../../helpers/testClock.ts';
import { startMcp, type Mcp } from './startMcp.ts';

let mcp: Mcp;
let folder: string;

beforeEach(async () => {
  mcp = await startMcp();
  folder = await mcp.world.folder('desk lamp');
  mcp.world.companion().assistants.change(mcp.assistantId, { folders: [folder] });
});
afterEach(() => mcp.close());

const leaves: [string, () => void][] = [
  ['is paused', () => mcp.world.companion().assistants.pause(mcp.assistantId)],
  ['is revoked', () => mcp.world.companion().assistants.revoke(mcp.assistantId)],
];

const createLampItem = async (waitS: number) => mcp.client.call('create_listing_from_photos', { folder, waitS });

test('a call that is repeated after its assistant was paused returns the same item', async () => {
  const { assistants } = mcp.world.companion();
  const unanswered = createLampItem(44);
  await waitUntil(() => mcp.world.clock.sleepsFor(44_000), 'the wait');
  assistants.pause(mcp.assistantId);
  mcp.world.companion().pauseAll(true);
  mcp.world.companion().pauseAll(false);
  expect((await unanswered).data).toMatchObject({ code: 'ASSISTANT_PAUSED' });
  assistants.change(mcp.assistantId, { paused: false });
  const again = await createLampItem(0);
  expect(listAllItems(mcp.world.companion()).map(({ itemId }) => itemId)).toEqual([again.data['itemId']]);
});

test('a call that is repeated one day later creates another item', async () => {
  mcp.world.companion().pauseAll(true);
  const clientTimeout = new AbortController();
  const unanswered = mcp.client.call('create_listing_from_photos', { folder }, { signal: clientTimeout.signal });
  unanswered.catch(() => undefined);
  await waitUntil(() => listAllItems(mcp.world.companion()).length === 1, 'the item');
  clientTimeout.abort(new Error('No more time.'));
  await expect(unanswered).rejects.toThrow();
  mcp.world.clock.advance(24 * 3_600_000);
  await createLampItem(0);
  expect(listAllItems(mcp.world.companion())).toHaveLength(2);
});

const photoRequest = z.object({
  request: z.instanceof(ClientRequest).refine(({ path }) => path.startsWith('/photos/')),
});
/** Runs `work` when a photo is requested from the service. Returns a function that ends this. */
const atPhotoRead = (work: () => void): (() => void) => {
  const onMessage = (message: unknown): void => {
    if (photoRequest.safeParse(message).success) work();
  };
  subscribe('http.client.request.start', onMessage);
  return () => void unsubscribe('http.client.request.start', onMessage);
};

test.each([
  ['is paused', 'ASSISTANT_PAUSED', () => mcp.world.companion().assistants.pause(mcp.assistantId)],
  ['is revoked', 'ASSISTANT_PAUSED', () => mcp.world.companion().assistants.revoke(mcp.assistantId)],
  [
    'is limited to its own listings',
    'NOT_YOUR_LISTING',
    () => mcp.world.companion().assistants.change(mcp.assistantId, { touches: 'own' }),
  ],
])('an assistant that %s while a photo is being fetched gets no listing data', async (_how, code, leave) => {
  const { listingId } = await mcp.world.reviewed('camera', 1);
  // The companion must fetch this photo, because its address belongs to another listing.
  const other = await mcp.world.reviewed('lamp', 1);
  const { imageUrls } = await mcp.world.listing(other.listingId);
  await mcp.world.practice.fault({
    method: 'GET',
    path: '/listings/{listingId}',
    body: { imageUrls },
  });
  mcp.world.clock.advance(61_000);
  const stop = atPhotoRead(leave);
  const result = await mcp.client.call('get_listing', { listingId });
  stop();
  expect(result).toMatchObject({ isError: true, images: [], data: { code } });
  expect(JSON.stringify(result)).not.toContain('untrustedTitle');
});

describe.each(leaves)('an assistant that %s during a call', (_how, leave) => {
  test('an assistant that loses access during a wait gets no data of the item', async () => {
    mcp.world.companion().pauseAll(true);
    const made = await mcp.client.call('create_listing_from_photos', { folder, waitS: 0 });
    const itemId = z.string().parse(made.data['itemId']);
    const wait = mcp.client.call('check_request', { itemId, waitS: 44 });
    await waitUntil(() => mcp.world.clock.sleepsFor(44_000), 'the wait');
    leave();
    mcp.world.companion().pauseAll(false);
    const result = await wait;
    expect(result).toMatchObject({ isError: true, data: { code: 'ASSISTANT_PAUSED' } });
    expect(JSON.stringify(result)).not.toContain(itemId);
  });

  test('if access ends during a call with several folders, no further items are created', async () => {
    const folders = [folder];
    for (let index = 1; index < 6; index += 1) folders.push(await mcp.world.folder(`thing ${index}`));
    mcp.world.companion().assistants.change(mcp.assistantId, { folders });
    mcp.world.companion().pauseAll(true);
    const stop = mcp.world.companion().onChanged((topic) => {
      if (topic !== 'items' || listAllItems(mcp.world.companion()).length === 0) return;
      stop();
      leave();
    });
    const answer = await mcp.client.call('create_listing_from_photos', { folders, waitS: 0 });
    expect(answer).toMatchObject({ isError: true, data: { code: 'ASSISTANT_PAUSED' } });
    expect(listAllItems(mcp.world.companion())).toHaveLength(1);
  });
});
