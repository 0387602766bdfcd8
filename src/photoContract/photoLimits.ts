import { availableParallelism } from 'node:os';

/** One thread more than processors, because each thread often waits for messages, but at most four threads. */
export const photoThreads = Math.min(4, availableParallelism() + 1);

/** This limit is four times the size of the largest known phone photos, which are about 100 MB. */
export const maxFileBytes = 400e6;
