import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import { checkWholeLedger, type LedgerReport } from '../../approvals/ledger/chainCheck.ts';
import { exportLedger, type LedgerFormat } from '../../approvals/ledger/exportLedger.ts';
import { createLedger } from '../../approvals/ledger/ledger.ts';
import { createReceiptExporter } from '../../approvals/ledger/receipts.ts';
import { createSigner, type SignerFacts, type SignTexts } from '../../approvals/ledger/signatures.ts';
import type { ExportPart } from '../../base/ports.ts';
import { exportListings } from '../../listings/listings.ts';
import { copyDatabase, type CopyEnd } from '../../storage/backups.ts';
import { type BordersQuery, estimateStoredBorders, type StoredBorders } from '../../items/arranging/storedBorders.ts';
import { prepareDatabase, type Preparation } from '../../storage/restore.ts';
import { isSoundDatabase } from '../../storage/soundDatabase.ts';
import type { StartStage, TaskProgress } from '../../storage/startStages.ts';
import { openDatabaseForReading, type Db } from '../../storage/database.ts';
import { createApprovalsTable } from '../../storage/tables/approvalsTable.ts';
import { createItemsTable } from '../../storage/tables/itemsTable.ts';
import { createLedgerTable } from '../../storage/tables/ledger/ledgerTable.ts';
import { createListingSearch, type ListingFilter } from '../../storage/tables/listings/listingSearch.ts';

/** `at` is the time that the file states, in ms since 1970. */
export type ExportTask =
  | { kind: 'history'; format: LedgerFormat; signer: SignerFacts; at: number }
  | { kind: 'receipts'; signer: SignerFacts; at: number }
  | { kind: 'listings'; account: string; filter: ListingFilter };

export type DataTask = ExportTask | { kind: 'backup' };

/** Returns whether a database or a backup is intact. */
export type CheckTask = { kind: 'databaseCheck' };

export type CheckStart = { databaseFile: string; task: CheckTask; file: null };

/** A task that writes no file. */
export type ReadTask = CheckTask | { kind: 'ledgerCheck' } | { kind: 'borders'; query: BordersQuery };

/** Changes the database before it is opened. */
export type PrepareTask = { kind: 'prepare'; dataDir: string; now: number; preparation: Preparation };

/** `file` is the incomplete file, which the core renames when the task is done. */
export type DataTaskStart =
  | { databaseFile: string; task: DataTask; file: string }
  | { databaseFile: string; task: ReadTask | PrepareTask; file: null };

/** The thread never has the private key. It asks the core for signatures. `onReport` gets the report of a `ledgerCheck`, `onBorders` the result of `borders`, `onStage` the stages of `prepare`. */
export type DataTaskEvents = {
  signAll: SignTexts;
  onProgress: (progress: TaskProgress) => void;
  onReport: (report: LedgerReport) => void;
  onBorders: (borders: StoredBorders) => void;
  onStage: (stage: StartStage) => void;
};

/** `pause` is called after each step of a task, so that the thread can rest. */
type TaskSteps = DataTaskEvents & { pause: () => void };

export type DataThread = { ended: Promise<CopyEnd>; stop: () => Promise<void> };

/** Starts a task in a thread of its own, so that it blocks neither windows nor assistants. */
export type StartDataThread = (start: DataTaskStart, events: Partial<DataTaskEvents>) => DataThread;

type OpenedExport = { total: number; parts: Generator<ExportPart> };

const openExport = (db: Db, task: ExportTask, signAll: SignTexts): OpenedExport => {
  if (task.kind === 'listings') {
    const { account, filter } = task;
    const { total } = createListingSearch(db, () => account).search(filter, { sort: 'newest', offset: 0, limit: 1 });
    return { total, parts: exportListings(db, account, filter) };
  }
  const ledger = createLedger(db, createSigner(task.signer, signAll));
  if (task.kind === 'history')
    return { total: ledger.end()?.seq ?? 0, parts: exportLedger(ledger, task.format, task.at) };
  const approvalsTable = createApprovalsTable(db);
  const receipts = createReceiptExporter({ approvalsTable, ledger, clock: { now: () => task.at } });
  return { total: approvalsTable.settledIds().length, parts: receipts.exportReceipts() };
};

const writeParts = (file: string, { total, parts }: OpenedExport, { onProgress, pause }: TaskSteps): void => {
  const opened = openSync(file, 'wx', 0o600);
  try {
    let done = 0;
    for (const { text, rows } of parts) {
      // `writeSync` writes only the bytes that a full disk still takes, and does not throw.
      writeFileSync(opened, text);
      done += rows;
      onProgress({ done, total });
      pause();
    }
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
};

/** Runs a task in its thread. All its reads see the database as it was at the start. */
export const runDataTask = async ({ databaseFile, ...start }: DataTaskStart, events: TaskSteps): Promise<CopyEnd> => {
  if (start.task.kind === 'databaseCheck') return isSoundDatabase(databaseFile, events.onProgress) ? 'done' : 'damaged';
  if (start.task.kind === 'prepare') {
    prepareDatabase(start.task, events.onStage);
    return 'done';
  }
  const db = openDatabaseForReading(databaseFile);
  try {
    if (start.file === null) {
      const { task } = start;
      if (task.kind === 'ledgerCheck') events.onReport(checkWholeLedger(createLedgerTable(db), events.pause));
      else if (task.kind === 'borders')
        events.onBorders(db.transaction(() => estimateStoredBorders(createItemsTable(db), task.query, events.pause))());
      return 'done';
    }
    const { task, file } = start;
    if (task.kind === 'backup') return (await copyDatabase(db, file, events)) ? 'done' : 'damaged';
    db.transaction(() => writeParts(file, openExport(db, task, events.signAll), events))();
    return 'done';
  } finally {
    db.close();
  }
};

/** Resolves to null if the signal ends the check. */
export const checkLedgerInThread = async (
  startDataThread: StartDataThread,
  databaseFile: string,
  signal: AbortSignal,
): Promise<LedgerReport | null> => {
  let report: LedgerReport | null = null;
  const start = { databaseFile, task: { kind: 'ledgerCheck' }, file: null } as const;
  const thread = startDataThread(start, { onReport: (found) => (report = found) });
  signal.addEventListener('abort', () => void thread.stop());
  await thread.ended;
  return report;
};

/** Resolves to null if the signal ends the task. */
export const estimateBordersInThread = async (
  startDataThread: StartDataThread,
  databaseFile: string,
  { query, signal }: { query: BordersQuery; signal: AbortSignal },
): Promise<StoredBorders | null> => {
  let borders: StoredBorders | null = null;
  const start = { databaseFile, task: { kind: 'borders', query }, file: null } as const;
  const thread = startDataThread(start, { onBorders: (found) => (borders = found) });
  signal.addEventListener('abort', () => void thread.stop(), { once: true });
  await thread.ended;
  return borders;
};
