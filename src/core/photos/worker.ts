import { parentPort, workerData } from 'node:worker_threads';
import { glance } from './glance.ts';
import { lowerPriority } from './lowerPriority.ts';
import { prepare, preparePicture } from './prepare.ts';
import { secondLook } from './secondLook.ts';
import { loadSharp } from './sharpBackend.ts';
import { toWorker, workerStart, type FromWorker, type WorkerJob } from './workerMessages.ts';

/** A thread that prepares photos, one at a time. An error that is not the photo's fault ends it; the line starts another. */
const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread only.');

lowerPriority();
const loading = loadSharp(workerStart.parse(workerData));
const waiting = new Map<number, () => void>();
const say = (message: FromWorker): void => port.postMessage(message);

const work = async (job: WorkerJob): Promise<void> => {
  const sharp = await loading;
  if (job.type === 'glance') {
    say({ type: 'glanced', id: job.id, result: await glance(sharp, job) });
    return;
  }
  const admit = (pixels: number): Promise<void> =>
    new Promise((resolve) => {
      waiting.set(job.id, resolve);
      say({ type: 'weight', id: job.id, pixels });
    });
  if (job.type === 'barcodes') say({ type: 'barcodes', id: job.id, result: await secondLook(sharp, job, admit) });
  else if (job.type === 'picture')
    say({ type: 'picture', id: job.id, result: await preparePicture(sharp, job, admit) });
  else say({ type: 'prepared', id: job.id, result: await prepare(sharp, job, admit) });
};

port.on('message', (data: unknown) => {
  const message = toWorker.parse(data);
  if (message.type === 'go') {
    waiting.get(message.id)?.();
    waiting.delete(message.id);
    return;
  }
  work(message).catch((error: unknown) => {
    // Thrown outside the promise, so that the thread ends and the line sees why.
    setImmediate(() => {
      throw error;
    });
  });
});
