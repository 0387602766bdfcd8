import { readFile } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { toProblemView } from '../../../src/core/base/problem.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const connect = () => world.companion().connect;
const person = () => world.companion().state(null).person;
const stored = () => world.secrets.get('agent-key practice');
const requests = async (): Promise<number> => (await world.practice.journal()).length;
/** A key as the person makes one in the web settings. */
const madeInTheWeb = async (email: string) => (await world.practice.person({ email, connected: true })).agentKey;
/** Returns how a key is refused, advancing the fake clock while it waits. */
const refusal = async (key: string) => {
  const tried = connect()
    .key(key)
    .then(() => null, toProblemView);
  let seen: Awaited<typeof tried> | undefined;
  tried.then((view) => (seen = view)).catch(() => undefined);
  await world.until(() => seen !== undefined, 'the refusal');
  return tried;
};

test('a key made in the web settings connects without a code, and is stored only in the keychain', async () => {
  world = await startWorld({ person: null });
  const key = await madeInTheWeb('web@example.com');
  await connect().key(`  ${key}\n`);
  expect(world.companion().state(null)).toMatchObject({
    connection: 'connected',
    person: { email: 'web@example.com' },
  });
  expect(await stored()).toBe(key);
  expect(await world.perform('readAccount', {})).toMatchObject({ answer: { email: 'web@example.com' } });
  expect(JSON.stringify([world.companion().state(null), world.logs, world.notices])).not.toContain(key);
  for (const file of ['companion.db', 'companion.db-wal'])
    expect(await readFile(`${world.dataDir}/${file}`, 'latin1').catch(() => '')).not.toContain(key);
});

test('a key that the service refuses shows a sentence at its field, and the previous sign-in stays', async () => {
  world = await startWorld();
  const before = { key: await stored(), email: person()?.email };
  const dead = 'agent_of_somebody_else_1234567890';
  const refused = await refusal(dead);
  expect(refused).toMatchObject({ code: 'KEY_REFUSED', field: 'key' });
  expect(refused?.sentence).toContain('Nothing here has changed');
  expect(JSON.stringify([refused, world.logs, world.companion().state(null)])).not.toContain(dead);
  expect({ key: await stored(), email: person()?.email }).toEqual(before);
  expect(world.companion().state(null).connection).toBe('connected');
  expect(world.notices).toEqual([]);
  expect(await world.perform('readAccount', {})).toMatchObject({ state: 'done', answer: { email: before.email } });
});

test('a text that is not a key, such as a copied sentence, is not sent', async () => {
  world = await startWorld();
  const before = await requests();
  for (const text of [
    '',
    'my secret diary',
    'robin@example.org',
    'https://service.example/reset?token=1234567890',
    'a\nb',
  ])
    await expect(connect().key(text)).rejects.toMatchObject({ code: 'NO_KEY', field: 'key' });
  expect(await requests()).toBe(before);
});

test('a key entered while the service is unreachable keeps the previous sign-in, and the error says so', async () => {
  let reach: string | null = null;
  world = await startWorld({ reach: () => reach });
  const before = await stored();
  const key = await madeInTheWeb('other@example.com');
  reach = 'http://127.0.0.1:9';
  expect(await refusal(key)).toMatchObject({ code: 'SERVICE_UNREACHABLE' });
  reach = null;
  expect(await stored()).toBe(before);
  expect(world.companion().state(null).connection).toBe('connected');
});

test('a key of another person changes the account, and nothing of the first person is shown or sent', async () => {
  world = await startWorld();
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await world.folder('blue shoes')] });
  const [itemId = ''] = itemIds;
  world.companion().changeSettings({ marketAccountId: 'mine', templateId: 'tpl_mine', watchTemplateId: 'tpl_mine' });
  await connect().key(await madeInTheWeb('second@example.com'));
  expect(person()).toMatchObject({ email: 'second@example.com' });
  expect(() => world.companion().items.get(itemId)).toThrow('There is no such item.');
  expect(world.companion().state(null).settings).toMatchObject({
    marketAccountId: null,
    templateId: null,
    watchTemplateId: null,
  });
});
