import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { testFlags } from '../../test/helpers/hosts/startHeadless.ts';
import { openShop } from './makeShop.ts';
import type { ScaleFigure } from './measureShop.ts';

const builtHost = join(import.meta.dirname, '..', '..', 'out', 'main', 'headless.js');
const maxStartMs = 1_500;

/** Starts the built browser host, waits for its addresses and ends it with this signal. */
const measureStartUntilAddresses = async (dataDir: string, end: NodeJS.Signals): Promise<number> => {
  const from = performance.now();
  const host = spawn(process.execPath, [builtHost, ...testFlags(dataDir)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(host, 'exit');
  await Promise.race([
    once(createInterface(host.stdout), 'line'),
    ended.then(() => {
      throw new Error('The built host did not start. Run `npm run build` first.');
    }),
  ]);
  const ms = performance.now() - from;
  host.kill(end);
  await ended;
  rmSync(join(dataDir, 'bridge.json'), { force: true });
  return ms;
};

/** A killed companion leaves a write-ahead log, so the next start checks the database. */
export const measureStarts = async (root: string): Promise<ScaleFigure[]> => {
  const { dataDir } = openShop(root);
  const names = { unit: 'ms', limit: maxStartMs };
  await measureStartUntilAddresses(dataDir, 'SIGINT');
  const value = await measureStartUntilAddresses(dataDir, 'SIGKILL');
  const afterCrash = await measureStartUntilAddresses(dataDir, 'SIGINT');
  return [
    { what: 'start until addresses', ...names, value },
    { what: 'start until addresses after a crash', ...names, value: afterCrash },
  ];
};
