import { expect, test } from 'vitest';
import { createUpdateService, type Updater } from '../../../src/main/updates/updates.ts';

/** An updater with a newer version at hand, which only writes down what it was told. */
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

const started = (more: Partial<Updater> = {}) => {
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

test('checking, downloading and installing an update each need a yes from the person', async () => {
  const { updates, done } = started();
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
  const { updates, done } = started();
  await updates.act('install');
  await updates.act('load');
  expect(done).toEqual([]);
  await updates.act('check');
  await updates.act('check');
  await updates.act('install');
  expect(done).toEqual(['check']);
});

test('an install waits while work runs or approvals are pending, and then happens', async () => {
  const { updates, done, idle } = started();
  idle.now = false;
  for (const act of ['check', 'load', 'install'] as const) await updates.act(act);
  expect(updates.state()).toEqual({ state: 'held', version: '2.0.0' });
  await updates.retryInstall();
  expect(done).not.toContain('install');
  idle.now = true;
  await updates.retryInstall();
  expect(done).toEqual(['check', 'load', 'install']);
});

test('an update is not installed without the person’s yes, even when the companion is idle', async () => {
  const { updates, done } = started();
  await updates.act('check');
  await updates.act('load');
  await updates.retryInstall();
  expect(done).toEqual(['check', 'load']);
});

test('no new version and no network are reported, and the check can be repeated', async () => {
  const current = started({ check: async () => null });
  await current.updates.act('check');
  expect(current.updates.state()).toEqual({ state: 'current' });
  const offline = started({ check: () => Promise.reject(new Error('net::ERR')) });
  await offline.updates.act('check');
  expect(offline.updates.state()).toEqual({ state: 'failed' });
  expect(offline.logged).toEqual(['update failed']);
  await offline.updates.act('check');
  expect(offline.logged).toHaveLength(2);
});
