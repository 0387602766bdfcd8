import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { openMigratedDatabase } from '../../../src/core/storage/database.ts';

const source = (path: string): string =>
  JSON.stringify(pathToFileURL(join(import.meta.dirname, '../../..', path)).href);

const createStart = (databaseFile: string): string =>
  `{ databaseFile: ${JSON.stringify(databaseFile)}, task: { kind: 'ledgerCheck' }, file: null }`;

/** Stops threads while they start, and prints for each whether it had loaded its native code when it was ended. */
const createStoppingScript = (databaseFile: string): string => `
  import { setTimeout as sleep } from 'node:timers/promises';
  import { Worker } from 'node:worker_threads';
  import { startDataThread } from ${source('src/host/dataThread/startDataThread.ts')};
  const { emit, terminate } = Worker.prototype;
  Worker.prototype.emit = function (name, ...args) {
    if (name === 'message' && args[0].kind === 'ready') this.isReady = true;
    return emit.call(this, name, ...args);
  };
  Worker.prototype.terminate = function () {
    console.log(this.isReady === true);
    return terminate.call(this);
  };
  const start = ${createStart(databaseFile)};
  for (const ms of [0, 50, 100, 150]) {
    const thread = startDataThread(start, {});
    await sleep(ms);
    await thread.stop();
    await thread.ended;
  }`;

/** Ends a thread without a request to stop it, and prints what its task reports. */
const createEndingScript = (databaseFile: string): string => `
  import { Worker } from 'node:worker_threads';
  import { startDataThread } from ${source('src/host/dataThread/startDataThread.ts')};
  const { emit } = Worker.prototype;
  Worker.prototype.emit = function (name, ...args) {
    if (name !== 'message') return emit.call(this, name, ...args);
    if (args[0].kind === 'ready') void this.terminate();
    return true;
  };
  console.log(await startDataThread(${createStart(databaseFile)}, {}).ended.catch((error) => error.message));`;

const runScript = (createScript: (databaseFile: string) => string) => {
  const dir = mkdtempSync(join(tmpdir(), 'stopped-'));
  try {
    const databaseFile = join(dir, 'companion.db');
    openMigratedDatabase(databaseFile).close();
    const script = join(dir, 'script.mjs');
    writeFileSync(script, createScript(databaseFile));
    const { status, signal, stdout } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
    return { status, signal, stdout };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
};

test('a thread is not ended while it loads native code, which would abort the process', () => {
  expect(runScript(createStoppingScript)).toEqual({ status: 0, signal: null, stdout: 'true\n'.repeat(4) });
});

test('a thread that ends by itself without a result does not look cancelled', () => {
  const stdout = 'A data thread ended without a result.\n';
  expect(runScript(createEndingScript)).toEqual({ status: 0, signal: null, stdout });
});
