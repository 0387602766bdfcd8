import { afterAll, beforeAll, test } from 'vitest';
import { sampledBy, sampleSize } from '../../helpers/sample.ts';
import { closeKills, killBatches, openKills } from './kills.ts';

beforeAll(openKills);
afterAll(closeKills);

/** The number of all seeds; two files run half of them each, in parallel. */
const seeds = sampleSize(1_000, 40);

test(
  `a batch killed at a random time is approved completely or not at all (second half of ${seeds} seeds, ${sampledBy})`,
  { timeout: 600_000 },
  () => killBatches(seeds / 2, seeds / 2),
);
