import { Worker } from 'node:worker_threads';
import { Problem, type ProblemView } from '../../core/base/problem.ts';
import { cutIntoSlices, mapEachInTurn } from '../../core/base/slices.ts';
import type { DataTaskStart, StartDataThread } from '../../core/companion/dataTasks/dataTask.ts';
import type { LedgerReport } from '../../core/approvals/ledger/chainCheck.ts';
import type { SignTexts } from '../../core/approvals/ledger/signatures.ts';
import type { StoredBorders } from '../../core/items/arranging/storedBorders.ts';
import type { CopyEnd } from '../../core/storage/backups.ts';
import type { StartStage, TaskProgress } from '../../core/storage/startStages.ts';
import { codeFiles } from '../codeFiles.ts';
import { createSharedTurn, noteUse, type SharedTurn } from './processorTurns.ts';

/** `answered` is set to 1 after the thread has been sent the signatures that it waits for. */
export type DataThreadData = { start: DataTaskStart; answered: SharedArrayBuffer; turn: SharedTurn };

/** All data threads of this process take turns. */
export const dataTurn = createSharedTurn();

/** The data threads rest longer while the person uses a window. */
export const noteUseForDataThreads = (): void => noteUse(dataTurn);

/** `ready` means that the thread can be ended: ending it while it loads native code would abort the process. */
export type FromDataThread =
  | { kind: 'ready' }
  | { kind: 'sign'; purpose: Parameters<SignTexts>[0]; texts: readonly string[] }
  | { kind: 'progress'; progress: TaskProgress }
  | { kind: 'report'; report: LedgerReport }
  | { kind: 'borders'; borders: StoredBorders }
  | { kind: 'stage'; stage: StartStage }
  | { kind: 'problem'; problem: ProblemView }
  | { kind: 'end'; end: CopyEnd };

/** Signing these takes one or two milliseconds. */
const textsInSlice = 20;

const signInSlices = async (
  signAll: SignTexts | undefined,
  { purpose, texts }: Extract<FromDataThread, { kind: 'sign' }>,
): Promise<string[]> => {
  if (!signAll) throw new Error('A task without a signer requested signatures.');
  return (await mapEachInTurn(cutIntoSlices(texts, textsInSlice), (slice) => signAll(purpose, slice))).flat();
};

export const startDataThread: StartDataThread = (start, { signAll, ...events }) => {
  const workerData: DataThreadData = {
    start,
    answered: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
    turn: dataTurn,
  };
  const lock = new Int32Array(workerData.answered);
  const worker = new Worker(codeFiles.dataThread, { workerData, name: 'data' });
  const { promise: ended, resolve, reject } = Promise.withResolvers<CopyEnd>();
  const { promise: ready, resolve: noteReady } = Promise.withResolvers<void>();
  const answer = (signatures: readonly string[]): void => {
    worker.postMessage(signatures);
    Atomics.store(lock, 0, 1);
    Atomics.notify(lock, 0);
  };
  const fail = (error: Error): void => {
    reject(error);
    void worker.terminate();
  };
  worker.on('message', (message: FromDataThread) => {
    if (message.kind === 'ready') noteReady();
    else if (message.kind === 'progress') events.onProgress?.(message.progress);
    else if (message.kind === 'report') events.onReport?.(message.report);
    else if (message.kind === 'borders') events.onBorders?.(message.borders);
    else if (message.kind === 'stage') events.onStage?.(message.stage);
    else if (message.kind === 'problem')
      reject(new Problem(message.problem.code, message.problem.sentence, message.problem));
    else if (message.kind === 'end') resolve(message.end);
    else signInSlices(signAll, message).then(answer, fail);
  });
  let isStopped = false;
  worker.once('error', reject);
  worker.once('exit', () => {
    noteReady();
    if (isStopped) resolve('stopped');
    else reject(new Error('A data thread ended without a result.'));
  });
  const stop = async (): Promise<void> => {
    isStopped = true;
    await ready;
    await worker.terminate();
  };
  return { ended, stop };
};
