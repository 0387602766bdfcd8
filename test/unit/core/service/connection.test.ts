import { expect, test } from 'vitest';
import { openServiceConnection } from '../../../../src/core/service/connection.ts';
import { openMigratedDatabase } from '../../../../src/core/storage/database.ts';
import { createSettingsTable } from '../../../../src/core/storage/tables/settingsTable.ts';
import { createMemorySecrets } from '../../../helpers/hosts/createMemorySecrets.ts';

const openConnection = async () => {
  const secrets = createMemorySecrets();
  const connection = await openServiceConnection({
    settings: createSettingsTable(openMigratedDatabase(':memory:')),
    secrets,
    service: 'practice',
    record: (_kind, _facts, change) => change(),
  });
  await connection.save('u1', 'ann@practice.example', 'first key');
  return { secrets, connection };
};

test('an outdated request to forget a connection does not remove the new connection', async () => {
  const { secrets, connection } = await openConnection();
  const first = connection.connectionNumber();
  await connection.save('u1', 'ann@practice.example', 'second key');
  expect(await connection.forget(first)).toBe(false);
  expect([connection.state(), await connection.key()]).toEqual(['connected', 'second key']);
  expect(await connection.forget(connection.connectionNumber())).toBe(true);
  expect([connection.state(), await secrets.get('agent-key practice')]).toEqual(['none', null]);
});

test('a stored key of another connection is refused, but not a key of an earlier version', async () => {
  const settings = createSettingsTable(openMigratedDatabase(':memory:'));
  const secrets = createMemorySecrets();
  const open = () =>
    openServiceConnection({ settings, secrets, service: 'practice', record: (_kind, _facts, change) => change() });
  settings.write('connection practice', { account: 'practice#u1', userId: 'u1', email: null });
  await secrets.set('agent-key practice', 'first key');
  const connection = await open();
  expect([connection.state(), await connection.key()]).toEqual(['connected', 'first key']);
  await connection.save('u1', null, 'second key');
  expect(await (await open()).key()).toBe('second key');
  await secrets.set('agent-key practice', 'first key');
  const again = await open();
  expect([again.state(), await again.key(), again.keyPrint()]).toEqual(['reconnect', null, '']);
});

test('a new key is kept even if the keychain is still removing the previous key', async () => {
  const { secrets, connection } = await openConnection();
  const { remove } = secrets;
  const slow = Promise.withResolvers<void>();
  secrets.remove = async (name) => {
    await slow.promise;
    await remove(name);
  };
  const both = [connection.forget(connection.connectionNumber()), connection.save('u1', null, 'second key')];
  slow.resolve();
  await Promise.all(both);
  expect([connection.state(), await secrets.get('agent-key practice')]).toEqual(['connected', 'second key']);
});
