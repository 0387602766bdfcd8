import { workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '../../isolated/childChannel.ts';
import type { DataThreadData } from './startDataThread.ts';

// The host that starts this thread passes exactly this type.
const { start } = workerData as DataThreadData;

// The window and the assistants come first. Before a start is complete, there are none.
if (start.task.kind !== 'prepare') lowerThreadPriority();
// Loading the code of the tasks takes about 60 ms of processor time.
const { runDataThread } = await import('./runDataThread.ts');
await runDataThread();
