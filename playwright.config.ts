import { availableParallelism } from 'node:os';
import { defineConfig } from 'playwright/test';
import { findChromium, fewProcesses } from './test/e2e/findChromium.ts';
import { findElectron } from './test/e2e/electronHost.ts';
import type { HostOptions } from './test/e2e/host.ts';
import { sampleSeed } from './test/helpers/sample.ts';

process.env['CHROMIUM'] ??= findChromium();
// Benchmarks start the app, too, and must not get these switches.
process.env['STANDIN_SWITCHES'] ??= fewProcesses.join(' ');
// Workers must use the same sample as the process that lists it.
process.env['COMPANION_SEED'] ??= String(sampleSeed);

// Workers read this file too, but only the main process prints.
if (process.env['TEST_WORKER_INDEX'] === undefined) {
  const runs = findElectron()?.runs ?? 'nothing: Electron is not installed here';
  console.log(`The desktop app runs on ${runs}.`);
}

/** These stories are the same in both hosts. The desktop app runs them only with `npm run test:all`. */
const sameInBothHosts = ['**/e2e/batch.spec.ts', '**/e2e/fixes.spec.ts', '**/e2e/mcp.spec.ts'];
const onlyInBrowser = [
  '**/browserWindow.spec.ts',
  '**/e2e/presence/**',
  '**/effort.spec.ts',
  ...(process.env['COMPANION_MATRICES'] === 'whole' ? [] : sameInBothHosts),
];
/** Specs of screens with a fake companion. The specs in `real` use a complete host. */
const screens = /[\\/]e2e[\\/]screens[\\/](?!real[\\/]).*\.spec\.ts$/;

const cores = Math.max(2, availableParallelism());

export default defineConfig<HostOptions>({
  testDir: 'test/e2e',
  outputDir: 'artefacts/e2e',
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // Every test has its own data and ports, or its own page.
  fullyParallel: true,
  // Stories of hosts wait for undo windows, and some for generations, so they start first. The screens never wait, so they
  // keep the cores busy at the same time.
  workers: cores + 2,
  retries: process.env['CI'] ? 1 : 0,
  forbidOnly: Boolean(process.env['CI']),
  projects: [
    // Items and Electron's own features. Single screens look the same in both hosts.
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
