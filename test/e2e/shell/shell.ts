import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from 'playwright/test';
import { findElectron, openInElectron, type ElectronHost } from '../electronHost.ts';

type Started = ElectronHost & {
  /** Quits the app, so that it can be started again on the same data. */
  quit: () => Promise<void>;
};

type Fixtures = {
  /** A temporary folder; the app's data is in its folder `data`. */
  folder: string;
  /** Starts the app on the test's data or in another folder. Apps still running at the end are quit. */
  start: (more?: Parameters<typeof openInElectron>[1] & { dataDir?: string }) => Promise<Started>;
};

/** Tests of the desktop app outside its page, on Electron's own binary if installed, else on the stand-in. */
export const test = base.extend<Fixtures>({
  folder: async ({ browserName: _none }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'companion-shell-'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
  start: async ({ folder }, use, info) => {
    base.skip(findElectron() === null, 'Electron is not installed here.');
    const running = new Set<ElectronHost>();
    const started: ElectronHost[] = [];
    info.annotations.push({ type: 'host', description: findElectron()?.runs ?? '' });
    await use(async ({ dataDir = join(folder, 'data'), ...more } = {}) => {
      const host = await openInElectron(dataDir, more);
      running.add(host);
      started.push(host);
      host.app.on('close', () => running.delete(host));
      const quit = async (): Promise<void> => {
        running.delete(host);
        await host.stop();
      };
      return Object.assign(host, { quit });
    });
    if (info.errors.length > 0)
      for (const { readOutput: said } of started)
        await info.attach('what the app said', { body: said(), contentType: 'text/plain' });
    for (const host of running) await host.stop();
  },
});

export { expect } from 'playwright/test';
