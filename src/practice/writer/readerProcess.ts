import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { openParentChannel } from '../../isolated/childChannel.ts';
import {
  fromThread,
  maxPhotoBytes,
  toReader,
  type FromReader,
  type FromThread,
  type ThreadStart,
  type ToThread,
} from './reading/photoReading.ts';

const { values } = parseArgs({ options: { thread: { type: 'string' }, wasm: { type: 'boolean', default: false } } });
const threadUrl = new URL(values.thread ?? './worker.ts', import.meta.url);
// Threads do not inherit the permission flags of their process, so the flags are passed on. The flag that allows
// threads is left out, because no thread may start another thread.
const execArgv = process.execArgv.filter((flag) => /^--(permission|allow-addons|allow-fs-read=.*)$/.test(flag));

// A thread reads one photo at a time. The caller limits the number of photos that are read at the same time.
const idle: Worker[] = [];
const busy = new Map<number, Worker>();

const startThread = (): Worker => {
  const thread = new Worker(threadUrl, {
    workerData: { wasm: values.wasm } satisfies ThreadStart,
    execArgv,
    env: process.env,
    name: 'reading',
  });
  const removeThread = (): void => {
    if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
  };
  return thread.on('error', removeThread).on('exit', removeThread);
};

const runJobInThread = (thread: Worker, job: ToThread): Promise<FromThread | null> =>
  new Promise((resolve) => {
    const finishJob = (answer: FromThread | null): void => {
      thread.off('message', onMessage).off('error', onEnd).off('exit', onEnd);
      resolve(answer);
    };
    const onMessage = (message: unknown): void => finishJob(fromThread.parse(message));
    const onEnd = (): void => finishJob(null);
    thread.on('message', onMessage).once('error', onEnd).once('exit', onEnd);
    thread.postMessage(job, [job.original.buffer]);
  });

const runJob = async (job: ToThread): Promise<void> => {
  const thread = idle.pop() ?? startThread();
  busy.set(job.id, thread);
  const answer = await runJobInThread(thread, job);
  // The answer of a cancelled job was already sent.
  if (!busy.delete(job.id)) return;
  if (answer === null) return sendToParent({ type: 'died', id: job.id });
  idle.push(thread);
  sendToParent(answer.answer, answer.parts);
};

const cancelJob = async (id: number): Promise<void> => {
  const thread = busy.get(id);
  if (!thread) return;
  busy.delete(id);
  await thread.terminate();
  sendToParent({ type: 'cancelled', id });
};

const sendMessage = openParentChannel(maxPhotoBytes, ({ head, parts }) => {
  const message = toReader.parse(head);
  if (message.type === 'cancel') void cancelJob(message.id);
  // Copy the bytes, because a transfer to a thread takes the whole buffer.
  else void runJob({ id: message.id, task: message.task, original: new Uint8Array(parts[0] ?? []) });
});

const sendToParent = (head: FromReader, parts: readonly Uint8Array[] = []): void => void sendMessage({ head, parts });
