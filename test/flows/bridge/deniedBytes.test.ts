import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSocket, buildRawRequest, readAnswer, sendRaw } from '../../helpers/bridge/raw.ts';
import { readEverything, startScene, type Scene } from '../../helpers/bridge/scene.ts';

let scene: Scene;
beforeAll(async () => (scene = await startScene()));
afterAll(() => scene.close());

const malformed = [400, 'INVALID_REQUEST', 'This is not a request that the companion understands.'] as const;
const noUpgrade = [400, 'NO_UPGRADE', 'The companion speaks plain HTTP only.'] as const;
const tooLarge = [413, 'BODY_TOO_LARGE', 'The body is larger than 1 MiB.'] as const;
const buildTokenHeader = () => `Authorization: Bearer ${scene.one.token}`;
const buildPost = (headers: string[], body = '') =>
  buildRawRequest(scene.url, 'POST /listings', {
    headers: [buildTokenHeader(), 'Content-Type: application/json', ...headers],
  }) + body;
const buildGet = (headers: string[]) =>
  buildRawRequest(scene.url, 'GET /agent/me', { headers: [buildTokenHeader(), ...headers] });
const big = `{"additionalContext":"${'x'.repeat(2 ** 21)}"}`;
const encodeChunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

const rows: [string, () => string | Buffer, readonly [number, string, string]][] = [
  ['2 MiB with a declared length', () => buildPost([`Content-Length: ${big.length}`], big), tooLarge],
  ['2 MiB without a declared length', () => buildPost(['Transfer-Encoding: chunked'], encodeChunk(big)), tooLarge],
  ['a declared length of 2 MiB without a body', () => buildPost([`Content-Length: ${big.length}`]), tooLarge],
  [
    'a body that is not UTF-8',
    () =>
      Buffer.concat([Buffer.from(buildPost(['Content-Length: 8'])), Buffer.from([0x22, 0x22, 0xff, 0xfe, 1, 2, 3, 4])]),
    [400, 'INVALID_REQUEST', 'The body is not UTF-8.'],
  ],

  [
    'a length before chunked encoding',
    () => buildPost(['Content-Length: 4', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
    malformed,
  ],
  [
    'chunked encoding before a length',
    () => buildPost(['Transfer-Encoding: chunked', 'Content-Length: 4'], '0\r\n\r\n'),
    malformed,
  ],
  ['two lengths', () => buildPost(['Content-Length: 2', 'Content-Length: 3'], '{}'), malformed],
  ['a negative length', () => buildPost(['Content-Length: -1'], '{}'), malformed],
  ['a length with a plus sign', () => buildPost(['Content-Length: +2'], '{}'), malformed],
  [
    'chunked encoding before another encoding',
    () => buildPost(['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'),
    malformed,
  ],
  ['a chunk with an invalid size', () => buildPost(['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'), malformed],
  ['a bare carriage return in a header', () => buildGet(['Companion-Reason: a\rX-Injected: yes']), malformed],
  ['a bare line feed in a header', () => buildGet(['Companion-Reason: a\nX Injected']), malformed],
  ['a zero byte in a header', () => buildGet(['Companion-Reason: a\0b']), malformed],
  ['a space before the colon', () => buildGet(['Companion-Reason : a']), malformed],
  ['a header without a name', () => buildGet([': a']), malformed],
  ['a space in the path', () => buildRawRequest(scene.url, 'GET /agent /me'), malformed],
  ['another protocol', () => 'SSH-2.0-other\r\n', malformed],
  ['TLS', () => Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]), malformed],
  ['HTTP/2 without an upgrade', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', malformed],
  [
    'headers of 20 kB',
    () => buildGet([`X-Long: ${'x'.repeat(20_000)}`]),
    [431, 'HEADERS_TOO_LARGE', 'The headers are too large.'],
  ],

  [
    'a WebSocket',
    () => buildGet(['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: x']),
    noUpgrade,
  ],
  [
    'HTTP/2 by upgrade',
    () => buildGet(['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk']),
    noUpgrade,
  ],
  [
    'a request for a tunnel',
    () => `CONNECT evil.example:443 HTTP/1.1\r\nHost: ${new URL(scene.url).host}\r\n\r\n`,
    [405, 'METHOD_NOT_ALLOWED', 'The companion is no proxy.'],
  ],
  [
    'an unknown expectation',
    () => buildGet(['Expect: something-else']),
    [417, 'EXPECTATION_REFUSED', 'The companion knows no expectation but 100-continue.'],
  ],
];

test.each(rows)(
  'a malformed request is refused and changes nothing: %s',
  async (_what, bytes, [status, code, sentence]) => {
    const before = await readEverything(scene);
    const answer = await sendRaw(scene.url, bytes());
    expect([answer.status, answer.body]).toEqual([status, { code, error: sentence }]);
    expect(answer.headers['x-injected']).toBeUndefined();
    expect(await readEverything(scene)).toEqual(before);
  },
);

test('an encoded line break is removed from the reason that the person reads', async () => {
  const listingId = await scene.draft(scene.one);
  const answer = await scene.one.call('DELETE', `/listings/${listingId}`, {
    headers: { 'companion-reason': 'a%0D%0AX-Injected%3A%20yes' },
  });
  expect([answer.status, answer.headers['x-injected']]).toEqual([202, undefined]);
  const [waiting] = scene.world.companion().approvals.listPending();
  expect(waiting?.reason).toContain('X-Injected');
  expect(waiting?.reason).not.toMatch(/[\r\n]/);
});

test('a request smuggled behind a refused body is not processed', async () => {
  const before = await readEverything(scene);
  const inner = buildRawRequest(scene.url, 'POST /listings', {
    headers: [buildTokenHeader(), 'Content-Type: application/json'],
    body: '{}',
  });
  const socket = await openSocket(scene.url);
  const answer = readAnswer(socket);
  socket.write(buildPost(['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${inner}`));
  expect((await answer).status).toBe(400);
  await new Promise((resolve) => socket.once('close', resolve));
  expect(await readEverything(scene)).toEqual(before);
});
