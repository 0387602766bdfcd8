import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { settled } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const state = () => world.companion().state(null).connection;

test('after disconnecting is approved, the key no longer works at the service and is removed from this machine', async () => {
  world = await startWorld();
  const key = (await world.secrets.get('agent-key practice')) ?? '';
  expect((await world.perform('revokeCurrentKey', {})).state).toBe('pending');
  expect(state()).toBe('connected');
  expect((await world.yes()).state).toBe('done');
  await settled(() => state() === 'none', 'the connection to be forgotten');
  expect(await world.secrets.get('agent-key practice')).toBeNull();
  expect((await world.practice.call(key, 'GET', '/agent/me')).status).toBe(403);
  expect(world.notices.filter(({ kind }) => kind === 'connection')).toEqual([]);
});

test('declining to disconnect keeps the connection', async () => {
  world = await startWorld();
  await world.perform('revokeCurrentKey', {});
  const [waiting] = world.companion().approvals.listPending();
  world.companion().approvals.decline(waiting?.approvalId ?? '', waiting?.digest ?? '', 'no');
  await world.perform('readStanding', {});
  expect(state()).toBe('connected');
});

test('if the keychain refuses to delete the key, the connection stays and all work continues', async () => {
  world = await startWorld({ keychain: 'system' });
  world.secrets.remove = () => Promise.reject(new Error('locked'));
  await expect(world.companion().connect.forget()).rejects.toThrow('locked');
  expect(state()).toBe('connected');
  expect((await world.reviewed()).listingId).not.toBe('');
});

test('reconnecting while the old connection is still being removed stays connected', async () => {
  world = await startWorld();
  const remove = Promise.withResolvers<void>();
  const { remove: reallyRemove } = world.secrets;
  // The keychain has the old key for as long as it likes.
  world.secrets.remove = async (name) => {
    await remove.promise;
    await reallyRemove(name);
  };
  await world.perform('revokeCurrentKey', {});
  await world.yes();
  const again = world.companion().connect.practice();
  remove.resolve();
  await again;
  await settled(async () => (await world.secrets.get('agent-key practice')) !== null, 'the new key to be kept');
  expect(state()).toBe('connected');
  expect((await world.perform('readStanding', {})).state).toBe('done');
  expect((await world.reviewed()).listingId).not.toBe('');
});

test('items continue where they stopped after disconnecting and connecting again', async () => {
  world = await startWorld();
  await world.companion().connect.forget();
  expect(state()).toBe('none');
  await world.companion().connect.practice();
  expect((await world.reviewed()).listingId).not.toBe('');
});

test('a connection made before the old connection is removed is kept', async () => {
  world = await startWorld();
  const { connect } = world.companion();
  await Promise.all([connect.forget(), connect.practice()]);
  expect(state()).toBe('connected');
  expect((await world.reviewed()).listingId).not.toBe('');
});

test('disconnecting while a practice key is being renewed stays disconnected', async () => {
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
  await settled(() => made === 2, 'the new key');
  await setImmediate();
  remove.resolve();
  await forgotten;
  await setImmediate();
  expect(state()).toBe('none');
  expect(await world.secrets.get('agent-key practice')).toBeNull();
});
