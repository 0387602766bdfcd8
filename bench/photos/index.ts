import type { Compared } from '../compare.ts';
import { benchHeic } from './heic.ts';
import { benchMany } from './many.ts';
import { benchThroughput } from './throughput.ts';

export const benchPhotos = async (): Promise<Compared[]> => [
  // Runs first, because it measures the peak memory of this process.
  ...(await benchMany()),
  ...(await benchThroughput()),
  ...(await benchHeic()),
];
