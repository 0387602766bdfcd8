import type { Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { buildRawRequest, readAnswer, sendRaw } from '../../helpers/bridge/raw.ts';
import { startSocketScene, type Paired, type SocketScene } from '../../helpers/bridge/scene.ts';
import { drawnPhoto } from '../../helpers/practice.ts';
import { waitUntil } from '../../helpers/testClock.ts';

let scene: SocketScene;
beforeEach(async () => {
  scene = await startSocketScene();
});
afterEach(() => scene.close());

const buildPhotoRequest = (listingId: string, { token }: Paired): string =>
  buildRawRequest(scene.url, `GET /companion/listings/${listingId}/photos/1`, {
    headers: [`Authorization: Bearer ${token}`],
  });
const sendRequest = async (request: string): Promise<Socket> => {
  const socket = await scene.open();
  socket.write(request);
  return socket;
};

const uploadUrls = z.array(z.looseObject({ uploadUrl: z.string() }));
/** Creates a draft of the first assistant, with one photo of at least the given size. */
const createDraftWithPhoto = async (bytes: number): Promise<string> => {
  const listingId = await scene.draft(scene.one);
  const body = { listingId, files: [{ contentType: 'image/jpeg', index: 0 }] };
  const [slot] = uploadUrls.parse((await scene.one.call('POST', '/listings/upload-url', { body })).body);
  const photo = Buffer.concat([await drawnPhoto(1), Buffer.alloc(bytes)]);
  const headers = { 'content-type': 'image/jpeg' };
  const put = await fetch(slot?.uploadUrl ?? '', { method: 'PUT', headers, body: photo });
  expect(put.status).toBe(200);
  return listingId;
};

test('photos that an assistant requests but never reads are buffered only up to a limit', async () => {
  const size = 8 * 2 ** 20;
  const listingId = await createDraftWithPhoto(size);
  for (let index = 0; index < 16; index += 1) await sendRequest(buildPhotoRequest(listingId, scene.one));
  await waitUntil(() => scene.sockets.every((socket) => socket.bytesRead > 0), 'the answers');
  const taken = await Promise.all(
    scene.sockets.map(async (socket) => {
      socket.resume();
      await Promise.race([once(socket, 'close'), waitUntil(() => socket.bytesRead > size, 'the photo')]);
      return socket.bytesRead > size;
    }),
  );
  expect(taken.filter(Boolean).length).toBeLessThanOrEqual(8);
  expect(taken.filter(Boolean).length).toBeGreaterThan(0);
});

test('photos that never arrive for one assistant do not block another assistant’s photo', async () => {
  const listingId = await createDraftWithPhoto(0);
  // The service accepts every request for this photo and never answers.
  const url = `${scene.world.practice.url}/market/status`;
  await scene.world.practice.fault({ method: 'GET', path: '/market/status', silent: 'before', times: 1_000 });
  const slow = await scene.draft(scene.one);
  await scene.world.practice.fault({ method: 'GET', path: '/listings/{listingId}', body: { imageUrls: [url] } });
  await scene.one.call('GET', `/listings/${slow}`);
  let answered = 0;
  const refused: number[] = [];
  for (let index = 0; index < 40; index += 1)
    void readAnswer(await sendRequest(buildPhotoRequest(slow, scene.one))).then(
      ({ status }) => (status === 429 ? refused.push(status) : (answered += 1)),
      () => undefined,
    );
  // Sixteen requests may wait at a time.
  await waitUntil(() => refused.length === 24, 'the refusals');
  const seen = await sendRaw(scene.url, buildPhotoRequest(listingId, scene.other));
  expect([seen.status, seen.headers['content-type']]).toEqual([200, 'image/jpeg']);
  expect(answered).toBe(0);
  for (const socket of scene.sockets) socket.destroy();
});
