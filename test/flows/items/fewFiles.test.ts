import { spawn } from 'node:child_process';
import { on } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { getScriptPath } from '../../helpers/hosts/life.ts';
import { createDrawnFolder } from '../../helpers/photos/createDrawnFolder.ts';
import { startTestPractice } from '../../helpers/practice.ts';
import { waitUntil } from '../../helpers/testClock.ts';

const faults = z.array(z.unknown());

let practice: Awaited<ReturnType<typeof startTestPractice>>;
let dataDir: string;
beforeEach(async () => {
  practice = await startTestPractice();
  dataDir = await mkdtemp(join(tmpdir(), 'few-files-'));
});
afterEach(async () => {
  await practice.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Starts a process with a low limit of open files. `next` returns the next message from the process. */
const startWithFewFiles = (folder: string) => {
  const args = JSON.stringify({ dataDir, practiceUrl: practice.url, folder });
  const command = ['-c', 'ulimit -n 1000; exec "$0" "$@"', process.execPath, getScriptPath('fewFilesProcess'), args];
  const child = spawn('sh', command, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const messages = on(child, 'message', { close: ['exit'] });
  const next = async (): Promise<unknown> => z.array(z.unknown()).parse((await messages.next()).value)[0];
  return { child, next };
};

test.skipIf(process.platform === 'win32')(
  'no photo is refused or discarded while the process cannot open more files',
  async () => {
    const folder = await createDrawnFolder(join(dataDir, 'photos'), 'blue mug', 9);
    await practice.fault({ method: 'POST', path: '/listings/upload-url', delayMs: 600_000 });
    const { child, next } = startWithFewFiles(folder);
    try {
      expect(await next()).toBe('uploading');
      await waitUntil(async () => faults.parse(await practice.control('GET', '/faults')).length === 0, 'the request');
      child.send('go on');
      expect(await next()).toBe('full');
      await practice.advance(600_001);
      expect(await next()).toEqual({ looks: ['MACHINE_BUSY', 'MACHINE_BUSY'], photos: Array(9).fill('ready') });
    } finally {
      child.kill('SIGKILL');
    }
  },
);
