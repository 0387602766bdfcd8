import { afterAll, beforeAll, expect, test } from 'vitest';
import { startScene, type Scene } from '../../helpers/bridge/scene.ts';

let scene: Scene;
beforeAll(async () => (scene = await startScene()));
afterAll(() => scene.close());

const me = { method: 'GET', path: '/agent/me' };
const buildNestedJson = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** Returns the response to a read with the given fault, and checks that the next read succeeds. */
const readWithFault = async (fault: Record<string, unknown>) => {
  // Cached responses and recent failures have expired by then.
  scene.world.clock.advance(60_000);
  await scene.world.practice.fault({ ...me, ...fault });
  const { status, body } = await scene.one.call('GET', '/agent/me');
  scene.world.clock.advance(60_000);
  expect((await scene.one.call('GET', '/agent/me')).status).toBe(200);
  return { status, body };
};

const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
test.each(names)('the service’s error code %s is passed on', async (code) => {
  const { status, body } = await readWithFault({ status: 409, code, error: 'No.' });
  expect([status, body['error'], body['code']]).toEqual([409, 'No.', code]);
});

const noCodes = ['', 'two words', 'a'.repeat(65), '<b>', 'ÜBER', 'A\u202eB', 'a\nb', '🙂'];
test.each(noCodes)('the service’s invalid error code %j is replaced by the companion’s code', async (code) => {
  const { status, body } = await readWithFault({ status: 409, code, error: 'No.' });
  expect([status, body['error'], body['code']]).toEqual([409, 'No.', 'WRONG_STATE']);
});

test('the service’s error code with hyphens is passed on', async () => {
  const { body } = await readWithFault({ status: 409, code: 'overage-state-conflict', error: 'No.' });
  expect(body['code']).toBe('overage-state-conflict');
});

const empty = ['', '   ', '\u200b\u202e'];
test.each(empty)('the service’s blank error text %j is replaced by the companion’s text', async (error) => {
  const { body } = await readWithFault({ status: 400, code: 'NO', error });
  expect(body).toMatchObject({ error: 'The service refused the request.', code: 'NO' });
});

test('a long refusal by the service is truncated or replaced', async () => {
  const long = await readWithFault({ status: 400, code: 'NO', error: '🙂'.repeat(3_000) });
  expect(long.body).toEqual({ error: '🙂'.repeat(500), code: 'NO' });
  const halved = await readWithFault({ status: 400, code: 'NO', error: `x${'🙂'.repeat(3_000)}` });
  expect(halved.body).toEqual({ error: `x${'🙂'.repeat(499)}`, code: 'NO' });
  const large = await readWithFault({ status: 400, code: 'NO', error: 'No.', body: { more: 'x'.repeat(200_000) } });
  expect(large.body).toEqual({ error: 'The service refused the request.', code: 'REFUSED' });
});

test.each([100, 5_000, 200_000])('a response nested %i levels deep is rejected', async (levels) => {
  const { status, body } = await readWithFault({ text: `{"allowance":${buildNestedJson(levels)}}` });
  expect([status, body['code']]).toEqual([502, 'UNEXPECTED_ANSWER']);
});
test.each([100, 5_000, 200_000])(
  'a refusal nested %i levels deep is replaced by the companion’s own refusal',
  async (levels) => {
    const { status, body } = await readWithFault({
      status: 409,
      text: `{"error":"No.","code":"NO","more":${buildNestedJson(levels)}}`,
    });
    expect(body).toEqual({ error: 'The service refused the request.', code: 'WRONG_STATE' });
    expect(status).toBe(409);
  },
);
test('a response nested forty levels deep is accepted', async () => {
  const { status, body } = await readWithFault({ body: { more: JSON.parse(buildNestedJson(40)) as unknown } });
  expect(status).toBe(200);
  expect(JSON.stringify(body['more'])).toBe(buildNestedJson(40));
});
test('a response with 400,000 values is rejected', async () => {
  const { status, body } = await readWithFault({ text: `{"more":[${'{},'.repeat(400_000)}{}]}` });
  expect([status, body['code']]).toEqual([502, 'UNEXPECTED_ANSWER']);
});

test('prototype property names in a response do not change any object', async () => {
  const listingId = await scene.draft(scene.one);
  const hostile = '{"title":7,"polluted":"yes","toString":"x"}';
  await scene.world.practice.fault({
    method: 'GET',
    path: '/listings/{listingId}',
    text: `{"listingId":"${listingId}","status":"draft","__proto__":${hostile},"\\u005f_proto__":${hostile},"constructor":"x","hasOwnProperty":1}`,
  });
  const outcome = await scene.world.perform('readListing', { params: { listingId } });
  const { answer } = outcome as { answer: Record<string, unknown> };
  expect(Object.getPrototypeOf(answer)).toBe(Object.prototype);
  expect([answer['title'], answer['polluted']]).toEqual([undefined, undefined]);
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  expect((await scene.one.call('GET', `/listings/${listingId}`)).status).toBe(200);
});

test('a service fault with an absurdly long retry time is reported as a service fault', async () => {
  const { body, status } = await readWithFault({ status: 503, error: 'Later.', headers: { 'retry-after': '1e300' } });
  expect([status, body['code']]).toEqual([503, 'SERVICE_FAULT']);
});

test('the companion removes the service key from responses and passes on invalid JSON as text', async () => {
  const key = (await scene.world.secrets.get('agent-key practice')) ?? 'none';
  const echo = await readWithFault({ body: { echo: `Bearer ${key}` } });
  expect([echo.status, echo.body['echo']]).toEqual([200, 'Bearer …']);
  await scene.world.practice.fault({ method: 'GET', path: '/agent/guide', text: '# Half a guide {"' });
  const guide = await scene.one.call('GET', '/agent/guide');
  expect([guide.status, guide.body]).toEqual([200, { text: '# Half a guide {"' }]);
});
