import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { testFlags } from '../../test/helpers/hosts/startHeadless.ts';
import { openShop } from './makeShop.ts';
import type { ScaleFigure } from './measureShop.ts';

const builtHost = join(import.meta.dirname, '..', '..', 'out', 'main', 'headless.js');
const maxStartMs = 1_500;

const startedShape = z.object({ ui: z.url() });

/** `ui` is a link to the window. */
export type BuiltHost = { ui: string; pid: number; end: (signal: NodeJS.Signals) => Promise<void> };

/** Starts the built browser host and waits for its addresses. */
export const startBuiltHost = async (dataDir: string, env: Record<string, string> = {}): Promise<BuiltHost> => {
  const host = spawn(process.execPath, [builtHost, ...testFlags(dataDir)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const ended = once(host, 'exit');
  const [line] = (await Promise.race([
    once(createInterface(host.stdout), 'line'),
    ended.then(() => {
      throw new Error('The built host did not start. Run `npm run build` first.');
    }),
  ])) as unknown[];
  return {
    ...{ ui: startedShape.parse(JSON.parse(String(line))).ui, pid: host.pid ?? 0 },
    end: async (signal) => {
      host.kill(signal);
      await ended;
    },
  };
};

const measureStartUntilAddresses = async (dataDir: string, end: NodeJS.Signals): Promise<number> => {
  const from = performance.now();
  const host = await startBuiltHost(dataDir);
  const ms = performance.now() - from;
  await host.end(end);
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
