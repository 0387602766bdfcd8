import { readFile } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { toProblemView } from '../../../src/core/base/problem.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const connect = () => world.companion().connect;
const person = () => world.companion().state(null).person;
const readStoredKey = () => world.secrets.get('agent-key practice');
const countRequests = async (): Promise<number> => (await world.practice.journal()).length;
const createKeyInWeb = async (email: string) => (await world.practice.person({ email, connected: true })).agentKey;
/** Returns the error for a key, or null. Advances the fake clock until the key is checked. */
const readRefusal = async (key: string) => {
  const tried = connect()
    .key(key)
    .then(() => null, toProblemView);
  let seen: Awaited<typeof tried> | undefined;
  tried.then((view) => (seen = view)).catch(() => undefined);
  await world.until(() => seen !== undefined, 'the refusal');
  return tried;
};

test('a key from the web settings connects and is stored only in the keychain', async () => {
  world = await startWorld({ person: null });
  const key = await createKeyInWeb('web@example.com');
  await connect().key(`  ${key}\n`);
  expect(world.companion().state(null)).toMatchObject({
    connection: 'connected',
    person: { email: 'web@example.com' },
  });
  expect(await readStoredKey()).toBe(key);
  expect(await world.perform('readAccount', {})).toMatchObject({ answer: { email: 'web@example.com' } });
  expect(JSON.stringify([world.companion().state(null), world.logs, world.notices])).not.toContain(key);
  for (const file of ['companion.db', 'companion.db-wal'])
    expect(await readFile(`${world.dataDir}/${file}`, 'latin1').catch(() => '')).not.toContain(key);
});

test('a refused key does not end the current connection', async () => {
  world = await startWorld();
  const before = { key: await readStoredKey(), email: person()?.email };
  const dead = 'agent_of_somebody_else_1234567890';
  const refused = await readRefusal(dead);
  expect(refused).toMatchObject({ code: 'KEY_REFUSED', field: 'key' });
  expect(refused?.sentence).toContain('Nothing here has changed');
  expect(JSON.stringify([refused, world.logs, world.companion().state(null)])).not.toContain(dead);
  expect({ key: await readStoredKey(), email: person()?.email }).toEqual(before);
  expect(world.companion().state(null).connection).toBe('connected');
  expect(world.notices).toEqual([]);
  expect(await world.perform('readAccount', {})).toMatchObject({ state: 'done', answer: { email: before.email } });
});

test('a text that cannot be a key is not sent to the service', async () => {
  world = await startWorld();
  const before = await countRequests();
  for (const text of [
    '',
    'my secret diary',
    'robin@example.org',
    'https://service.example/reset?token=1234567890',
    'a\nb',
  ])
    await expect(connect().key(text)).rejects.toMatchObject({ code: 'NO_KEY', field: 'key' });
  expect(await countRequests()).toBe(before);
});

test('a key entered while the service is unreachable does not end the current connection', async () => {
  let reach: string | null = null;
  world = await startWorld({ reach: () => reach });
  const before = await readStoredKey();
  const key = await createKeyInWeb('other@example.com');
  reach = 'http://127.0.0.1:9';
  expect(await readRefusal(key)).toMatchObject({ code: 'SERVICE_UNREACHABLE' });
  reach = null;
  expect(await readStoredKey()).toBe(before);
  expect(world.companion().state(null).connection).toBe('connected');
});

test('after the key of another person is entered, the first person’s items are hidden', async () => {
  world = await startWorld();
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await world.folder('blue shoes')] });
  const [itemId = ''] = itemIds;
  world.companion().changeSettings({ marketAccountId: 'mine', templateId: 'tpl_mine', watchTemplateId: 'tpl_mine' });
  await connect().key(await createKeyInWeb('second@example.com'));
  expect(person()).toMatchObject({ email: 'second@example.com' });
  expect(() => world.companion().items.get(itemId)).toThrow('There is no such item.');
  expect(world.companion().state(null).settings).toMatchObject({
    marketAccountId: null,
    templateId: null,
    watchTemplateId: null,
  });
});
