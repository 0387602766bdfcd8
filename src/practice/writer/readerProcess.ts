import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { openParentChannel } from '../../isolated/childChannel.ts';
import { isMessage, type Message } from '../../isolated/frames.ts';
import { maxPhotoBytes, toReader, type FromReader, type ToThread } from './reading/photoReading.ts';

const { values } = parseArgs({ options: { thread: { type: 'string' }, wasm: { type: 'boolean', default: false } } });
const threadUrl = new URL(values.thread ?? './worker.ts', import.meta.url);
// Threads do not inherit the permission flags of their process, so the flags are passed on. The flag that allows
// threads is left out, because no thread may start another thread.
const execArgv = process.execArgv.filter((flag) => /^--(permission|allow-addons|allow-fs-read=.*)$/.test(flag));

// A thread reads one photo at a time. The caller limits the number of photos that are read at the same time.
const idle = new Set<Worker>();
const busy = new Map<number, Worker>();

const startThread = (): Worker => {
  const workerData = { wasm: values.wasm };
  const thread = new Worker(threadUrl, { workerData, execArgv, env: process.env, name: 'reading' });
  const removeThread = (): void => void idle.delete(thread);
  return thread.on('error', removeThread).on('exit', removeThread);
};

const runJobInThread = (thread: Worker, job: ToThread): Promise<Message | null> =>
  new Promise((resolve) => {
    const finishJob = (answer: unknown): void => {
      thread.off('message', finishJob).off('error', onEnd).off('exit', onEnd);
      resolve(isMessage(answer) ? answer : null);
    };
    const onEnd = (): void => finishJob(null);
    thread.on('message', finishJob).once('error', onEnd).once('exit', onEnd);
    thread.postMessage(job, [job.original.buffer]);
  });

const runJob = async (job: ToThread): Promise<void> => {
  const [thread = startThread()] = idle;
  idle.delete(thread);
  busy.set(job.id, thread);
  const answer = await runJobInThread(thread, job);
  // The answer of a cancelled job was already sent.
  if (!busy.delete(job.id)) return;
  if (answer) idle.add(thread);
  void sendMessage(answer ?? createFailure('died', job.id));
};

const createFailure = (type: 'died' | 'cancelled', id: number): Message => ({
  head: { type, id } satisfies FromReader,
  parts: [],
});

const cancelJob = async (id: number): Promise<void> => {
  const thread = busy.get(id);
  if (!thread) return;
  busy.delete(id);
  await thread.terminate();
  void sendMessage(createFailure('cancelled', id));
};

const sendMessage = openParentChannel(maxPhotoBytes, ({ head, parts }) => {
  const message = toReader.parse(head);
  if (message.type === 'cancel') void cancelJob(message.id);
  // Copy the bytes, because a transfer to a thread takes the whole buffer.
  else void runJob({ id: message.id, task: message.task, original: new Uint8Array(parts[0] ?? []) });
});
