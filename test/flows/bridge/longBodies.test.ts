import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { sendLongBody } from '../../helpers/hosts/longBody.ts';
import { openSocket, buildRawRequest, readAnswer, sendRaw } from '../../helpers/bridge/raw.ts';

const script = fileURLToPath(new URL('../../helpers/processes/photoBodiesProcess.ts', import.meta.url));
const started = z.object({
  bridge: z.string(),
  upload: z.string(),
  photos: z.string(),
  foreignPhotos: z.string(),
  token: z.string(),
  practiceUpload: z.string(),
});
type Addresses = z.infer<typeof started>;
const memory = z.object({ peakMiB: z.number(), copies: z.int() });

/** The size of the upload, and the memory growth allowed during it: one photo and memory that is not freed at once. */
const sentMiB = 400;
const photoMiB = 64;
const oneMiB = 3 * photoMiB;
/** Three bodies are read at a time, and the other bodies stay unread. */
const manyMiB = 6 * photoMiB;

let child: ChildProcess;
let lines: AsyncIterator<string>;
let at: Addresses;
const readMessage = async (): Promise<unknown> => JSON.parse(String((await lines.next()).value));
const measureMemory = async () => {
  child.stdin?.write('\n');
  return memory.parse(await readMessage());
};
beforeAll(async () => {
  child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  if (!child.stdout) throw new Error('The process has no output.');
  lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  at = started.parse(await readMessage());
});
afterAll(async () => {
  child.stdin?.end();
  await once(child, 'close');
});

const jpeg = 'Content-Type: image/jpeg';
const buildTokenHeader = () => `Authorization: Bearer ${at.token}`;
const ways: [string, () => { url: string; method: string; headers: string[] }][] = [
  ['an upload address', () => ({ url: at.upload, method: 'PUT', headers: [jpeg] })],
  ['the photos of a listing', () => ({ url: at.photos, method: 'POST', headers: [jpeg, buildTokenHeader()] })],
  ['an upload address of the practice service', () => ({ url: at.practiceUpload, method: 'PUT', headers: [jpeg] })],
];

describe.each(ways)('an upload of 400 MiB without a declared length to %s', (_what, way) => {
  test('a body without a declared length is refused at the size limit, and memory stays bounded', async () => {
    const before = (await measureMemory()).peakMiB;
    const { answer, sentMiB: sent, closed } = await sendLongBody({ ...way(), mebibytes: sentMiB });
    expect(answer).toMatchObject({ status: 413, headers: { connection: 'close' } });
    expect(closed).toBe(true);
    // The operating system buffers some more bytes.
    expect(sent).toBeLessThan(photoMiB + 40);
    expect((await measureMemory()).peakMiB - before).toBeLessThan(oneMiB);
  });

  test('six simultaneous bodies without a declared length are refused, and memory stays bounded', async () => {
    const before = (await measureMemory()).peakMiB;
    const ends = await Promise.all(Array.from({ length: 6 }, () => sendLongBody({ ...way(), mebibytes: sentMiB })));
    expect(ends.map(({ answer, closed }) => [answer?.status, closed])).toEqual(Array(6).fill([413, true]));
    const { peakMiB, copies } = await measureMemory();
    expect(peakMiB - before).toBeLessThan(manyMiB);
    expect(copies).toBe(0);
  });
});

const getCode = (body: Record<string, unknown>) => body['code'];

test.each(ways.slice(0, 2))(
  'an upload to %s is refused unread if its declared length is too large',
  async (_what, way) => {
    const { url, method, headers } = way();
    const uploadRequest = buildRawRequest(url, `${method} ${new URL(url).pathname}`, {
      headers: [...headers, `Content-Length: ${photoMiB * 2 ** 20 + 1}`],
    });
    const { status, body, headers: answered } = await sendRaw(url, uploadRequest);
    expect([status, getCode(body), answered['connection']]).toEqual([413, 'PHOTO_TOO_LARGE', 'close']);
  },
);

test('a photo for a listing outside the assistant’s rights is refused unread', async () => {
  const head = buildRawRequest(at.bridge, `POST ${new URL(at.foreignPhotos).pathname}`, {
    headers: [jpeg, buildTokenHeader(), 'Content-Length: 1000'],
  });
  const socket = await openSocket(at.bridge);
  const answer = readAnswer(socket);
  socket.write(head);
  expect(await answer).toMatchObject({ status: 403, body: { code: 'NOT_YOUR_LISTING' } });
  socket.destroy();
});

test('an endless JSON body is refused at 1 MiB, and its connection is closed', async () => {
  const headers = ['Content-Type: application/json', buildTokenHeader()];
  const end = await sendLongBody({ url: `${at.bridge}/companion/items`, method: 'POST', headers, mebibytes: sentMiB });
  expect(end).toMatchObject({ answer: { status: 413, body: { code: 'BODY_TOO_LARGE' } }, closed: true });
  expect(end.sentMiB).toBeLessThan(40);
});

test('photo uploads beyond the limit of waiting uploads are refused with a retry time', async () => {
  const begun = buildRawRequest(at.bridge, `POST ${new URL(at.photos).pathname}`, {
    headers: [jpeg, buildTokenHeader(), 'Content-Length: 1000'],
  });
  const sockets = await Promise.all(Array.from({ length: 63 }, () => openSocket(at.bridge)));
  for (const socket of sockets) socket.write(begun);
  // A response to this request shows that the uploads above have arrived.
  expect((await sendRaw(at.bridge, buildRawRequest(at.bridge, 'GET /health'))).status).toBe(200);
  const expectRefusal = async (): Promise<number> => {
    const socket = await openSocket(at.bridge);
    sockets.push(socket);
    const answer = readAnswer(socket);
    socket.write(begun);
    const { status, body, headers } = await answer;
    expect([getCode(body), headers['retry-after']]).toEqual(['TOO_MANY_UPLOADS', '2']);
    return status;
  };
  expect(await expectRefusal()).toBe(429);
  for (const socket of sockets) socket.destroy();
});
