import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { getSecondTryDelayMs } from '../../../../src/core/service/pacing/waits.ts';
import { createServiceClient, computeKeyFingerprint } from '../../../../src/core/service/serviceClient.ts';
import type { ServiceError } from '../../../../src/core/service/serviceError.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let answers: Answer[];
let asked: string[];
let died: number;
let url: string;
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? 'no key'}`);
  (answers.shift() ?? ok)(request, response);
});

const createReply =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, {
      'content-type': typeof body === 'string' ? 'text/html' : 'application/json',
      ...headers,
    });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const listing = { listingId: 'l_1', status: 'draft', odd: { kept: true } };
const ok = createReply(200, listing);
const cutConnection: Answer = (request) => request.socket.destroy();

beforeEach(async () => {
  answers = [];
  asked = [];
  died = 0;
  if (!server.listening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.closeAllConnections());

const createClient = (base = url) =>
  createServiceClient({
    baseUrl: () => base,
    key: async () => 'key-1',
    // Waits before a retry end at once; a timeout of a minute never ends.
    clock: {
      now: () => 0,
      elapsedMs: () => 0,
      sleep: (ms) => (ms < 10_000 ? Promise.resolve() : new Promise(() => undefined)),
    },
    pacing: { secondTryMs: (retryAfterS) => getSecondTryDelayMs(retryAfterS, () => 0) },
    onDisk: async () => {},
    reached: () => {},
    keyDied: () => (died += 1),
  });
const read = (base?: string) =>
  createClient(base).send('readListing', {
    params: { listingId: 'l_1' },
    query: undefined,
    headers: undefined,
    body: undefined,
  });
const publish = () =>
  createClient().send('publishListing', {
    params: { listingId: 'l_1' },
    query: undefined,
    headers: undefined,
    body: {},
  });
const getError = async (sent: Promise<unknown>): Promise<ServiceError> =>
  sent.then(
    () => expect.unreachable(),
    (error: ServiceError) => error,
  );

test('a request contains the key, and unknown response fields are preserved', async () => {
  expect((await read()).answer).toEqual(listing);
  expect(asked).toEqual(['GET /listings/l_1 Bearer key-1']);
});

describe('the service client', () => {
  test.each([
    ['a server error', createReply(500, { error: 'Broken.' })],
    ['an error page of a proxy', createReply(502, '<html>Bad gateway</html>')],
    ['a lost connection', cutConnection],
  ])('retries a read once after %s', async (_what, first) => {
    answers = [first];
    expect((await read()).answer.listingId).toBe('l_1');
    expect(asked).toHaveLength(2);
  });

  test.each([
    ['a server error', createReply(500, { error: 'Broken.' })],
    ['a lost connection', cutConnection],
  ])('never retries a publish after %s', async (_what, first) => {
    answers = [first];
    expect((await getError(publish())).effect).toBe('unclear');
    expect(asked).toHaveLength(1);
  });

  test('does not retry after a refusal', async () => {
    answers = [createReply(409, { error: 'Already live.', code: 'LIVE', more: 1 })];
    const error = await getError(read());
    expect(error).toMatchObject({
      effect: 'refused',
      status: 409,
      code: 'LIVE',
      message: 'Already live.',
      body: { more: 1 },
    });
    expect(asked).toHaveLength(1);
  });

  test('does not retry if the service asks for a long wait', async () => {
    answers = [createReply(503, { error: 'Later.' }, { 'retry-after': '120' })];
    expect(await getError(read())).toMatchObject({ retryAfterS: 120, status: 503 });
    expect(asked).toHaveLength(1);
  });
});

describe('the service key', () => {
  test('stays valid if a retry succeeds after an unexplained 403 response', async () => {
    answers = [createReply(403, { message: 'Forbidden' })];
    await read();
    expect([asked.length, died]).toEqual([2, 0]);
  });

  test('is treated as invalid after two unexplained 403 responses', async () => {
    answers = [createReply(403, { message: 'Forbidden' }), createReply(403, { message: 'Forbidden' })];
    expect(await getError(read())).toMatchObject({ code: 'RECONNECT_NEEDED' });
    expect([asked.length, died]).toEqual([2, 1]);
  });

  test('is not treated as invalid after a server error and one unexplained 403 response', async () => {
    answers = [createReply(500, { error: 'Broken.' }), createReply(403, { message: 'Forbidden' })];
    expect(await getError(read())).toMatchObject({ code: 'RECONNECT_NEEDED' });
    expect([asked.length, died]).toEqual([2, 0]);
  });

  test('is not affected by a 403 page of a proxy', async () => {
    answers = [createReply(403, '<html>Blocked</html>')];
    expect(await getError(read())).toMatchObject({ code: 'REFUSED', body: undefined });
    expect([asked.length, died]).toEqual([1, 0]);
  });

  test('is not affected by an unexplained 403 response on a route without a key', async () => {
    answers = [createReply(403, { message: 'Forbidden' })];
    const sent = createClient().send('readIndex', {
      params: undefined,
      query: undefined,
      headers: undefined,
      body: undefined,
    });
    expect(await getError(sent)).toMatchObject({ code: 'NOT_FOR_ASSISTANTS' });
    expect([asked, died]).toEqual([['GET /agent no key'], 0]);
  });

  test('is not affected by a 403 response with an explanation', async () => {
    answers = [createReply(403, { error: 'This listing is not yours.' })];
    expect(await getError(read())).toMatchObject({ code: 'NOT_YOURS', message: 'This listing is not yours.' });
    expect([asked.length, died]).toEqual([1, 0]);
  });

  test('is not sent to the target of a redirect', async () => {
    answers = [
      createReply(302, {}, { location: 'http://127.0.0.1:1/' }),
      createReply(302, {}, { location: 'http://127.0.0.1:1/' }),
    ];
    expect((await getError(read())).effect).toBe('unclear');
    expect(asked.every((line) => line.startsWith('GET /listings/l_1'))).toBe(true);
  });

  test.each([
    ['a sentence', { error: 'Access with Bearer key-1 is denied.' }],
    ['an HTML page', '<html>Authorization: Bearer key-1</html>'],
  ])('does not appear in an error, even if the service returns the key in %s', async (_what, body) => {
    answers = [createReply(500, body), createReply(500, body)];
    const error = await getError(read());
    expect(JSON.stringify([error, error.message, error.stack, error.body])).not.toContain('key-1');
  });
});

describe('missing or invalid responses', () => {
  test('a request to an unreachable service is reported as not sent', async () => {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, 'close');
    expect(await getError(read(`http://127.0.0.1:${port}`))).toMatchObject({
      effect: 'unreached',
      code: 'SERVICE_UNREACHABLE',
    });
  });

  test('a listing without an id is rejected', async () => {
    answers = [createReply(200, { status: 'draft' })];
    expect(await getError(read())).toMatchObject({ code: 'UNEXPECTED_ANSWER', effect: 'unclear' });
  });

  test.each(['an endless response', 'a response of 1 TiB'])('the client stops reading %s early', async (how) => {
    let written = 0;
    const piece = Buffer.alloc(1024 * 1024, ' ');
    const closed = Promise.withResolvers<void>();
    const endless: Answer = (_request, response) => {
      response.writeHead(200, how === 'an endless response' ? {} : { 'content-length': 1024 ** 4 });
      const write = (): void => {
        while (!response.destroyed && response.write(piece)) written += piece.length;
      };
      response.on('drain', write).on('close', () => closed.resolve());
      write();
    };
    answers = [endless];
    expect(await getError(read())).toMatchObject({
      code: 'UNEXPECTED_ANSWER',
      message: 'The service’s answer was too large for the companion.',
    });
    await closed.promise;
    // Includes the bytes in the buffers of both sockets.
    expect(written).toBeLessThan(64 * 1024 * 1024);
    expect(asked).toHaveLength(1);
  });

  test('a read is retried after a truncated response', async () => {
    const half: Answer = (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"listingId":');
      setImmediate(() => request.socket.destroy());
    };
    answers = [half];
    expect((await read()).answer.listingId).toBe('l_1');
    expect(asked).toHaveLength(2);
  });
});

test('an approved request is sent only with the key for which it was approved', async () => {
  const input = { params: { listingId: 'l_1' }, query: undefined, headers: undefined, body: {} };
  const contact = { params: undefined, query: undefined, headers: undefined, body: { message: 'Hello' } };
  const other = { keyPrint: computeKeyFingerprint('key-2') };
  await expect(createClient().send('publishListing', input, other)).rejects.toMatchObject({ code: 'ACCOUNT_CHANGED' });
  await expect(createClient().send('sendContact', contact, other)).rejects.toMatchObject({ code: 'ACCOUNT_CHANGED' });
  expect(asked).toEqual([]);
  await createClient().send('sendContact', contact, { keyPrint: computeKeyFingerprint('key-1') });
  expect(asked).toEqual(['POST /contact no key']);
});
