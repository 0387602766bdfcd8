import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/ports.ts';
import { createProblem, findDiskProblem } from '../../base/problem.ts';
import { getBackupsDir, isRestoreRequested, listBackupFiles } from '../../storage/backupFiles.ts';
import { cancelRequestedRestore, prepareDatabase, type Preparation } from '../../storage/restore.ts';
import { ignoreStages, type StartStage, type StartStageName } from '../../storage/startStages.ts';
import type { StartDataThread } from './dataTask.ts';

/** Work on a smaller file is done at once, because a thread takes longer to start than this work. */
const largeBytes = 64 * 2 ** 20;

export const isLargeFile = (file: string): boolean => existsSync(file) && statSync(file).size >= largeBytes;

/** Reports what a long start does; null when this work is done. Without `cancel` the stage cannot be cancelled. */
export type ReportStart = (stage: StartStage | null, cancel?: () => void) => void;

export type PrepareContext = {
  dataDir: string;
  startDataThread: StartDataThread;
  clock: Clock;
  reportStart: ReportStart;
};

const firstStages: Record<Preparation['kind'], StartStageName> = {
  restore: 'checkBackup',
  repair: 'checkBackup',
  update: 'backUp',
};

const prepareInThread = async (
  { dataDir, startDataThread, reportStart }: PrepareContext,
  task: Parameters<typeof prepareDatabase>[0],
): Promise<void> => {
  let isCancelled = false;
  const cancel = (): void => {
    isCancelled = true;
    void thread.stop();
  };
  // The person can keep the current data instead of a restored backup, but nothing opens data of an older version.
  const onStage = (stage: StartStage): void =>
    task.preparation.kind === 'restore' && !isCancelled ? reportStart(stage, cancel) : reportStart(stage);
  const thread = startDataThread(
    { databaseFile: join(dataDir, 'companion.db'), task: { kind: 'prepare', ...task }, file: null },
    { onStage },
  );
  onStage({ name: firstStages[task.preparation.kind], progress: null });
  if ((await thread.ended) !== 'stopped') return;
  if (!isCancelled) throw new Error('The thread that prepares the database was stopped.');
  cancelRequestedRestore(dataDir);
};

const prepareDataOnDisk = async (context: PrepareContext, preparation: Preparation): Promise<void> => {
  const { dataDir, clock, reportStart } = context;
  const task = { dataDir, now: clock.now(), preparation };
  const isLarge = [
    join(dataDir, 'companion.db'),
    ...listBackupFiles(getBackupsDir(dataDir)).map(({ name }) => join(getBackupsDir(dataDir), name)),
  ].some(isLargeFile);
  if (!isLarge) return prepareDatabase(task, ignoreStages);
  try {
    await prepareInThread(context, task);
  } finally {
    reportStart(null);
  }
};

/** Does long work on a large database in a thread, and reports its stages. A full disk changes no data. */
export const prepareData = async (context: PrepareContext, preparation: Preparation): Promise<void> => {
  try {
    await prepareDataOnDisk(context, preparation);
  } catch (cause) {
    if (findDiskProblem(cause)?.code !== 'DISK_FULL') throw cause;
    throw createProblem(preparation.kind === 'restore' ? 'DISK_FULL.restore' : 'DISK_FULL.prepare', { cause });
  }
};

/** Restores the backup with this name, or the one that the person has chosen. Throws `BACKUP_UNKNOWN`. */
export const restoreAtStart = async (context: PrepareContext, name: string | null): Promise<void> => {
  const isDue = name !== null || isRestoreRequested(context.dataDir);
  if (isDue) await prepareData(context, { kind: 'restore', name });
};
