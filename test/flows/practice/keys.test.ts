import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { startTestPractice, type TestPractice } from '../../helpers/practice.ts';

let practice: TestPractice;
beforeAll(async () => {
  practice = await startTestPractice();
});
afterAll(() => practice.close());

const day = 24 * 3_600_000;
const forbidden = { status: 403, body: { message: 'Forbidden' } };
const keyList = z.object({ keys: z.array(z.looseObject({ keyId: z.string(), current: z.boolean() })) });

test('a call without a key gets 401, and an unknown key gets 403', async () => {
  expect(await practice.call(null, 'GET', '/agent/me')).toMatchObject({
    status: 401,
    body: { error: expect.any(String) as string },
  });
  expect(await practice.call('key_000000000000.nothing', 'GET', '/agent/me')).toMatchObject(forbidden);
  const { agentKey } = await practice.person();
  const changed = agentKey.slice(0, -2) + (agentKey.endsWith('AA') ? 'BB' : 'AA');
  const answer = await practice.call(changed, 'GET', '/agent/me');
  expect(answer.body).toEqual({ message: 'Forbidden' });
});

test('revoking one key does not revoke the person’s other keys', async () => {
  const email = 'two-keys@example.com';
  const [first, second] = [await practice.person({ email }), await practice.person({ email })];
  expect(first.userId).toBe(second.userId);
  const { keys } = keyList.parse((await practice.call(first.agentKey, 'GET', '/agent/keys')).body);
  expect(keys.map(({ current }) => current)).toEqual([true, false]);
  expect(JSON.stringify(keys)).not.toContain(first.agentKey);
  expect((await practice.call(first.agentKey, 'DELETE', '/agent/keys/current')).status).toBe(200);
  expect(await practice.call(first.agentKey, 'GET', '/agent/me')).toMatchObject(forbidden);
  expect((await practice.call(second.agentKey, 'GET', '/agent/me')).status).toBe(200);
});

test('a key expires after 180 days without use', async () => {
  const [idle, busy] = [await practice.person(), await practice.person()];
  await practice.advance(179 * day);
  expect((await practice.call(busy.agentKey, 'GET', '/agent/me')).status).toBe(200);
  await practice.advance(day);
  expect(await practice.call(idle.agentKey, 'GET', '/agent/me')).toMatchObject(forbidden);
  expect((await practice.call(busy.agentKey, 'GET', '/agent/me')).status).toBe(200);
});

test('an account can have at most 20 keys', async () => {
  const email = 'many@example.com';
  for (let made = 0; made < 20; made += 1) await practice.person({ email });
  const start = await practice.call(null, 'POST', '/agent/auth/start', { email, agentLabel: 'One more' });
  const { challengeId } = z.looseObject({ challengeId: z.string() }).parse(start.body);
  const [mail] = z.array(z.object({ code: z.string() })).parse(await practice.control('GET', `/outbox?email=${email}`));
  const code = mail?.code ?? '';
  const verify = await practice.call(null, 'POST', '/agent/auth/verify', { challengeId, email, code });
  expect(verify).toMatchObject({ status: 409, body: { code: 'AGENT_KEY_LIMIT' } });
});

test('the service stores no key in plain text', async () => {
  const { agentKey } = await practice.person();
  const secret = agentKey.split('.')[1] ?? '';
  for (const file of ['practice.sqlite', 'practice.sqlite-wal'])
    expect(readFileSync(join(practice.dataDir, file)).includes(secret)).toBe(false);
});
