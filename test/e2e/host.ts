import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type ElectronApplication } from 'playwright';
import { test as base, type Page } from 'playwright/test';
import { openInBrowserHost } from './browserHost.ts';
import { findChromium, fewProcesses } from './findChromium.ts';
import { findElectron, openInElectron } from './electronHost.ts';

/** The companion in one of its hosts. */
export type Host = {
  kind: 'browser' | 'electron';
  /** The program that shows the window, for the report. */
  runs: string;
  page: Page;
  bridgeUrl: () => Promise<string>;
  /** Adds a folder of photos in the host's way: by drag and drop, or with the file dialog. */
  dropFolder: (path: string) => Promise<void>;
  stop: () => Promise<void>;
};

/** Returns the Electron app behind the window, or null in a browser. */
export const findElectronApp = (host: Host): ElectronApplication | null =>
  'app' in host ? (host.app as ElectronApplication) : null;

export type HostOptions = { hostKind: 'browser' | 'electron' };

type Fixtures = {
  host: Host;
  /** Saves a screenshot of the window to `artefacts/`, named after the host and the step. */
  keep: (moment: string) => Promise<void>;
};

/** One browser per worker, started by the first test that needs it. Each test has its own context. */
type Shared = { chrome: () => Promise<Browser> };

export const artefacts = join(import.meta.dirname, '..', '..', 'artefacts');

const recordProblems = (page: Page): string[] => {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) problems.push(message.text());
  });
  return problems;
};

/**
 * Tests with a companion on fresh data. A test also fails if its page threw an error or violated its content security
 * policy.
 */
export const test = base.extend<Fixtures & HostOptions, Shared>({
  chrome: [
    async ({ browserName: _none }, use) => {
      const launched: { browser?: Promise<Browser> } = {};
      await use(() => (launched.browser ??= chromium.launch({ executablePath: findChromium(), args: fewProcesses })));
      await (await launched.browser)?.close();
    },
    { scope: 'worker' },
  ],
  hostKind: ['browser', { option: true }],
  host: async ({ hostKind, chrome }, use, info) => {
    base.skip(hostKind === 'electron' && findElectron() === null, 'Electron is not installed here.');
    const folder = mkdtempSync(join(tmpdir(), 'companion-e2e-'));
    const dataDir = join(folder, 'data');
    const host = await (hostKind === 'electron' ? openInElectron(dataDir) : openInBrowserHost(dataDir, await chrome()));
    const problems = recordProblems(host.page);
    info.annotations.push({ type: 'host', description: host.runs });
    await use(host);
    await host.stop();
    rmSync(folder, { recursive: true, force: true });
    base.expect(problems).toEqual([]);
  },
  keep: async ({ host }, use) => {
    mkdirSync(artefacts, { recursive: true });
    await use(async (moment) => {
      const path = join(artefacts, `${host.kind}-${moment}.png`);
      // A screenshot of a window that is not shown yet may never arrive, so it is retried.
      await base.expect(() => host.page.screenshot({ path, timeout: 5_000 })).toPass();
    });
  },
});

export { expect } from 'playwright/test';
