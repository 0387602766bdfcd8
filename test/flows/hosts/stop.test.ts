import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { trackPendingCalls } from '../../../src/host/processLifetime.ts';
import type { RunningCompanion } from '../../../src/host/runCompanion.ts';
import { runTestHost } from '../../helpers/hosts/testHost.ts';
import { createMemorySecrets } from '../../helpers/hosts/createMemorySecrets.ts';
import type { Log } from '../../../src/core/base/ports.ts';
import { lockDataFolder } from '../../../src/core/storage/folderLock.ts';

let dataDir: string;
let lines: string[];
beforeEach(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'companion-')), 'data');
  lines = [];
});
afterEach(() => rmSync(join(dataDir, '..'), { recursive: true, force: true }));

const log: Log = (level, message, facts = {}) => void lines.push(`${level} ${message} ${JSON.stringify(facts)}`);

const startCompanion = (): Promise<RunningCompanion> =>
  runTestHost(dataDir, { log: { log, dir: '', newest: async () => [], close: async () => undefined } });

test('a part that fails to stop does not prevent the other parts from stopping', async () => {
  const running = await startCompanion();
  await running.handlers['connect.practice']({});
  rmSync(join(dataDir, 'bridge.json'));
  mkdirSync(join(dataDir, 'bridge.json', 'in the way'), { recursive: true });
  expect(await running.stop()).toEqual([]);
  expect(lines.filter((line) => line.includes('stop'))).toEqual([
    expect.stringMatching(/^warn stopping a part failed .*"part":"bridge"/),
  ]);
  // The data folder is unlocked, and the next start finds its data.
  lockDataFolder(dataDir)();
  rmSync(join(dataDir, 'bridge.json'), { recursive: true });
  const again = await startCompanion();
  expect((await again.handlers['app.state']({})).connection).toBe('connected');
  await again.stop();
});

test('two simultaneous calls to stop the companion share one result', async () => {
  const running = await startCompanion();
  await running.handlers['connect.practice']({});
  const [first, second] = [running.stop(), running.stop()];
  expect(second).toBe(first);
  await first;
  expect(running.work()).toEqual({ running: 0, unwritten: 0, done: 0 });
});

test('the wait for keychain calls ends when every call has finished or failed', async () => {
  const asked = Promise.withResolvers<void>();
  const kept = createMemorySecrets();
  const secrets = trackPendingCalls({
    ...kept,
    set: () => asked.promise,
    get: () => Promise.reject(new Error('locked')),
  });
  await secrets.answered();
  const written = secrets.set('a', 'b');
  await expect(secrets.get('a')).rejects.toThrow('locked');
  let isIdle = false;
  const idle = secrets.answered().then(() => (isIdle = true));
  await new Promise(setImmediate);
  expect(isIdle).toBe(false);
  asked.resolve();
  await Promise.all([written, idle]);
  expect(secrets.kind).toBe('memory');
});
