import { expect, test } from 'vitest';
import { createUpdateService, type Updater } from '../../../src/main/updates/updates.ts';

/** A fake updater that offers a newer version and records its calls. */
const fakeUpdater = (more: Partial<Updater> = {}) => {
  const done: string[] = [];
  const updater: Updater = {
    check: async () => {
      done.push('check');
      return { version: '2.0.0' };
    },
    load: async () => void done.push('load'),
    install: () => void done.push('install'),
    ...more,
  };
  return { updater, done };
};

const startUpdates = (more: Partial<Updater> = {}) => {
  const { updater, done } = fakeUpdater(more);
  const idle = { now: true };
  const logged: string[] = [];
  const updates = createUpdateService({
    updater,
    mayQuit: async () => idle.now,
    log: (_level, what) => void logged.push(what),
  });
  return { updates, done, idle, logged };
};

test('an update is checked, downloaded and installed only at the person’s request', async () => {
  const { updates, done } = startUpdates();
  expect(updates.state()).toEqual({ state: 'none' });
  expect(done).toEqual([]);
  await updates.act('check');
  expect([updates.state(), done]).toEqual([{ state: 'found', version: '2.0.0' }, ['check']]);
  await updates.act('load');
  expect([updates.state(), done]).toEqual([{ state: 'ready', version: '2.0.0' }, ['check', 'load']]);
  await updates.act('install');
  expect(done).toEqual(['check', 'load', 'install']);
});

test('an update step out of order does nothing', async () => {
  const { updates, done } = startUpdates();
  await updates.act('install');
  await updates.act('load');
  expect(done).toEqual([]);
  await updates.act('check');
  await updates.act('check');
  await updates.act('install');
  expect(done).toEqual(['check']);
});

test('an update is not installed until the companion is idle', async () => {
  const { updates, done, idle } = startUpdates();
  idle.now = false;
  for (const act of ['check', 'load', 'install'] as const) await updates.act(act);
  expect(updates.state()).toEqual({ state: 'held', version: '2.0.0' });
  await updates.retryInstall();
  expect(done).not.toContain('install');
  idle.now = true;
  await updates.retryInstall();
  expect(done).toEqual(['check', 'load', 'install']);
});

test('an update is not installed without the person’s request', async () => {
  const { updates, done } = startUpdates();
  await updates.act('check');
  await updates.act('load');
  await updates.retryInstall();
  expect(done).toEqual(['check', 'load']);
});

test('a failed update check is reported and can be repeated', async () => {
  const current = startUpdates({ check: async () => null });
  await current.updates.act('check');
  expect(current.updates.state()).toEqual({ state: 'current' });
  const offline = startUpdates({ check: () => Promise.reject(new Error('net::ERR')) });
  await offline.updates.act('check');
  expect(offline.updates.state()).toEqual({ state: 'failed' });
  expect(offline.logged).toEqual(['update failed']);
  await offline.updates.act('check');
  expect(offline.logged).toHaveLength(2);
});
