import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { startTestPractice, type TestPractice } from '../../helpers/practice.ts';

let practice: TestPractice;
beforeAll(async () => {
  practice = await startTestPractice();
});
afterAll(() => practice.close());

const minute = 60_000;
const codes = z.array(z.object({ code: z.string().optional() }));
const started = z.looseObject({ challengeId: z.string() });

const start = (email: string) => practice.call(null, 'POST', '/agent/auth/start', { email, agentLabel: 'Helper' });
const startChallenge = async (email: string): Promise<string> => started.parse((await start(email)).body).challengeId;
const readCode = async (email: string): Promise<string> =>
  codes.parse(await practice.control('GET', `/outbox?email=${encodeURIComponent(email)}`))[0]?.code ?? '';
const verify = (challengeId: string, email: string, code: string) =>
  practice.call(null, 'POST', '/agent/auth/verify', { challengeId, email, code });
const getWrongCode = (code: string): string => (code === '000000' ? '000001' : '000000');

test('the answer to a sign-in request does not reveal whether the address is known', async () => {
  const { userId } = await practice.person({ email: 'known@example.com' });
  const [known, unknown] = [await start('known@example.com'), await start('unknown@example.com')];
  expect(Object.keys(known.body as object)).toEqual(Object.keys(unknown.body as object));
  expect([known.status, unknown.status]).toEqual([202, 202]);
  const first = await verify(
    started.parse(known.body).challengeId,
    'Known@Example.com ',
    await readCode('known@example.com'),
  );
  expect(first.status).toBe(400);
  const right = await verify(
    started.parse(known.body).challengeId,
    'KNOWN@example.com',
    await readCode('known@example.com'),
  );
  expect(right.body).toMatchObject({ userId, accountCreated: false });
  const made = await verify(
    started.parse(unknown.body).challengeId,
    'unknown@example.com',
    await readCode('unknown@example.com'),
  );
  expect(made.body).toMatchObject({ accountCreated: true });
});

test('a sign-in code works once', async () => {
  const email = 'once@example.com';
  const challengeId = await startChallenge(email);
  const code = await readCode(email);
  expect((await verify(challengeId, email, code)).status).toBe(200);
  expect(await verify(challengeId, email, code)).toMatchObject({ status: 400, body: { code: 'INVALID_CODE' } });
});

test('a sign-in code expires after 10 minutes', async () => {
  const email = 'late@example.com';
  const challengeId = await startChallenge(email);
  const code = await readCode(email);
  await practice.advance(10 * minute);
  expect(await verify(challengeId, email, code)).toMatchObject({ status: 400, body: { code: 'INVALID_CODE' } });
});

test('after five wrong codes the right code is refused too', async () => {
  const email = 'wrong@example.com';
  const challengeId = await startChallenge(email);
  const code = await readCode(email);
  for (let tries = 1; tries < 5; tries += 1)
    expect(await verify(challengeId, email, getWrongCode(code))).toMatchObject({
      status: 400,
      body: { code: 'INVALID_CODE', error: expect.not.stringContaining('used up') as string },
    });
  for (const last of [getWrongCode(code), code])
    expect(await verify(challengeId, email, last)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_CODE', error: expect.stringContaining('used up') as string },
    });
});

test('a code sent to one address does not work for another address', async () => {
  const challengeId = await startChallenge('one@example.com');
  const code = await readCode('one@example.com');
  expect((await verify(challengeId, 'two@example.com', code)).status).toBe(400);
  expect((await verify('chl_nothing', 'one@example.com', code)).status).toBe(400);
});

test('an address gets at most five codes an hour', async () => {
  const email = 'often@example.com';
  for (let sent = 0; sent < 5; sent += 1) {
    expect((await start(email)).status).toBe(202);
    await practice.advance(minute);
  }
  const refused = await start(email);
  expect(refused.status).toBe(429);
  const wait = Number(refused.headers['retry-after']);
  expect(wait).toBeGreaterThan(54 * 60);
  expect(wait).toBeLessThanOrEqual(55 * 60);
  expect((await start('other@example.com')).status).toBe(202);
  await practice.advance(wait * 1000);
  expect((await start(email)).status).toBe(202);
});

test('an invalid address and an invalid code are refused', async () => {
  expect((await start('not an address')).status).toBe(400);
  expect(await verify('chl_1', 'one@example.com', '12')).toMatchObject({ status: 400, body: { code: 'INVALID_CODE' } });
});
