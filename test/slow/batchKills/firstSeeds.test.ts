import { afterAll, beforeAll, test } from 'vitest';
import { sampledBy, sampleSize } from '../../helpers/sample.ts';
import { closeKills, killBatches, openKills } from './kills.ts';

beforeAll(openKills);
afterAll(closeKills);

/** Of all seeds; each of two files takes half of them, so that they run beside each other. */
const seeds = sampleSize(1_000, 40);

test(
  `a batch killed at a random moment is approved for all rows or none: first half of ${seeds} seeds, ${sampledBy}`,
  { timeout: 600_000 },
  () => killBatches(0, seeds / 2),
);
