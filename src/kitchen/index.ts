import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { PhotoProcessOutput, PhotoJob, PhotoProcessInput } from '../photoContract/messages.ts';
import { parseThreadOptions } from '../isolated/photoThreads.ts';
import { releaseBytes } from '../isolated/releasableBuffer.ts';
import { createWeightedSemaphore } from '../isolated/weightedSemaphore.ts';
import { maxFileBytes, photoThreads } from '../photoContract/photoLimits.ts';
import type { ThreadResult } from './threadMessages.ts';
import { startPhotoThread, type PhotoThread } from './photoThread.ts';

/** Enough for two typical 50-megapixel photos. A photo above this limit is decoded alone. */
const pixelsAtOnce = 120e6;
/** A decoder does not react to the termination of its thread. After this time the thread counts as stuck. */
const maxThreadStopMs = 5_000;

const decodeRoom = createWeightedSemaphore(pixelsAtOnce);
const idle: PhotoThread[] = [];
const busy = new Map<number, PhotoThread>();
const started = parseThreadOptions(import.meta.url);

const takeUsableThread = (): PhotoThread => {
  let thread = idle.pop();
  while (thread && !thread.usable()) {
    void thread.stop();
    thread = idle.pop();
  }
  return thread ?? startPhotoThread(started, decodeRoom);
};

const stopWithinLimit = (thread: PhotoThread): Promise<boolean> =>
  Promise.race([thread.stop().then(() => true), wait(maxThreadStopMs, false)]);

type QueuedJob = { job: PhotoJob; original: Uint8Array<ArrayBuffer>; isAlone: boolean };

const jobQueue: QueuedJob[] = [];
const inWork = new Set<QueuedJob>();

/** A job that must run alone waits until no other job is in work, and no job starts beside it. */
const canStart = ({ isAlone }: QueuedJob): boolean =>
  isAlone ? inWork.size === 0 : inWork.size < photoThreads && ![...inWork].some((job) => job.isAlone);

const startNextJobs = (): void => {
  for (let first = jobQueue[0]; first && canStart(first); first = jobQueue[0]) {
    jobQueue.shift();
    inWork.add(first);
    void runQueuedJob(first);
  }
};

const runQueuedJob = async (asked: QueuedJob): Promise<void> => {
  const made = await runJobOnThread(asked);
  inWork.delete(asked);
  startNextJobs();
  if (made === null) return;
  await sendToParent(made.result, made.pictures);
  made.pictures.forEach(releaseBytes);
};

/**
 * Returns null if the job has been queued again to run alone, or has already been answered because it failed or was
 * cancelled.
 */
const runJobOnThread = async ({ job, original, isAlone }: QueuedJob): Promise<ThreadResult | null> => {
  const thread = takeUsableThread();
  busy.set(job.id, thread);
  const made = await thread.run(job, original, isAlone);
  if (!busy.delete(job.id)) return null;
  if (made === null) {
    await sendToParent({ type: (await stopWithinLimit(thread)) ? 'died' : 'stuck', id: job.id });
    return null;
  }
  if (thread.usable()) idle.push(thread);
  else void thread.stop();
  if ('original' in made) {
    jobQueue.unshift({ job, original: made.original, isAlone: true });
    return null;
  }
  return made;
};

const cancelJob = async (id: number): Promise<void> => {
  const at = jobQueue.findIndex(({ job }) => job.id === id);
  if (at >= 0) {
    jobQueue.splice(at, 1);
    return sendToParent({ type: 'cancelled', id });
  }
  const thread = busy.get(id);
  if (!thread) return;
  busy.delete(id);
  void sendToParent({ type: (await stopWithinLimit(thread)) ? 'cancelled' : 'stuck', id });
};

/** Bytes that share their buffer with other data are copied, because transferring moves the whole buffer. */
const toTransferableBytes = (part: Uint8Array = new Uint8Array()): Uint8Array<ArrayBuffer> => {
  const { buffer, byteOffset, byteLength } = part;
  const isAlone = buffer instanceof ArrayBuffer && byteLength === buffer.byteLength;
  return isAlone ? new Uint8Array(buffer, byteOffset, byteLength) : new Uint8Array(part);
};

// Two threads are started before the first photo arrives. The channel is imported while they load.
for (let nth = 0; nth < Math.min(2, availableParallelism()); nth += 1) idle.push(startPhotoThread(started, decodeRoom));
const { openParentChannel } = await import('../isolated/childChannel.ts');

const sendMessage = openParentChannel(maxFileBytes, ({ head, parts }) => {
  // The parent process is trusted to send only these messages.
  const message = head as PhotoProcessInput;
  if (message.type === 'cancel') return void cancelJob(message.id);
  jobQueue.push({ job: message, original: toTransferableBytes(parts[0]), isAlone: false });
  startNextJobs();
});

const sendToParent = (head: PhotoProcessOutput, parts: readonly Uint8Array[] = []): Promise<void> =>
  sendMessage({ head, parts });
