import { afterEach, expect, test } from 'vitest';
import { settled } from '../helpers/testClock.ts';
import { startWorld, type World } from '../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const state = () => world.companion().state(null).connection;

test('after the yes to disconnect, the key works no more at the service and is gone from here', async () => {
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

test('a no leaves the connection as it is', async () => {
  world = await startWorld();
  await world.perform('revokeCurrentKey', {});
  const [waiting] = world.companion().approvals.waiting();
  world.companion().approvals.decline(waiting?.approvalId ?? '', 'no');
  await world.perform('readStanding', {});
  expect(state()).toBe('connected');
});
