import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { startMcp, type Mcp } from '../flows/bridge/mcp/startMcp.ts';
import { drawnPhoto } from '../helpers/practice.ts';

let mcp: Mcp;
let key: string;
beforeAll(async () => {
  mcp = await startMcp({ person: { plan: 'Scale' } });
  key = (await mcp.world.secrets.get('agent-key practice')) ?? '';
});
afterAll(() => mcp.close());

const rows = z.array(z.looseObject({ listingId: z.string(), state: z.string(), code: z.string().optional() }));
const slots = z.array(z.looseObject({ uploadUrl: z.string() }));
const createdListing = z.looseObject({ untrustedBody: z.looseObject({ listingId: z.string() }) });
/** Creates a reviewed listing that the assistant made. */
const createOwnReviewed = async (photo: Buffer): Promise<string> => {
  const created = await mcp.client.call('call_service', { route: 'createListing', body: {} });
  const { listingId } = createdListing.parse(created.data).untrustedBody;
  const { practice } = mcp.world;
  const files = [{ contentType: 'image/jpeg', index: 0 }];
  const [slot] = slots.parse((await practice.call(key, 'POST', '/listings/upload-url', { listingId, files })).body);
  await practice.upload(slot?.uploadUrl ?? '', photo);
  await practice.call(key, 'POST', `/listings/${listingId}/generate`, {});
  await practice.settled(key, listingId);
  return listingId;
};

test('two hundred listings are one prompt, although the assistant may not touch one of them', async () => {
  mcp.world.companion().assistants.change(mcp.assistantId, { touches: 'own' });
  const photo = await drawnPhoto();
  const own = [];
  for (let at = 0; at < 199; at += 1) own.push(await createOwnReviewed(photo));
  const foreign = await mcp.world.practice.written(key);
  const asked = await mcp.client.call('publish_listing', { listingIds: [...own, foreign] });
  expect(asked.data).toMatchObject({ counts: { pending: 199, refused: 1 } });
  const refused = rows.parse(asked.data['rows']).filter(({ state }) => state === 'refused');
  expect(refused).toMatchObject([{ listingId: foreign, code: 'NOT_YOUR_LISTING' }]);
  const requestId = z.string().parse(asked.data['requestId']);
  const shown = mcp.world.companion().batches.readBatch(requestId).rows;
  await mcp.world.pressYesToRows(
    requestId,
    shown.flatMap(({ approval }) => (approval ? { approvalId: approval.approvalId, digest: approval.digest } : [])),
  );
  const over = await mcp.client.call('check_request', { requestId, waitS: 45 });
  expect(over.data).toMatchObject({ state: 'over', counts: { done: 199, refused: 1 } });
  expect(Buffer.byteLength(JSON.stringify(over.data))).toBeLessThan(64_000);
  expect(await mcp.world.happened('publish')).toBe(199);
  expect((await mcp.world.listing(foreign)).status).toBe('pending_review');
}, 180_000);
