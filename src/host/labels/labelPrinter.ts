import { Worker } from 'node:worker_threads';
import type { Label, LabelJob, LabelLayout } from '../../core/shelf/labels.ts';
import type { LabelSheet } from '../../contract/labelSheets.ts';
import { createProblem } from '../../core/base/problem.ts';
import { codeFiles } from '../codeFiles.ts';
import type { FromLabelThread, LabelTask, ToLabelThread } from './labelThread.ts';

/** The thread ends after this time without a task, because its libraries and fonts need some megabytes. */
const maxIdleMs = 60_000;

type LabelThread = { worker: Worker; waiting: Map<number, PromiseWithResolvers<FromLabelThread['result']>> };

const startLabelThread = (onEnd: (ended: Worker) => void): LabelThread => {
  const worker = new Worker(codeFiles.labelThread);
  const waiting: LabelThread['waiting'] = new Map();
  worker.on('message', ({ id, result }: FromLabelThread) => {
    waiting.get(id)?.resolve(result);
    waiting.delete(id);
  });
  const rejectAll = (cause?: unknown): void => {
    for (const { reject } of waiting.values()) reject(createProblem('LABELS_FAILED', { cause }));
    waiting.clear();
    onEnd(worker);
  };
  worker.on('error', rejectAll);
  worker.on('exit', () => rejectAll());
  return { worker, waiting };
};

export type LabelPrinter = {
  createPdf: (job: LabelJob) => Promise<Uint8Array>;
  layOut: (label: Label, size: LabelSheet['label']) => Promise<LabelLayout>;
  stop: () => Promise<void>;
};

/** Makes labels in a thread, which starts with the first task. */
export const createLabelPrinter = (): LabelPrinter => {
  let thread: LabelThread | null = null;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  const stop = async (): Promise<void> => {
    clearTimeout(idle);
    await thread?.worker.terminate();
  };
  const runTask = async (task: LabelTask): Promise<FromLabelThread['result']> => {
    clearTimeout(idle);
    thread ??= startLabelThread((ended) => {
      if (thread?.worker === ended) thread = null;
    });
    const { worker, waiting } = thread;
    const message: ToLabelThread = { id: (lastId += 1), task };
    const answer = Promise.withResolvers<FromLabelThread['result']>();
    waiting.set(message.id, answer);
    worker.postMessage(message);
    worker.ref();
    try {
      return await answer.promise;
    } finally {
      if (waiting.size === 0) {
        // A thread that waits for the next task must not keep the companion running.
        worker.unref();
        idle = setTimeout(() => void stop(), maxIdleMs).unref();
      }
    }
  };
  return {
    createPdf: async (job) => {
      const result = await runTask({ kind: 'pdf', job });
      if (!(result instanceof Uint8Array)) throw new Error('The thread answered another task.');
      return result;
    },
    layOut: async (label, size) => {
      const result = await runTask({ kind: 'layout', label, size });
      if (result instanceof Uint8Array) throw new Error('The thread answered another task.');
      return result;
    },
    stop,
  };
};
