import type { Compared } from '../compare.ts';
import { benchHeic } from './heic.ts';
import { benchMany } from './many.ts';
import { benchThroughput } from './throughput.ts';

/** Photos: how fast against other programs, how much memory, how quick everything else stays, and how it grows. */
export const benchPhotos = async (): Promise<Compared[]> => [
  // First, as it asks for the most memory this process ever had.
  ...(await benchMany()),
  ...(await benchThroughput()),
  ...(await benchHeic()),
];
