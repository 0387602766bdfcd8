import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const getConnection = () => world.companion().state(null).connection;

test('an approved disconnect revokes the key and deletes it from the keychain', async () => {
  world = await startWorld();
  const key = (await world.secrets.get('agent-key practice')) ?? '';
  expect((await world.perform('revokeCurrentKey', {})).state).toBe('pending');
  expect(getConnection()).toBe('connected');
  expect((await world.yes()).state).toBe('done');
  await waitUntil(() => getConnection() === 'none', 'the connection to be forgotten');
  expect(await world.secrets.get('agent-key practice')).toBeNull();
  expect((await world.practice.call(key, 'GET', '/agent/me')).status).toBe(403);
  expect(world.notices.filter(({ kind }) => kind === 'connection')).toEqual([]);
});

test('a declined disconnect leaves the companion connected', async () => {
  world = await startWorld();
  await world.perform('revokeCurrentKey', {});
  const [waiting] = world.companion().approvals.listPending();
  world.companion().approvals.decline(waiting?.approvalId ?? '', waiting?.digest ?? '', 'no');
  await world.perform('readStanding', {});
  expect(getConnection()).toBe('connected');
});

test('the companion remains connected if the keychain refuses to delete the key', async () => {
  world = await startWorld({ keychain: 'system' });
  world.secrets.remove = () => Promise.reject(new Error('locked'));
  await expect(world.companion().connect.forget()).rejects.toThrow('locked');
  expect(getConnection()).toBe('connected');
  expect((await world.reviewed()).listingId).not.toBe('');
});

test('a delayed removal of the old key does not end a new connection', async () => {
  world = await startWorld();
  const remove = Promise.withResolvers<void>();
  const { remove: reallyRemove } = world.secrets;
  // The keychain deletes the old key only when the test allows it.
  world.secrets.remove = async (name) => {
    await remove.promise;
    await reallyRemove(name);
  };
  await world.perform('revokeCurrentKey', {});
  await world.yes();
  const again = world.companion().connect.practice();
  remove.resolve();
  await again;
  await waitUntil(async () => (await world.secrets.get('agent-key practice')) !== null, 'the new key to be kept');
  expect(getConnection()).toBe('connected');
  expect((await world.perform('readStanding', {})).state).toBe('done');
  expect((await world.reviewed()).listingId).not.toBe('');
});

test('a new item is generated after the person disconnects and connects again', async () => {
  world = await startWorld();
  await world.companion().connect.forget();
  expect(getConnection()).toBe('none');
  await world.companion().connect.practice();
  expect((await world.reviewed()).listingId).not.toBe('');
});

test('a disconnect does not end a connection that was made during the disconnect', async () => {
  world = await startWorld();
  const { connect } = world.companion();
  await Promise.all([connect.forget(), connect.practice()]);
  expect(getConnection()).toBe('connected');
  expect((await world.reviewed()).listingId).not.toBe('');
});

test('a disconnect during the renewal of a practice key leaves the companion disconnected', async () => {
  const email = 'you@practice.example';
  const calm = Promise.withResolvers<void>();
  let made = 0;
  world = await startWorld({
    keychain: 'system',
    calm: calm.promise,
    practicePerson: (practice) => async () => {
      const person = await practice.person({ email, plan: 'Starter', connected: true });
      made += 1;
      return { ...person, email };
    },
  });
  await world.stop();
  await world.secrets.remove('agent-key practice');
  await world.begin();
  const { remove: reallyRemove } = world.secrets;
  const remove = Promise.withResolvers<void>();
  world.secrets.remove = async (name) => {
    await remove.promise;
    await reallyRemove(name);
  };
  const forgotten = world.companion().connect.forget();
  calm.resolve();
  await waitUntil(() => made === 2, 'the new key');
  await setImmediate();
  remove.resolve();
  await forgotten;
  await setImmediate();
  expect(getConnection()).toBe('none');
  expect(await world.secrets.get('agent-key practice')).toBeNull();
});
