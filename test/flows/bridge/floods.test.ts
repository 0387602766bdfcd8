import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitUntil } from '../../helpers/testClock.ts';
import { buildRawRequest, readAnswer, sendRaw } from '../../helpers/bridge/raw.ts';
import { pairWithId, startSocketScene, type Paired, type SocketScene } from '../../helpers/bridge/scene.ts';

let scene: SocketScene;
beforeEach(async () => {
  scene = await startSocketScene();
});
afterEach(() => scene.close());

const openSilentSocket = async (bytes = ''): Promise<Socket> => {
  const socket = await scene.open();
  socket.on('data', () => undefined);
  if (bytes !== '') socket.write(bytes);
  return socket;
};
const openSilentSockets = async (count: number, bytes?: string): Promise<Socket[]> => {
  const made: Socket[] = [];
  for (let index = 0; index < count; index += 1) made.push(await openSilentSocket(bytes));
  return made;
};
const buildStreamRequest = ({ token }: Paired) =>
  buildRawRequest(scene.url, 'GET /companion/events', { headers: [`Authorization: Bearer ${token}`] });
const openStream = async (assistant: Paired) => {
  const socket = await scene.open();
  let got = '';
  const answered = new Promise<string>((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => {
      got += chunk.toString();
      if (got.includes('\r\n\r\n')) resolve(got);
    });
    socket.on('close', () => reject(new Error('The stream was not answered.')));
  });
  socket.write(buildStreamRequest(assistant));
  return { socket, status: Number((await answered).split(' ')[1]), text: () => got };
};

/** Sends a request on a new connection. */
const requestStatus = async ({ token }: Paired, path: string): Promise<number> =>
  (await sendRaw(scene.url, buildRawRequest(scene.url, `GET ${path}`, { headers: [`Authorization: Bearer ${token}`] })))
    .status;

const buildUnfinishedRequest =
  (line: string, ...headers: string[]) =>
  () =>
    [`${line} HTTP/1.1`, `Host: ${new URL(scene.url).host}`, ...headers].join('\r\n');
const floods: [string, () => string][] = [
  ['silent connections', () => ''],
  ['requests with unfinished headers', buildUnfinishedRequest('GET /agent/me', 'X-Slow: a')],
  [
    'requests with unfinished bodies',
    buildUnfinishedRequest(
      'POST /companion/pairings',
      'Content-Type: application/json',
      'Content-Length: 9',
      '',
      '{"name',
    ),
  ],
];

test.each(floods)('assistants still get responses during a flood of 600 %s', async (_what, bytes) => {
  const kept = await openSilentSockets(600, bytes());
  // The bridge closes the oldest connections to stay below its limit.
  await scene.world.until(() => kept.filter((socket) => socket.destroyed).length >= 88, 'the closed connections');
  expect(await requestStatus(scene.one, '/agent/me')).toBe(200);
  expect(await requestStatus(scene.other, '/companion/me')).toBe(200);
  expect(kept.filter((socket) => !socket.destroyed).length).toBeLessThanOrEqual(512);
  expect(scene.world.companion().assistants.list().pairings).toEqual([]);
});

test('an assistant can open four event streams, and further streams are refused', async () => {
  const made = [];
  for (let index = 0; index < 200; index += 1) made.push(await openStream(scene.one));
  const statuses = made.map(({ status }) => status);
  expect(statuses.slice(0, 4)).toEqual([200, 200, 200, 200]);
  expect(new Set(statuses.slice(4))).toEqual(new Set([429]));
  expect(made[4]?.text()).toContain('"code":"TOO_MANY_STREAMS"');
  expect(made[4]?.text()).toMatch(/retry-after: \d+/i);
  expect((await openStream(scene.other)).status).toBe(200);
  made[0]?.socket.destroy();
  await scene.world.until(async () => (await openStream(scene.one)).status === 200, 'a free stream');
});

test('at most forty event streams are open in total', async () => {
  const crowd = [scene.one, scene.other];
  for (let index = 0; index < 9; index += 1) crowd.push(await pairWithId(scene.world, scene.url, `Helper ${index}`));
  const statuses = [];
  for (const assistant of crowd)
    for (let index = 0; index < 4; index += 1) statuses.push((await openStream(assistant)).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(40);
  expect(statuses.filter((status) => status === 429)).toHaveLength(4);
  expect(await requestStatus(scene.other, '/agent/me')).toBe(200);
});

test('hundreds of waiting requests from one assistant do not block other requests', async () => {
  const { id } = await scene.question(scene.one);
  const wait = buildRawRequest(scene.url, `GET /companion/approvals/${id}?wait=45`, {
    headers: [`Authorization: Bearer ${scene.one.token}`],
  });
  let answered = 0;
  let gone = 0;
  for (let index = 0; index < 600; index += 1) {
    const socket = await openSilentSocket();
    void readAnswer(socket).then(
      () => (answered += 1),
      () => (gone += 1),
    );
    socket.write(wait);
  }
  // Most requests get the current state at once, because the number of waiting requests is limited.
  await waitUntil(() => answered + gone >= 550, 'the answers');
  expect(await requestStatus(scene.other, '/agent/me')).toBe(200);
  expect(await requestStatus(scene.one, `/companion/approvals/${id}`)).toBe(200);
  const before = answered;
  await scene.world.yes();
  await waitUntil(() => answered > before, 'the waiting requests');
});
