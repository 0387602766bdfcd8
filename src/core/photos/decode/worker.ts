import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { makeThumbnail } from './thumbnail.ts';
import { prepare, preparePicture } from './prepare.ts';
import { fullSizeBarcodes } from './barcodes.ts';
import { loadSharp } from './sharpBackend.ts';
import { toWorker, workerStart, type FromWorker, type WorkerJob } from './workerMessages.ts';

const low = 10;

/** Threads of this process that decode photos besides the calling one: libuv's, by the name it gives them. */
const decodingThreads = (): number[] =>
  readdirSync('/proc/self/task')
    .filter((thread) => readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').startsWith('libuv-worker'))
    .map(Number);

/**
 * Gives the calling thread, and those that decode for it, less of the processor, so that screens and the loopback
 * interface stay quick. Node sets the priority of processes only. On Linux a thread has a number of its own that the same
 * call accepts, and threads it starts (the WebAssembly build's) inherit it; on macOS and Windows that is not possible, and
 * the line's bound on parallel work has to do.
 */
const lowerPriority = (): void => {
  if (process.platform !== 'linux') return;
  try {
    const own = Number(/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self'))?.[1]);
    for (const thread of [own, ...decodingThreads()]) {
      if (thread > 0 && thread !== process.pid) setPriority(thread, low);
    }
  } catch {
    // Not allowed here (a sandbox), or a thread has just ended: photos are then prepared at normal priority.
  }
};

/** A thread that prepares photos, one at a time. An error that is not the photo's fault ends it; the line starts another. */
const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread only.');

lowerPriority();
const loading = loadSharp(workerStart.parse(workerData));
const waiting = new Map<number, () => void>();
const say = (message: FromWorker): void => port.postMessage(message);

const work = async (job: WorkerJob): Promise<void> => {
  const sharp = await loading;
  if (job.type === 'thumbnail') {
    say({ type: 'thumbnail', id: job.id, result: await makeThumbnail(sharp, job) });
    return;
  }
  const admit = (pixels: number): Promise<void> =>
    new Promise((resolve) => {
      waiting.set(job.id, resolve);
      say({ type: 'weight', id: job.id, pixels });
    });
  if (job.type === 'barcodes') say({ type: 'barcodes', id: job.id, result: await fullSizeBarcodes(sharp, job, admit) });
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
