import { expect, test } from 'vitest';
import { sampleSeed, sampleSize } from '../../helpers/sample.ts';
import { maxMegabytes, runMalice } from './run.ts';

/** MALICE_ACTS=20000 MALICE_SEED=3 does more of them, and the same again. */
const acts = Number(process.env['MALICE_ACTS'] ?? sampleSize(300, 100));
const seed = Number(process.env['MALICE_SEED'] ?? sampleSeed);

test(
  `${acts} acts of seed ${seed} against a malicious service each get a valid answer, and the companion survives`,
  async () => {
    const { wrong, done, heap, requests, spoilt } = await runMalice(acts, seed);
    expect(wrong).toEqual([]);
    expect(done).toBeGreaterThanOrEqual(acts);
    expect(heap).toBeLessThan(maxMegabytes * 1024 * 1024);
    // Much was asked and much was spoilt, or nothing was tried.
    expect(requests).toBeGreaterThan(acts / 4);
    expect(spoilt).toBeGreaterThan(requests / 10);
  },
  60_000 + acts * 200,
);
