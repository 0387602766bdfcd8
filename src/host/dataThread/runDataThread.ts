import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../core/base/clock.ts';
import { Problem, toProblemView } from '../../core/base/problem.ts';
import { runDataTask, type DataTaskEvents } from '../../core/companion/dataTasks/dataTask.ts';
import { loadSqlite, textValues } from '../../core/storage/database.ts';
import type { StartStage } from '../../core/storage/startStages.ts';
import { systemDisk } from '../../disk/disk.ts';
import { noTurns, takeProcessorTurns, waitForTurn } from './processorTurns.ts';
import type { DataThreadData, FromDataThread } from './startDataThread.ts';

const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread only.');

// The host that starts this thread passes exactly this type.
const { start, answered, turn } = workerData as DataThreadData;
const lock = new Int32Array(answered);
const send = (message: FromDataThread): void => port.postMessage(message);

/** Blocks this thread until the core has signed the texts. */
const requestSignatures: DataTaskEvents['signAll'] = (purpose, texts) => {
  Atomics.store(lock, 0, 0);
  send({ kind: 'sign', purpose, texts });
  Atomics.wait(lock, 0, 0);
  return textValues.parse(receiveMessageOnPort(port)?.message);
};

const minMsBetweenReports = 250;
let reportedAt = -Infinity;

/** The person waits for these tasks before anything else, so they do not rest. */
const isAwaited = start.task.kind === 'prepare' || start.task.kind === 'databaseCheck';
const takeTurns = () =>
  isAwaited
    ? noTurns
    : takeProcessorTurns(turn, { elapsedMs: systemClock.elapsedMs, waitForTurn, rest: systemDisk.waitSync });

let sentStage: StartStage | null = null;
/** A stage that begins is reported at once. */
const sendStage = (stage: StartStage): void => {
  if (stage.name === sentStage?.name && systemClock.elapsedMs() - reportedAt < minMsBetweenReports) return;
  sentStage = stage;
  reportedAt = systemClock.elapsedMs();
  send({ kind: 'stage', stage });
};

/** Only the fields of a `Problem` reach the other thread. */
const sendProblem = (error: unknown): never => {
  if (error instanceof Problem) send({ kind: 'problem', problem: toProblemView(error) });
  throw error;
};

/** Runs the task of this thread, which exports, copies or compares data, and sends its events and its end to the host. */
export const runDataThread = async (): Promise<void> => {
  loadSqlite();
  send({ kind: 'ready' });
  const turns = takeTurns();
  const end = await runDataTask(start, {
    signAll: requestSignatures,
    onProgress: (progress) => {
      const isLast = progress.done === progress.total;
      if (!isLast && systemClock.elapsedMs() - reportedAt < minMsBetweenReports) return;
      reportedAt = systemClock.elapsedMs();
      send({ kind: 'progress', progress });
    },
    onReport: (report) => send({ kind: 'report', report }),
    onBorders: (borders) => send({ kind: 'borders', borders }),
    onStage: sendStage,
    pause: turns.pause,
  })
    .catch(sendProblem)
    .finally(turns.end);
  send({ kind: 'end', end });
};
