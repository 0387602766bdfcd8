import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPhotoWorkers } from '../../../src/core/photos/photoWorkers.ts';
import { kitchen } from '../../../src/host/kitchen.ts';
import type { ProcessRuntime } from '../../../src/isolated/startIsolated.ts';
import { expectPrepared, createTempDir } from '../../helpers/photos/photoWorld.ts';
import { getFixtureFolder } from '../../helpers/photos/getFixtureFolder.ts';
import { kitchenCode } from '../../helpers/photos/startKitchen.ts';

type Fork = Extract<ProcessRuntime, { kind: 'fork' }>['fork'];
/** The stand-in is not typed. */
const standin: unknown = await import(
  join(import.meta.dirname, '..', '..', 'electron-standin', 'parts', 'utilityProcess.mjs')
);
const { utilityProcess } = standin as { utilityProcess: { fork: Fork } };

test('an Electron utility process prepares photos and is replaced after a kill from outside', async () => {
  const pids: number[] = [];
  const fork: Fork = (...args) => {
    const made = utilityProcess.fork(...args);
    if (made.pid === undefined) throw new Error('Nothing was started.');
    pids.push(made.pid);
    return made;
  };
  const log: string[] = [];
  const workers = createPhotoWorkers({
    startKitchen: kitchen.starter(kitchenCode, { kind: 'fork', fork }),
    log: (level, _message, facts) => log.push(`${level} ${JSON.stringify(facts)}`),
  });
  onTestFinished(() => workers.close());
  const outDir = await createTempDir();
  const source = join(await getFixtureFolder(), 'good', 'large.jpg');
  const prepare = (longEdgePx: number) => workers.prepare({ source, outDir, longEdgePx });
  expectPrepared(await prepare(400));
  const all = Promise.all([401, 402, 403].map(prepare));
  await new Promise((resolve) => setTimeout(resolve, 150));
  process.kill(Number(pids[0]), 'SIGKILL');
  for (const photo of await all) expectPrepared(photo);
  expect(log).toEqual([
    `info ${JSON.stringify({ program: 'Electron', sandbox: '', build: process.platform === 'linux' ? 'WebAssembly' : 'native' })}`,
    `warn ${JSON.stringify({ cause: 'outside', how: 'code 9' })}`,
  ]);
  await workers.close();
  expect(() => process.kill(Number(pids.at(-1)), 0)).toThrow('ESRCH');
});
