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

/** The process that reads photos for the writer, each in a thread. How many at once is up to whoever asks. */
const { values } = parseArgs({ options: { thread: { type: 'string' }, wasm: { type: 'boolean', default: false } } });
const threadUrl = new URL(values.thread ?? './worker.ts', import.meta.url);
// Threads do not inherit the lock of their process, and none of them may start another.
const execArgv = process.execArgv.filter((flag) => /^--(permission|allow-addons|allow-fs-read=.*)$/.test(flag));

const idle: Worker[] = [];
const busy = new Map<number, Worker>();

const startThread = (): Worker => {
  const thread = new Worker(threadUrl, {
    workerData: { wasm: values.wasm } satisfies ThreadStart,
    execArgv,
    env: process.env,
    name: 'reading',
  });
  const forget = (): void => {
    if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
  };
  return thread.on('error', forget).on('exit', forget);
};

/** What a thread answers; null when it ended over the question. */
const ask = (thread: Worker, question: ToThread): Promise<FromThread | null> =>
  new Promise((resolve) => {
    const finish = (answer: FromThread | null): void => {
      thread.off('message', hear).off('error', die).off('exit', die);
      resolve(answer);
    };
    const hear = (message: unknown): void => finish(fromThread.parse(message));
    const die = (): void => finish(null);
    thread.on('message', hear).once('error', die).once('exit', die);
    thread.postMessage(question, [question.original.buffer]);
  });

const read = async (question: ToThread): Promise<void> => {
  const thread = idle.pop() ?? startThread();
  busy.set(question.id, thread);
  const answer = await ask(thread, question);
  // One that was cancelled is answered then.
  if (!busy.delete(question.id)) return;
  if (answer === null) return send({ type: 'died', id: question.id });
  idle.push(thread);
  send(answer.answer, answer.parts);
};

const cancel = async (id: number): Promise<void> => {
  const thread = busy.get(id);
  if (!thread) return;
  busy.delete(id);
  await thread.terminate();
  send({ type: 'cancelled', id });
};

const sendAny = openParentChannel(maxPhotoBytes, ({ head, parts }) => {
  const message = toReader.parse(head);
  if (message.type === 'cancel') void cancel(message.id);
  // The bytes are handed over, so they have to lie alone in their memory.
  else void read({ id: message.id, task: message.task, original: new Uint8Array(parts[0] ?? []) });
});

/** Answers whoever started this process. */
const send = (head: FromReader, parts: readonly Uint8Array[] = []): void => void sendAny({ head, parts });
