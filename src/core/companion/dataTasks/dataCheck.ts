import { mkdirSync } from 'node:fs';
import type { Changed, Log } from '../../base/ports.ts';
import { createProblem, findDiskProblem, type Problem } from '../../base/problem.ts';
import { openOrRepairDatabase, type OpenedDatabase } from '../../storage/restore.ts';
import { isSoundDatabase } from '../../storage/soundDatabase.ts';
import type { TaskProgress } from '../../storage/startStages.ts';
import type { CopyEnd } from '../../storage/backups.ts';
import type { CheckStart, DataThread } from './dataTask.ts';
import { isLargeFile, prepareData, type PrepareContext } from './prepareData.ts';

/** Most checks end within this time, so that the companion opens without a state in which it can only read. */
const maxWaitMs = 750;
/** A check takes about a second for each gigabyte of a fast disk. */
const retryAfterS = 2;

/** The check of the database after a crash. */
export type DataCheck = {
  /** Returns the problem that keeps the companion from writing; null if there is none. */
  findProblem: () => Problem | null;
  /** Returns how far the check is; null if no check runs or if that is unknown. */
  readProgress: () => TaskProgress | null;
  /** Resolves when the database has been checked and can be written. Does not resolve if it is damaged. */
  passed: Promise<void>;
  /** Runs the work as soon as the database can be written. Throws the problem if the check does not pass. */
  runWhenWritable: <T>(work: () => Promise<T>) => Promise<T>;
  stop: () => Promise<void>;
};

/** The check of an opened database. `onCheckAwaited` is called if nothing can be used before the check ends. */
export type CheckedDatabase = {
  opened: OpenedDatabase;
  stopCheck: () => Promise<void>;
  onCheckAwaited: () => void;
  readProgress: () => TaskProgress | null;
  onProgress: (listener: () => void) => void;
};

/** Returns whether a database is intact; null if its check was stopped. `run` checks a large one in a thread. */
export const checkDatabaseFile = async (
  databaseFile: string,
  run: (start: CheckStart) => Promise<CopyEnd>,
): Promise<boolean | null> => {
  if (!isLargeFile(databaseFile)) return isSoundDatabase(databaseFile);
  const end = await run({ databaseFile, task: { kind: 'databaseCheck' }, file: null });
  return end === 'stopped' ? null : end === 'done';
};

/** Opens the database, and checks it if the last run crashed: a large one in a thread. */
export const openCheckedDatabase = async (context: PrepareContext): Promise<CheckedDatabase> => {
  const { dataDir, startDataThread, clock, reportStart } = context;
  let thread: DataThread | null = null;
  let isAwaited = false;
  let lastProgress: TaskProgress | null = null;
  let notify = (): void => undefined;
  const reportCheck = (progress: TaskProgress | null): void => {
    lastProgress = progress;
    if (isAwaited) reportStart({ name: 'checkData', progress });
    notify();
  };
  const onCheckAwaited = (): void => {
    isAwaited = true;
    reportCheck(null);
  };
  mkdirSync(dataDir, { recursive: true });
  const runCheck = (start: CheckStart): Promise<CopyEnd> => {
    thread = startDataThread(start, { onProgress: reportCheck });
    return thread.ended;
  };
  const checkDatabase = async (databaseFile: string): Promise<boolean> => {
    const isSound = await checkDatabaseFile(databaseFile, runCheck);
    if (isSound === null) throw new Error('The check of the database was stopped.');
    return isSound;
  };
  const ended = new AbortController();
  const waited = clock.sleep(maxWaitMs, ended.signal).catch(() => undefined);
  try {
    const opened = await openOrRepairDatabase(dataDir, clock.now(), {
      ...{ checkDatabase, waited, onCheckAwaited },
      prepare: (preparation) => prepareData(context, preparation),
    });
    return {
      ...{ opened, stopCheck: async () => thread?.stop(), onCheckAwaited },
      ...{ readProgress: () => lastProgress, onProgress: (listener) => (notify = listener) },
    };
  } finally {
    ended.abort();
    reportStart(null);
  }
};

/** Lets the companion write when the check has passed. */
export const followCheck = (
  { opened: { db, check }, stopCheck, readProgress, onProgress }: CheckedDatabase,
  { changed, log }: { changed: Changed; log: Log },
): DataCheck => {
  if (check === null)
    return {
      ...{ findProblem: () => null, readProgress: () => null, passed: Promise.resolve() },
      ...{ runWhenWritable: (work) => work(), stop: stopCheck },
    };
  let isStopped = false;
  let problem: Problem | null = createProblem('DATA_CHECKING', { retryAfterS });
  const { promise: passed, resolve } = Promise.withResolvers<void>();
  const noteResult = (isSound: boolean): void => {
    if (isStopped) return;
    if (isSound) {
      db.pragma('query_only = OFF');
      problem = null;
      resolve();
    } else {
      log('error', 'the database is damaged and is replaced at the next start');
      problem = createProblem('DATA_DAMAGED');
    }
    changed('app');
  };
  /** The next start checks again. */
  const noteFailure = (cause: unknown): void => {
    if (isStopped) return;
    log('error', 'the database could not be checked');
    problem = findDiskProblem(cause) ?? createProblem('INTERNAL', { cause });
    changed('app');
  };
  const ended = check.then(noteResult, noteFailure);
  onProgress(() => changed('app'));
  return {
    findProblem: () => problem,
    readProgress: () => (problem?.code === 'DATA_CHECKING' ? readProgress() : null),
    passed,
    runWhenWritable: async (work) => {
      await ended;
      if (problem) throw problem;
      return work();
    },
    stop: async () => {
      isStopped = true;
      await stopCheck();
    },
  };
};
