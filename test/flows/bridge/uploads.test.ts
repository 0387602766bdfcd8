import { hash } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { callBridge } from '../../helpers/assistant.ts';
import { recordPhotoReads } from '../../helpers/photos/recordPhotoReads.ts';
import { drawnPhoto } from '../../helpers/practice.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { connect } from './mcp/clients.ts';
import { openSocket, buildRawRequest, readAnswer, sendRaw } from '../../helpers/bridge/raw.ts';
import { startScene, type Scene } from '../../helpers/bridge/scene.ts';

const slot = z.looseObject({ uploadUrl: z.string(), publicUrl: z.string(), imageId: z.string(), key: z.string() });
const slots = z.array(slot);
type Put = { status: number; body: Record<string, unknown> };

let scene: Scene;
let listingId: string;
beforeEach(async () => {
  scene = await startScene();
  listingId = await scene.draft(scene.one);
});
afterEach(() => scene.close());

type PhotoType = 'image/jpeg' | 'image/png' | 'image/webp';
const describeFiles = (count: number, contentType: PhotoType = 'image/jpeg') =>
  Array.from({ length: count }, (_, index) => ({ contentType, index }));
const requestSlots = async (count = 1, contentType?: PhotoType) => {
  const body = { listingId, files: describeFiles(count, contentType) };
  const answer = await scene.one.call('POST', '/listings/upload-url', { body });
  expect(answer.status).toBe(200);
  return slots.parse(answer.body);
};
const requestUploadUrl = async (contentType?: PhotoType): Promise<string> =>
  (await requestSlots(1, contentType))[0]?.uploadUrl ?? '';
/** Uploads bytes without a token, as any local program could. */
const uploadBytes = async (url: string, bytes: Buffer, contentType: string | null = 'image/jpeg'): Promise<Put> => {
  const headers = { 'content-length': bytes.length, ...(contentType === null ? {} : { 'content-type': contentType }) };
  const sent = request(url, { method: 'PUT', headers, agent: false });
  sent.on('error', () => undefined);
  sent.end(bytes);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const text = (await response.setEncoding('utf8').toArray()).join('');
  return { status: response.statusCode ?? 0, body: z.record(z.string(), z.unknown()).parse(JSON.parse(text)) };
};
const getRefusal = ({ status, body }: Put) => [status, body['code']];
const closed = [403, 'UPLOAD_CLOSED'];
const getUploads = () => scene.world.companion().uploads;
const readImageUrls = async (): Promise<string[]> => (await scene.world.listing(listingId)).imageUrls ?? [];
const readBoundPhotos = async () => scene.world.companion().boundPhotos.read(await scene.world.listing(listingId));
const hashBytes = (bytes: Buffer): string => hash('sha256', bytes);

describe('the service’s upload address', () => {
  const matchLoopbackUrl = (url: string) => new RegExp(`^${url}/uploads/[A-Za-z0-9_-]{43}$`);

  test('no HTTP response to an assistant contains the service’s upload address', async () => {
    const more = { mirror: { put: ['https://store.example/put?signature=1'] }, note: 'Keep it' };
    await scene.world.practice.fault({ method: 'POST', path: '/listings/upload-url', body: more });
    const text = await (
      await fetch(`${scene.url}/listings/upload-url`, {
        method: 'POST',
        headers: { authorization: `Bearer ${scene.one.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ listingId, files: describeFiles(2) }),
      })
    ).text();
    expect(text).not.toContain(`${scene.world.practice.url}/uploads`);
    expect(text).not.toContain('store.example');
    for (const one of slots.parse(JSON.parse(text))) expect(one.uploadUrl).toMatch(matchLoopbackUrl(scene.url));
  });

  test('no MCP response contains the service’s upload address', async () => {
    const client = await connect(scene.url, scene.one.token);
    const body = { listingId, files: describeFiles(1) };
    const text = JSON.stringify(await client.call('call_service', { route: 'requestUploads', body }));
    expect(text).toContain(`${scene.url}/uploads/`);
    expect(text).not.toContain(`${scene.world.practice.url}/uploads`);
    await client.close();
  });

  test('the person gets the service’s upload address, and an assistant gets unique addresses', async () => {
    const outcome = await scene.world.perform('requestUploads', { body: { listingId, files: describeFiles(1) } });
    expect(JSON.stringify(outcome)).toContain(`${scene.world.practice.url}/uploads/`);
    const given = [...(await requestSlots(4)), ...(await requestSlots(4))].map(({ uploadUrl }) => uploadUrl);
    expect(new Set(given).size).toBe(8);
  });
});

test('an assistant’s photos are hashed from the uploaded bytes, without a download', async () => {
  const [first, second] = await requestSlots(2);
  const bytes = [await drawnPhoto(1), await drawnPhoto(2)] as const;
  const reads = recordPhotoReads();
  expect(await uploadBytes(first?.uploadUrl ?? '', bytes[0])).toEqual({
    status: 200,
    body: { stored: true, sha256: hashBytes(bytes[0]), bytes: bytes[0].length },
  });
  expect((await uploadBytes(second?.uploadUrl ?? '', bytes[1])).status).toBe(200);
  expect(await readImageUrls()).toEqual([first?.publicUrl, second?.publicUrl]);
  expect((await readBoundPhotos()).map((one) => one.sha256)).toEqual(bytes.map(hashBytes));
  expect(reads.take()).toEqual([]);
  reads.stop();
});

test('the last photo uploaded to an address replaces earlier photos', async () => {
  const url = await requestUploadUrl();
  for (const seed of [1, 2, 3]) expect((await uploadBytes(url, await drawnPhoto(seed))).status).toBe(200);
  expect((await readBoundPhotos()).map((one) => one.sha256)).toEqual([hashBytes(await drawnPhoto(3))]);
  getUploads().close(listingId);
  expect(getRefusal(await uploadBytes(url, await drawnPhoto(4)))).toEqual(closed);
  expect((await readBoundPhotos()).map((one) => one.sha256)).toEqual([hashBytes(await drawnPhoto(3))]);
  expect((await uploadBytes(await requestUploadUrl(), await drawnPhoto(5))).status).toBe(200);
});

test('after simultaneous uploads to one address, the known hash matches the stored photo', async () => {
  const url = await requestUploadUrl();
  const photos = await Promise.all([1, 2, 3, 4, 5, 6].map((seed) => drawnPhoto(seed)));
  await Promise.all(photos.map((bytes) => uploadBytes(url, bytes)));
  const [known] = await readBoundPhotos();
  const [at = ''] = await readImageUrls();
  expect(hashBytes(Buffer.from(await (await fetch(at)).arrayBuffer()))).toBe(known?.sha256);
});

test('after a failed upload, the next photo is downloaded once for its hash', async () => {
  const url = await requestUploadUrl();
  await scene.world.practice.fault({
    method: 'PUT',
    path: '/uploads/{token}',
    times: 1,
    status: 429,
    headers: { 'retry-after': '60' },
  });
  expect((await uploadBytes(url, await drawnPhoto(1))).status).toBe(429);
  expect((await uploadBytes(url, await drawnPhoto(2))).status).toBe(200);
  const reads = recordPhotoReads();
  expect((await readBoundPhotos()).map((one) => one.sha256)).toEqual([hashBytes(await drawnPhoto(2))]);
  expect(reads.take()).toHaveLength(1);
  reads.stop();
});

describe('rules of an upload address', () => {
  test.each([
    ['another type', 'image/png'],
    ['the type with a parameter', 'image/jpeg; q=1'],
    ['JSON', 'application/json'],
    ['no type', null],
  ])('an upload is refused if its content type is wrong: %s', async (_what, contentType) => {
    expect(getRefusal(await uploadBytes(await requestUploadUrl(), await drawnPhoto(), contentType))).toEqual([
      415,
      'UPLOAD_TYPE',
    ]);
    expect(await readImageUrls()).toEqual([]);
  });

  test.each([
    ['text', async () => Buffer.from('Dear Sir')],
    ['an SVG drawing', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a photo of another type', () => drawnPhoto(1, 'png')],
    ['empty', async () => Buffer.alloc(0)],
  ])('an upload is refused if its body is %s', async (_what, bytes) => {
    expect(getRefusal(await uploadBytes(await requestUploadUrl(), await bytes()))).toEqual([422, 'NOT_A_PHOTO']);
    expect(await scene.world.happened('photo')).toBe(0);
  });

  test.each(['png', 'webp'] as const)('a photo of the requested type %s is uploaded unchanged', async (type) => {
    const bytes = await drawnPhoto(3, type);
    expect((await uploadBytes(await requestUploadUrl(`image/${type}`), bytes, `image/${type}`)).status).toBe(200);
    expect(await readBoundPhotos()).toEqual([{ sha256: hashBytes(bytes), contentType: `image/${type}` }]);
  });

  test('an upload of more than 64 MiB is refused, with or without a declared length', async () => {
    const path = new URL(await requestUploadUrl()).pathname;
    const line = `PUT ${path}`;
    const uploadRequest = buildRawRequest(scene.url, line, {
      headers: ['Content-Type: image/jpeg', `Content-Length: ${2 ** 26 + 1}`],
    });
    expect(await sendRaw(scene.url, uploadRequest)).toMatchObject({ status: 413, body: { code: 'PHOTO_TOO_LARGE' } });
    const socket = await openSocket(scene.url);
    const answer = readAnswer(socket);
    const type = ['Content-Type: image/jpeg', 'Transfer-Encoding: chunked'];
    socket.write(buildRawRequest(scene.url, line, { headers: type }));
    const piece = Buffer.concat([
      Buffer.from(`${(2 ** 20).toString(16)}\r\n`),
      Buffer.alloc(2 ** 20),
      Buffer.from('\r\n'),
    ]);
    for (let mib = 0; mib < 65 && !socket.destroyed; mib += 1) if (!socket.write(piece)) await once(socket, 'drain');
    expect(await answer).toMatchObject({ status: 413, body: { code: 'PHOTO_TOO_LARGE' } });
    socket.destroy();
  });

  test('an upload address expires after fifteen minutes', async () => {
    const url = await requestUploadUrl();
    scene.world.clock.advance(15 * 60_000 - 1_000);
    expect((await uploadBytes(url, await drawnPhoto())).status).toBe(200);
    scene.world.clock.advance(1_000);
    expect(getRefusal(await uploadBytes(url, await drawnPhoto()))).toEqual(closed);
  });

  test('a refusal by the service is passed on with its status', async () => {
    const url = await requestUploadUrl();
    await scene.world.practice.fault({ method: 'PUT', path: '/uploads/{token}', status: 403 });
    expect(getRefusal(await uploadBytes(url, await drawnPhoto()))).toEqual([403, 'UPLOAD_REFUSED']);
    expect((await uploadBytes(url, await drawnPhoto())).status).toBe(200);
  });
});

test('only the newest twenty-four upload addresses of a listing are valid', async () => {
  const [oldest] = await requestSlots(1);
  const newer = [...(await requestSlots(12)), ...(await requestSlots(12))];
  expect(getRefusal(await uploadBytes(oldest?.uploadUrl ?? '', await drawnPhoto()))).toEqual(closed);
  expect((await uploadBytes(newer.at(-1)?.uploadUrl ?? '', await drawnPhoto())).status).toBe(200);
});

describe('access to an upload address', () => {
  const getCompanion = () => scene.world.companion();

  test.each<[string, () => unknown]>([
    ['is paused', () => getCompanion().assistants.change(scene.one.assistantId, { paused: true })],
    ['is revoked', () => getCompanion().assistants.revoke(scene.one.assistantId)],
    ['is limited to reading', () => getCompanion().assistants.change(scene.one.assistantId, { scope: 'read' })],
    ['loses its account', () => getCompanion().connect.forget()],
  ])('an upload address is closed if its assistant %s', async (_what, change) => {
    const url = await requestUploadUrl();
    await change();
    expect(getRefusal(await uploadBytes(url, await drawnPhoto()))).toEqual(closed);
  });

  test('a guessed, shortened or extended upload address is refused', async () => {
    const bytes = await drawnPhoto();
    const url = await requestUploadUrl();
    for (const other of [
      `${scene.url}/uploads/${'a'.repeat(43)}`,
      `${url}x`,
      url.slice(0, -1),
      `${scene.url}/uploads/%00`,
    ])
      expect(getRefusal(await uploadBytes(other, bytes)), other).toEqual(closed);
    for (const path of ['/uploads', '/uploads/', `${new URL(url).pathname}/more`])
      expect((await callBridge(scene.url, 'PUT', path)).status, path).toBe(404);
    expect((await callBridge(scene.url, 'GET', new URL(url).pathname)).status).toBe(405);
  });

  test('an upload from a web page or under another host name is refused', async () => {
    const line = `PUT ${new URL(await requestUploadUrl()).pathname}`;
    const headers = ['Content-Type: image/jpeg'];
    const page = buildRawRequest(scene.url, line, { headers: [...headers, 'Origin: https://evil.example'] });
    expect(await sendRaw(scene.url, page)).toMatchObject({ status: 403, body: { code: 'ORIGIN_REFUSED' } });
    const rebound = buildRawRequest(scene.url, line, { headers, host: 'evil.example' });
    expect(await sendRaw(scene.url, rebound)).toMatchObject({ status: 421 });
  });
});

test('a waiting upload is not sent if its address is closed while it waits', async () => {
  const url = await requestUploadUrl();
  const bytes = await drawnPhoto();
  await scene.world.practice.fault({ method: 'PUT', path: '/uploads/{token}', delayMs: 5_000 });
  const first = uploadBytes(url, bytes);
  await waitUntil(() => getUploads().inFlight(listingId), 'the photo to leave');
  const second = uploadBytes(url, await drawnPhoto(2));
  await wait(100);
  getUploads().close(listingId);
  await scene.world.practice.advance(5_000);
  expect([(await first).status, getRefusal(await second)]).toEqual([200, closed]);
  expect(getUploads().inFlight(listingId)).toBe(false);
  expect(await scene.world.happened('photo')).toBe(1);
});

test('a fourth simultaneous upload is sent only after one of the first three uploads has ended', async () => {
  const url = await requestUploadUrl();
  const line = `PUT ${new URL(url).pathname}`;
  const begun = buildRawRequest(scene.url, line, { headers: ['Content-Type: image/jpeg', 'Content-Length: 1000'] });
  const slow = await Promise.all([1, 2, 3].map(() => openSocket(scene.url)));
  for (const socket of slow) socket.write(begun);
  await wait(100);
  let answered = false;
  const waiting = uploadBytes(url, await drawnPhoto()).finally(() => (answered = true));
  await wait(100);
  expect(answered).toBe(false);
  slow[0]?.destroy();
  expect((await waiting).status).toBe(200);
  for (const socket of slow) socket.destroy();
});

test('if one of several photos fails to upload, the response lists it and the uploaded photos', async () => {
  const folder = await scene.world.folder('desk lamp', 3);
  scene.world.companion().assistants.change(scene.one.assistantId, { folders: [folder] });
  await scene.world.practice.fault({ method: 'PUT', path: '/uploads/{token}', status: 403 });
  const { status, body } = await scene.one.call('POST', `/companion/listings/${listingId}/photos`, {
    body: { folder },
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({ photos: [{}, {}], left: [{ code: 'UPLOAD_REFUSED' }] });
  const urls = z
    .object({ photos: z.array(z.object({ url: z.string() })) })
    .parse(body)
    .photos.map(({ url }) => url);
  expect(await readImageUrls()).toEqual(urls);
});
