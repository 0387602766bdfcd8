import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/helpers/longFirst.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One more than cores, as most tests wait for a disk or an address now and then.
    maxWorkers: Math.max(2, availableParallelism()) + 1,
    // The files of a worker share what they import: reading it anew for each takes a third of the time of them all.
    isolate: false,
    // Every story leaves much behind at once, and some of it lasts for a file: with room for both, less is collected.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64', '--initial-old-space-size=512'],
    sequence: { sequencer: LongFirst },
    // On a machine that others load too; what needed it is named at the end of the run.
    retry: process.env['CI'] ? 1 : 0,
  },
});
