import { availableParallelism } from 'node:os';

/** Threads that decode photos: one more than processors, as each hands its photo on a dozen times and waits for it. */
export const photoThreads = Math.min(4, availableParallelism() + 1);
