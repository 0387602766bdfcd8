import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/helpers/longFirst.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**'],
    // Longer than one wait of `waitUntil`, whose error says more. A busy machine needs minutes for some stories.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // One worker more than cores, because most tests sometimes wait for the disk or the network.
    maxWorkers: Math.max(2, availableParallelism()) + 1,
    // The files of a worker share imported modules. Importing them again for each file takes a third of the total time.
    isolate: false,
    // Each story creates much short-lived garbage, and some that lives for a file. Larger heaps need fewer collections.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64', '--initial-old-space-size=512'],
    sequence: { sequencer: LongFirst },
    // CI machines can be slow. The end of the run names the retried tests.
    retry: process.env['CI'] ? 1 : 0,
  },
});
