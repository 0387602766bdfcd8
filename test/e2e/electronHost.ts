import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright';
import * as z from 'zod';
import { testFlags } from '../helpers/startHeadless.ts';
import { chromiumPath } from './chromiumPath.ts';
import type { Host } from './host.ts';

const root = join(import.meta.dirname, '..', '..');
const electronDir = join(root, 'node_modules', 'electron');
const pathFile = join(electronDir, 'path.txt');
const standIn = join(root, 'test', 'electron-standin', 'dist', 'electron');

/** Electron's own binary where it is installed; elsewhere on Linux the stand-in; null where there is neither. */
export const electronPath = (): { path: string; runs: string } | null => {
  const own = existsSync(pathFile) ? join(electronDir, 'dist', readFileSync(pathFile, 'utf8').trim()) : null;
  if (own !== null && existsSync(own)) return { path: own, runs: 'Electron' };
  return process.platform === 'linux' ? { path: standIn, runs: 'the stand-in for Electron' } : null;
};

/** Drags a folder of the disk into the middle of the window, as a file manager does. */
const dragFolder = async (page: Page, path: string): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  const { x, y } = await page.evaluate(() => ({ x: innerWidth / 2, y: innerHeight / 2 }));
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', {
      type,
      x,
      y,
      data: { items: [], files: [path], dragOperationsMask: 1 },
    });
  }
  await session.detach();
};

const discovery = z.object({ url: z.url() });

/** Starts the built app in Electron, or in the stand-in for it. */
export const openInElectron = async (dataDir: string): Promise<Host & { app: ElectronApplication }> => {
  const found = electronPath();
  if (found === null) throw new Error('Electron is not installed here.');
  const app = await _electron.launch({
    executablePath: found.path,
    args: [root, ...testFlags(dataDir)],
    cwd: root,
    env: { ...process.env, STANDIN_NODE: process.execPath, STANDIN_CHROMIUM: chromiumPath() },
  });
  const page = await app.firstWindow();
  return {
    kind: 'electron',
    runs: found.runs,
    app,
    page,
    bridgeUrl: async () => discovery.parse(JSON.parse(readFileSync(join(dataDir, 'bridge.json'), 'utf8'))).url,
    dropFolder: (path) => dragFolder(page, path),
    stop: () => app.close(),
  };
};
