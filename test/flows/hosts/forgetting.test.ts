import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Secrets } from '../../../src/core/base/ports.ts';
import { runCli } from '../../../src/cli/runCli.ts';
import { storeForgetRequest } from '../../../src/host/data/forgetting.ts';
import type { RunningCompanion } from '../../../src/host/runCompanion.ts';
import { runTestHost } from '../../helpers/hosts/testHost.ts';

let dataDir: string;
let kept: Map<string, string>;
let quits: number;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'companion-'));
  kept = new Map();
  quits = 0;
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

type Keychain = { forgetSecrets?: () => Promise<void>; problem?: string };

/** Starts the companion with a keychain that survives its end. */
const startCompanion = ({ forgetSecrets, problem }: Keychain = {}): Promise<RunningCompanion> => {
  const secrets: Secrets = {
    kind: problem === undefined ? 'system' : 'memory',
    ...(problem === undefined ? {} : { problem }),
    get: async (name) => kept.get(name) ?? null,
    set: async (name, value) => void kept.set(name, value),
    remove: async (name) => void kept.delete(name),
  };
  return runTestHost(dataDir, {
    secrets,
    forgetSecrets: forgetSecrets ?? (async () => kept.clear()),
    quit: () => (quits += 1),
  });
};

/** Starts a companion with data, in a folder that also contains the person's own files. */
const startUsedCompanion = async (keychain: Keychain = {}): Promise<RunningCompanion> => {
  const running = await startCompanion(keychain);
  await running.handlers['connect.practice']({});
  await running.handlers['backups.make']({});
  writeFileSync(join(dataDir, 'my own notes.txt'), 'mine');
  mkdirSync(join(dataDir, 'my own photos'));
  return running;
};
const ownFiles = ['companion.lock', 'my own notes.txt', 'my own photos'];
const listDataFiles = (): string[] => readdirSync(dataDir).sort();

/** Starts the companion and checks that no earlier data and no alarm exist. */
const expectFreshStart = async (): Promise<void> => {
  const running = await startCompanion();
  expect(await running.handlers['app.state']({})).toMatchObject({ connection: 'none' });
  const history = await running.handlers['history.search']({ q: '', limit: 50 });
  expect(history.alarm).toBeNull();
  expect(await running.handlers['backups.list']({})).toEqual([]);
  await running.stop();
};

test('forgetting everything removes all data and keys but no files of the person', async () => {
  const running = await startUsedCompanion();
  expect(kept.size).toBeGreaterThan(2);
  await running.handlers['app.forgetEverything']({});
  await expect.poll(() => quits).toBe(1);
  expect(await running.stop()).toEqual([]);
  expect([...kept.keys()]).toEqual([]);
  expect(listDataFiles()).toEqual(ownFiles);
  await expectFreshStart();
});

test('forgetting everything is completed at the next start after a crash', async () => {
  const running = await startUsedCompanion();
  await running.stop();
  storeForgetRequest(dataDir);
  // As after a kill: the secrets and some of the files are gone.
  kept.clear();
  rmSync(join(dataDir, 'companion.db'));
  await expectFreshStart();
  expect(listDataFiles()).not.toContain('forget.json');
});

test('forgetting everything is postponed to the next start while the keychain refuses access', async () => {
  const refuseAccess = (): Promise<void> => Promise.reject(new Error('locked'));
  const running = await startUsedCompanion({ forgetSecrets: refuseAccess });
  await running.handlers['app.forgetEverything']({});
  await running.stop();
  expect(listDataFiles()).toEqual(expect.arrayContaining(['companion.db', 'forget.json']));
  await expect(startCompanion({ forgetSecrets: refuseAccess })).rejects.toThrow('locked');
  await expectFreshStart();
});

test('forgetting everything is refused without the system keychain', async () => {
  const running = await startUsedCompanion({ problem: 'locked' });
  await expect(running.handlers['app.forgetEverything']({})).rejects.toMatchObject({ code: 'FORGET_NEEDS_KEYCHAIN' });
  await running.stop();
  expect(quits).toBe(0);
  expect(listDataFiles()).toContain('companion.db');
});

test('the forget command runs only after the person’s request and never while the companion runs', async () => {
  const runForget = async (): Promise<{ code: number; said: string }> => {
    const stream = new PassThrough();
    const code = await runCli(['forget', '--data', dataDir, '--keychain', 'memory'], {
      stdout: stream,
      stderr: stream,
      env: {},
    });
    return { code, said: String(stream.read()) };
  };
  const running = await startUsedCompanion();
  storeForgetRequest(dataDir);
  expect(await runForget()).toMatchObject({ code: 1, said: expect.stringContaining('already') as unknown });
  rmSync(join(dataDir, 'forget.json'));
  await running.stop();
  expect(await runForget()).toMatchObject({ code: 1, said: expect.stringContaining('Nothing was removed') as unknown });
  expect(listDataFiles()).toContain('companion.db');
  storeForgetRequest(dataDir);
  expect(await runForget()).toEqual({ code: 0, said: 'Everything is forgotten.\n' });
  expect(listDataFiles()).toEqual(ownFiles);
});
