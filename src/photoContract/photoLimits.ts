import { availableParallelism } from 'node:os';

/** One thread more than processors, because each thread often waits for messages, but at most four threads. */
export const photoThreads = Math.min(4, availableParallelism() + 1);

/** The largest known phone photos are about 100 MB, so this limit leaves ample room. */
export const maxFileBytes = 400e6;
