import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../core/base/clock.ts';
import { runDataTask, type DataTaskEvents } from '../../core/companion/dataTasks/dataTask.ts';
import { lowerThreadPriority } from '../../isolated/childChannel.ts';
import type { DataThreadData, FromDataThread } from './startDataThread.ts';

/** The entry module of the thread that exports, copies or compares data. It ends after one task. */
const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread only.');

// The host that starts this thread passes exactly this type.
const { start, answered } = workerData as DataThreadData;
const lock = new Int32Array(answered);
const send = (message: FromDataThread): void => port.postMessage(message);

/** Blocks this thread until the core has signed the text. */
const requestSignature: DataTaskEvents['sign'] = (purpose, text) => {
  Atomics.store(lock, 0, 0);
  send({ kind: 'sign', purpose, text });
  Atomics.wait(lock, 0, 0);
  return String(receiveMessageOnPort(port)?.message);
};

const minMsBetweenReports = 250;
let reportedAt = -Infinity;

// The window and the assistants come first.
lowerThreadPriority();
const end = await runDataTask(start, {
  sign: requestSignature,
  onProgress: (progress) => {
    const isLast = progress.done === progress.total;
    if (!isLast && systemClock.elapsedMs() - reportedAt < minMsBetweenReports) return;
    reportedAt = systemClock.elapsedMs();
    send({ kind: 'progress', progress });
  },
  onReport: (report) => send({ kind: 'report', report }),
  onBorders: (borders) => send({ kind: 'borders', borders }),
});
send({ kind: 'end', end });
