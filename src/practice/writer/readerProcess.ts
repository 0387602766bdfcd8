import { Worker } from 'node:worker_threads';
import { openParentChannel } from '../../isolated/childChannel.ts';
import type { Message } from '../../isolated/frames.ts';
import { parseThreadOptions } from '../../isolated/photoThreads.ts';
import { maxPhotoBytes, toReader, type FromThread, type FromReader, type ToThread } from './reading/photoReading.ts';

const { url, start, flags } = parseThreadOptions(import.meta.url);

// A thread reads one photo at a time. The caller limits the number of photos that are read at the same time.
const idle = new Set<Worker>();
const busy = new Map<number, Worker>();

const startThread = (): Worker => {
  const thread = new Worker(url, { workerData: start, execArgv: flags, env: process.env, name: 'reading' });
  // A photo that crashes its thread is unreadable.
  const onEnd = (): void => {
    idle.delete(thread);
    for (const [id, each] of busy) if (each === thread) finishJob({ type: 'done', id });
  };
  const onAnswer = ({ head, parts }: FromThread): void => {
    if (finishJob(head, parts)) idle.add(thread);
  };
  return thread.on('message', onAnswer).on('error', onEnd).on('exit', onEnd);
};

const runJob = (job: ToThread): void => {
  const [thread = startThread()] = idle;
  idle.delete(thread);
  busy.set(job.id, thread);
  thread.postMessage(job, [job.original.buffer]);
};

/** Returns false if the job was already answered because it was cancelled. */
const finishJob = (head: FromReader, parts: Message['parts'] = []): boolean => {
  const isRunning = busy.delete(head.id);
  if (isRunning) void sendMessage({ head, parts });
  return isRunning;
};

const cancelJob = async (id: number): Promise<void> => {
  const thread = busy.get(id);
  if (!thread) return;
  busy.delete(id);
  await thread.terminate();
  void sendMessage({ head: { type: 'cancelled', id } satisfies FromReader, parts: [] });
};

const sendMessage = openParentChannel(maxPhotoBytes, ({ head, parts }) => {
  const message = toReader.parse(head);
  if (message.type === 'cancel') void cancelJob(message.id);
  // Copy the bytes, because a transfer to a thread takes the whole buffer.
  else runJob({ id: message.id, task: message.task, original: new Uint8Array(parts[0] ?? []) });
});
