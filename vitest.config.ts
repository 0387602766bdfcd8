import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // On a machine that others load too; what needed it is named at the end of the run.
    retry: process.env['CI'] ? 1 : 0,
  },
});
