import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const readMails = async (email: string) =>
  z
    .array(z.looseObject({ code: z.string().optional() }))
    .parse(await world.practice.control('GET', `/outbox?email=${encodeURIComponent(email)}`));
const email = 'new-seller@example.com';
const start = () => world.companion().connect.start(email);
const verify = (challengeId: string, code: string) => world.companion().connect.verify({ challengeId, email, code });
const getWrongCode = (code: string) => (code === '000000' ? '000001' : '000000');
const startWithoutPerson = () => startWorld({ person: null });

test('the key from a sign-in by code is stored only in the keychain', async () => {
  world = await startWithoutPerson();
  expect(world.companion().state(null).connection).toBe('none');
  const { challengeId, termsUrl, privacyUrl } = await start();
  expect([termsUrl, privacyUrl].every((url) => url?.startsWith('http'))).toBe(true);
  const [mail] = await readMails(email);
  await verify(challengeId, ` ${mail?.code?.slice(0, 3)} ${mail?.code?.slice(3)} `);
  expect(world.companion().state(null)).toMatchObject({ connection: 'connected', person: { email } });
  const key = await world.secrets.get('agent-key practice');
  expect(key).toBeTruthy();
  expect(JSON.stringify([world.companion().state(null), world.logs])).not.toContain(key);
  const { readFile } = await import('node:fs/promises');
  for (const file of ['companion.db', 'companion.db-wal']) {
    expect(await readFile(`${world.dataDir}/${file}`, 'latin1').catch(() => '')).not.toContain(key);
  }
});

test('a wrong, used or expired sign-in code is refused with INVALID_CODE', async () => {
  world = await startWithoutPerson();
  const { challengeId } = await start();
  const code = (await readMails(email))[0]?.code ?? '';
  await expect(verify(challengeId, '12')).rejects.toMatchObject({
    code: 'INVALID_CODE',
    field: 'code',
    message: 'The code has 6 digits.',
  });
  await expect(verify(challengeId, getWrongCode(code))).rejects.toMatchObject({ code: 'INVALID_CODE', field: 'code' });
  await verify(challengeId, code);
  await expect(verify(challengeId, code)).rejects.toMatchObject({ code: 'INVALID_CODE' });

  const late = await start();
  await world.practice.advance(11 * 60_000);
  await expect(verify(late.challengeId, (await readMails(email))[0]?.code ?? '')).rejects.toMatchObject({
    code: 'INVALID_CODE',
  });
});

test('after five wrong sign-in codes the error asks the person to request a new code', async () => {
  world = await startWithoutPerson();
  const { challengeId } = await start();
  const code = (await readMails(email))[0]?.code ?? '';
  for (let index = 0; index < 5; index += 1) await expect(verify(challengeId, getWrongCode(code))).rejects.toThrow();
  await expect(verify(challengeId, code)).rejects.toThrow(/start again/i);
});

test('a refused sign-in reports how long the person must wait', async () => {
  world = await startWithoutPerson();
  await world.practice.fault({
    method: 'POST',
    path: '/agent/auth/start',
    times: 1,
    status: 503,
    headers: { 'retry-after': '90' },
  });
  await expect(start()).rejects.toMatchObject({ retryAfterS: 90 });
});

test('an invalid e-mail address is refused with an error at its field', async () => {
  world = await startWithoutPerson();
  await expect(world.companion().connect.start('not an address')).rejects.toMatchObject({
    code: 'INVALID_EMAIL',
    field: 'email',
  });
});

test('after a key was revoked elsewhere, items continue once the person reconnects', async () => {
  world = await startWorld();
  const { listingId } = await world.reviewed();
  const key = (await world.secrets.get('agent-key practice')) ?? '';
  expect((await world.practice.call(key, 'DELETE', '/agent/keys/current')).status).toBe(200);
  const read = world.perform('readListing', { params: { listingId } });
  let settled = false;
  void read.finally(() => (settled = true)).catch(() => undefined);
  await world.until(() => settled, 'the second try');
  await expect(read).rejects.toMatchObject({ code: 'RECONNECT_NEEDED' });
  expect(world.companion().state(null).connection).toBe('reconnect');

  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await world.folder('later thing')] });
  const stopped = await world.until(() => world.companion().items.get(itemIds[0] ?? '').stop, 'the stop');
  expect(stopped.next).toContain('connect');
  await world.companion().connect.practice();
  await world.item(itemIds[0] ?? '', 'review');
});
