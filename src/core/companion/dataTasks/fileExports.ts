import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { discardFileSync, discardTreeSync } from '../../../disk/changeFiles.ts';
import type { Clock } from '../../base/ports.ts';
import { createSemaphore } from '../../base/semaphore.ts';
import type { LedgerFormat } from '../../approvals/ledger/exportLedger.ts';
import type { Signer, SignerFacts, SignTexts } from '../../approvals/ledger/signatures.ts';
import type { CopyEnd } from '../../storage/backups.ts';
import { createDataFile, renameFileDurably } from '../../storage/fileSteps.ts';
import type { ListingFilter } from '../../storage/tables/listings/listingSearch.ts';
import type { CoreServices } from '../coreServices.ts';
import type { TaskProgress } from '../../storage/startStages.ts';
import type { CheckStart, CheckTask, DataTask, DataTaskStart, ExportTask, StartDataThread } from './dataTask.ts';
import { checkDatabaseFile } from './dataCheck.ts';

/** A running or waiting export, copy or check of a copy. */
export type ExportView = { exportId: string; kind: (DataTask | CheckTask)['kind']; isWaiting: boolean } & TaskProgress;

type RunnableStart = Extract<DataTaskStart, { task: DataTask }> | CheckStart;

/**
 * The path of a complete file, and the name that it gets when the person saves it. `remove` removes the file; it is called
 * when the file was downloaded completely, so that its address works only once.
 */
export type ExportedFile = { name: string; path: string; remove: () => void };

/** `url` is the path of the file on the window's own origin. */
export type OfferedFile = { name: string; url: string };

/** How long a file waits for its download, which the person might have to repeat. */
const fileLifeMs = 10 * 60_000;

type ExportsContext = Pick<CoreServices, 'db' | 'dir' | 'ledger' | 'clock' | 'connection' | 'changed'> & {
  startDataThread: StartDataThread;
  /** Records that a file with these facts was exported. The exported file does not contain this row. */
  record: (facts: Record<string, unknown>) => void;
};

const createFileStore = (folder: string, clock: Clock) => {
  const files = new Map<string, ExportedFile>();
  const stopped = new AbortController();
  const removeAfterLife = async ({ remove }: ExportedFile): Promise<void> => {
    await clock.sleep(fileLifeMs, stopped.signal);
    remove();
  };
  discardTreeSync(folder);
  return {
    add: (fileId: string, { name, path }: Omit<ExportedFile, 'remove'>): OfferedFile => {
      const remove = (): void => {
        if (files.delete(fileId)) discardFileSync(path);
      };
      const file = { name, path, remove };
      files.set(fileId, file);
      removeAfterLife(file).catch(() => undefined);
      return { name, url: `/exports/${fileId}` };
    },
    find: (fileId: string): ExportedFile | null => files.get(fileId) ?? null,
    clear: (): void => {
      stopped.abort();
      files.clear();
      discardTreeSync(folder);
    },
  };
};

/** More threads at once would not be faster, but each needs memory, and all together slow down the windows. */
const maxThreads = 3;

/** Runs tasks in threads, the others wait in a queue. Each task is in the list until it ends. */
const createTaskRunner = ({ ledger: { signer }, changed, startDataThread }: ExportsContext) => {
  const places = createSemaphore(maxThreads);
  const tasks = new Map<string, { view: ExportView; stop: () => Promise<void> }>();
  const signAll: SignTexts = (purpose, texts) => requireSigner(signer).signAll(purpose, texts);
  const runTask = async (start: RunnableStart): Promise<CopyEnd> => {
    const exportId = randomUUID();
    const view: ExportView = { exportId, kind: start.task.kind, isWaiting: true, done: 0, total: 0 };
    const onProgress = (progress: TaskProgress): void => {
      Object.assign(view, progress);
      changed('exports');
    };
    const waiting = new AbortController();
    const task = { view, stop: async (): Promise<void> => waiting.abort() };
    tasks.set(exportId, task);
    changed('exports');
    try {
      const release = await places.acquire(exportId, waiting.signal).catch(() => null);
      if (release === null) return 'stopped';
      try {
        // The task can be cancelled after it has its place.
        if (waiting.signal.aborted) return 'stopped';
        const thread = startDataThread(start, { signAll, onProgress });
        task.stop = thread.stop;
        view.isWaiting = false;
        changed('exports');
        return await thread.ended;
      } finally {
        release();
      }
    } finally {
      tasks.delete(exportId);
      changed('exports');
    }
  };
  return {
    run: runTask,
    /** Returns whether a backup is intact; null if the check was cancelled. */
    checkBackup: (file: string): Promise<boolean | null> => checkDatabaseFile(file, runTask),
    list: (): ExportView[] => [...tasks.values()].map(({ view }) => ({ ...view })),
    cancel: async (exportId: string): Promise<void> => tasks.get(exportId)?.stop(),
    cancelAll: async (): Promise<void> => {
      await Promise.all([...tasks.values()].map(({ stop }) => stop()));
    },
  };
};

const requireSigner = (signer: Signer | null): Signer => {
  if (!signer) throw new Error('This ledger is not signed.');
  return signer;
};

const getSignerFacts = ({ signer }: CoreServices['ledger']): SignerFacts => {
  const { publicKey, fingerprint, keychain } = requireSigner(signer);
  return { publicKey, fingerprint, keychain };
};

export type FileExports = ReturnType<typeof createFileExports>;

/**
 * Exports data to files in a folder of the companion, from where a window downloads them. A file has its final name only
 * when it is complete.
 */
export const createFileExports = (context: ExportsContext) => {
  const { db, dir, ledger, clock, connection, record } = context;
  const folder = dir('exports');
  const files = createFileStore(folder, clock);
  const tasks = createTaskRunner(context);
  const writeAndOffer = async (
    task: ExportTask,
    name: string,
    beforeOffer: () => void,
  ): Promise<OfferedFile | null> => {
    const fileId = randomUUID();
    const [path, part] = [join(folder, fileId), join(folder, `${fileId}.part`)];
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if ((await tasks.run({ databaseFile: db.name, task, file: part })) !== 'done') return null;
      renameFileDurably(part, path);
      beforeOffer();
      return files.add(fileId, { name, path });
    } catch (error) {
      discardFileSync(path);
      throw error;
    } finally {
      discardFileSync(part);
    }
  };
  /** Returns null if the export was cancelled. If `beforeOffer` throws, the file is removed. */
  const runExport = (
    task: ExportTask,
    name: string,
    beforeOffer: () => void = () => undefined,
  ): Promise<OfferedFile | null> => createDataFile(() => writeAndOffer(task, name, beforeOffer));
  const runRecordedExport = (
    task: ExportTask,
    { name, ...facts }: { name: string; format: string },
  ): Promise<OfferedFile | null> => runExport(task, name, () => record(facts));

  return {
    /** Exports the whole ledger with hashes and signatures. */
    exportHistory: (format: LedgerFormat): Promise<OfferedFile | null> => {
      const at = clock.now();
      ledger.announce(at);
      const task = { kind: 'history', format, signer: getSignerFacts(ledger), at } as const;
      return runRecordedExport(task, { name: `history.${format}`, format });
    },
    /** Exports the receipts of all settled approvals. */
    exportReceipts: (): Promise<OfferedFile | null> => {
      const task = { kind: 'receipts', signer: getSignerFacts(ledger), at: clock.now() } as const;
      return runRecordedExport(task, { name: 'receipts.jsonl', format: 'receipts' });
    },
    exportListings: (filter: ListingFilter): Promise<OfferedFile | null> =>
      runExport({ kind: 'listings', account: connection.who()?.account ?? '', filter }, 'listings.csv'),
    /** Copies the database to a file and checks the copy. */
    copyDatabase: (file: string): Promise<CopyEnd> =>
      tasks.run({ databaseFile: db.name, task: { kind: 'backup' }, file }),
    checkBackup: tasks.checkBackup,
    list: tasks.list,
    /** Cancels an export or copy. Its incomplete file is removed. */
    cancel: tasks.cancel,
    find: files.find,
    /** Cancels everything and removes all exported files. */
    stop: async (): Promise<void> => {
      await tasks.cancelAll();
      files.clear();
    },
  };
};
