import { availableParallelism } from 'node:os';

/** The number of threads that decode photos: one more than processors, because each thread often waits for messages. */
export const photoThreads = Math.min(4, availableParallelism() + 1);
