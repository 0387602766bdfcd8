import { availableParallelism } from 'node:os';
import { defineConfig } from 'playwright/test';
import { findChromium, fewProcesses } from './test/e2e/findChromium.ts';
import { findElectron } from './test/e2e/electronHost.ts';
import type { HostOptions } from './test/e2e/host.ts';
import { sampleSeed } from './test/helpers/sample.ts';

process.env['CHROMIUM'] ??= findChromium();
// Here and not where the app is started, as benchmarks start it as well.
process.env['STANDIN_SWITCHES'] ??= fewProcesses.join(' ');
// Workers look for the same sample as the process that lists it.
process.env['COMPANION_SEED'] ??= String(sampleSeed);

// Workers read this file too; it is said once.
if (process.env['TEST_WORKER_INDEX'] === undefined) {
  const runs = findElectron()?.runs ?? 'nothing: Electron is not installed here';
  console.log(`The desktop app runs on ${runs}.`);
}

/** Stories that the two hosts tell alike; `npm run test:all` has the desktop app tell them as well. */
const toldAlike = ['**/e2e/batch.spec.ts', '**/e2e/fixes.spec.ts', '**/e2e/mcp.spec.ts'];
const onlyInBrowser = [
  '**/browserWindow.spec.ts',
  '**/effort.spec.ts',
  ...(process.env['COMPANION_MATRICES'] === 'whole' ? [] : toldAlike),
];
/** The screens with a fake companion; those in `real` have a whole host. */
const screens = /[\\/]e2e[\\/]screens[\\/](?!real[\\/]).*\.spec\.ts$/;

const cores = Math.max(2, availableParallelism());

export default defineConfig<HostOptions>({
  testDir: 'test/e2e',
  outputDir: 'artefacts/e2e',
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // Every test has its own data and ports, or a page of its own.
  fullyParallel: true,
  // Stories of hosts wait for what can be taken back for a few seconds, and some for the service's writing: they begin
  // first, and beside them run the screens, which keep the cores busy and wait for nothing.
  workers: cores + 2,
  retries: process.env['CI'] ? 1 : 0,
  forbidOnly: Boolean(process.env['CI']),
  projects: [
    // The way of an item and what is Electron's own; the single screens look the same in both hosts.
    {
      name: 'electron',
      use: { hostKind: 'electron' },
      testIgnore: ['**/screens/**', ...onlyInBrowser],
      workers: cores,
    },
    {
      name: 'browser',
      use: { hostKind: 'browser' },
      testIgnore: ['**/electron.spec.ts', '**/shell/**', screens],
      workers: Math.ceil(cores / 2),
    },
    { name: 'screens', testMatch: screens },
  ],
});
