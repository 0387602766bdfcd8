import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type ElectronApplication } from 'playwright';
import { test as base, type Page } from 'playwright/test';
import { openInBrowserHost } from './browserHost.ts';
import { chromiumPath, fewProcesses } from './chromiumPath.ts';
import { electronPath, openInElectron } from './electronHost.ts';

/** The companion in one of its hosts, as a test uses it. */
export type Host = {
  kind: 'browser' | 'electron';
  /** What runs the window, for the report. */
  runs: string;
  page: Page;
  bridgeUrl: () => Promise<string>;
  /** Brings a folder of photos into the window the way this host has: dragged from the disk, or chosen. */
  dropFolder: (path: string) => Promise<void>;
  stop: () => Promise<void>;
};

/** The app behind the window; null in a browser, which has none. */
export const appOf = (host: Host): ElectronApplication | null =>
  'app' in host ? (host.app as ElectronApplication) : null;

export type HostOptions = { hostKind: 'browser' | 'electron' };

type Fixtures = {
  host: Host;
  /** Keeps a picture of the window in `artefacts/`, named after the host and the moment. */
  keep: (moment: string) => Promise<void>;
};

/** Worker-scoped: one browser, started when the first test wants it. A test has its pages in a context of its own. */
type Shared = { chrome: () => Promise<Browser> };

export const artefacts = join(import.meta.dirname, '..', '..', 'artefacts');

const problemsOf = (page: Page): string[] => {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) problems.push(message.text());
  });
  return problems;
};

/** Tests with the companion on data of their own; they fail too when the page threw or broke its policy. */
export const test = base.extend<Fixtures & HostOptions, Shared>({
  chrome: [
    async ({ browserName: _none }, use) => {
      const launched: { browser?: Promise<Browser> } = {};
      await use(() => (launched.browser ??= chromium.launch({ executablePath: chromiumPath(), args: fewProcesses })));
      await (await launched.browser)?.close();
    },
    { scope: 'worker' },
  ],
  hostKind: ['browser', { option: true }],
  host: async ({ hostKind, chrome }, use, info) => {
    base.skip(hostKind === 'electron' && electronPath() === null, 'Electron is not installed here.');
    const folder = mkdtempSync(join(tmpdir(), 'companion-e2e-'));
    const dataDir = join(folder, 'data');
    const host = await (hostKind === 'electron' ? openInElectron(dataDir) : openInBrowserHost(dataDir, await chrome()));
    const problems = problemsOf(host.page);
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
      // Of a window that is only about to be shown, a picture may never come: it is asked for again.
      await base.expect(() => host.page.screenshot({ path, timeout: 5_000 })).toPass();
    });
  },
});

export { expect } from 'playwright/test';
