import { expect, test } from 'vitest';
import { sampleSeed, sampleSize } from '../../helpers/sample.ts';
import { maxMegabytes, runMalice } from './run.ts';

/** MALICE_ACTS=20000 performs more acts; MALICE_SEED=3 repeats a run. */
const acts = Number(process.env['MALICE_ACTS'] ?? sampleSize(300, 100));
const seed = Number(process.env['MALICE_SEED'] ?? sampleSeed);

test(
  `the companion answers ${acts} random requests validly despite a malicious service (seed ${seed})`,
  async () => {
    const { wrong, done, heap, requests, spoilt } = await runMalice(acts, seed);
    expect(wrong).toEqual([]);
    expect(done).toBeGreaterThanOrEqual(acts);
    expect(heap).toBeLessThan(maxMegabytes * 1024 * 1024);
    // Enough requests were sent and spoilt to make the test meaningful.
    expect(requests).toBeGreaterThan(acts / 4);
    expect(spoilt).toBeGreaterThan(requests / 10);
  },
  60_000 + acts * 200,
);
