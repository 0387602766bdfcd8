import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { createProblem } from '../base/problem.ts';
import {
  getBackupsDir,
  isRestoreRequested,
  listBackupFiles,
  readRequestedBackupName,
  removeRestoreRequest,
  writeRestoreRequest,
  type BackupView,
} from './backupFiles.ts';
import { createBackupNow, isBackedUp, isIntactDatabase } from './backups.ts';
import { isDatabaseDamage, isUpdateDue, openMigratedDatabase, openRawDatabase, type Db } from './database.ts';
import {
  copyFileDurably,
  removeFileIfPresent,
  renameFileDurably,
  syncFileToDisk,
  syncFolderToDisk,
  writeFileAtomically,
} from './fileSteps.ts';
import { ignoreStages, type ReportStage } from './startStages.ts';

/**
 * `at` is when the damage was found, and `from` is the time of the backup that replaced the database, in ms since 1970.
 * `from` is null if an empty database replaced it.
 */
export const repairShape = z.object({ at: z.int(), from: z.int().nullable() });
export type DatabaseRepair = z.infer<typeof repairShape>;

const getDatabasePath = (dataDir: string): string => join(dataDir, 'companion.db');
/** The next database has this name while it is incomplete. After a crash it is deleted. */
const getStagedDatabasePath = (dataDir: string): string => join(dataDir, 'companion.db.staged');
/** The next database has this name when it is complete. It then replaces the current database, even after a crash. */
const getReadyDatabasePath = (dataDir: string): string => join(dataDir, 'companion.db.ready');
const databaseFileSuffixes = ['', '-wal', '-shm'];

/** The clock can repeat a time, so a number is added if a folder with this name exists. */
const findUnusedFolderPath = (under: string, now: number): string => {
  const name = join(under, new Date(now).toISOString().replaceAll(':', '').replaceAll('.', ''));
  for (let nth = 1; ; nth += 1) {
    const place = nth === 1 ? name : `${name}-${nth}`;
    if (!existsSync(place)) return place;
  }
};

/** The folder gets its final name only when it is complete. */
const moveDatabaseAside = (dataDir: string, now: number): void => {
  const under = join(dataDir, 'put-aside');
  const unfinished = join(under, 'unfinished');
  const ends = databaseFileSuffixes.filter((end) => existsSync(`${getDatabasePath(dataDir)}${end}`));
  if (ends.length > 0) {
    mkdirSync(unfinished, { recursive: true, mode: 0o700 });
    for (const end of ends)
      renameFileDurably(`${getDatabasePath(dataDir)}${end}`, join(unfinished, `companion.db${end}`));
    syncFolderToDisk(unfinished);
    syncFolderToDisk(dataDir);
  }
  if (!existsSync(unfinished)) return;
  renameFileDurably(unfinished, findUnusedFolderPath(under, now));
  syncFolderToDisk(under);
};

/** The setting that names the restored backup until the ledger records the restore. */
export const restoredSettingName = 'restored from';
/** The setting that contains a repair of the database until the person has read about it. */
export const repairedSettingName = 'repaired';

/** The service might have newer listings than the backup, so all listings must be read again. */
const storeRestoreFacts = (db: Db, copy: string | null, repaired: DatabaseRepair | null): void => {
  const put = db.prepare(
    'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
  );
  db.prepare("delete from settings where name like 'listings read %' or name = ?").run(repairedSettingName);
  put.run(restoredSettingName, JSON.stringify({ copy }));
  if (repaired) put.run(repairedSettingName, JSON.stringify(repaired));
};

const removeStagedFiles = (dataDir: string): void => {
  // SQLite would treat files that a crash left as parts of the next database.
  for (const end of [...databaseFileSuffixes, '-journal']) {
    const file = `${getStagedDatabasePath(dataDir)}${end}`;
    if (existsSync(file)) removeFileIfPresent(file);
  }
};

/** After this function has returned, the database will be replaced, even if the companion crashes. */
const prepareNextDatabase = (
  dataDir: string,
  { backup, repaired }: { backup: BackupView | null; repaired: DatabaseRepair | null },
  report: ReportStage,
): void => {
  const staged = getStagedDatabasePath(dataDir);
  try {
    if (backup)
      copyFileDurably(join(getBackupsDir(dataDir), backup.name), staged, (progress) =>
        report({ name: 'copyBackup', progress }),
      );
    const db = backup ? openRawDatabase(staged) : openMigratedDatabase(staged);
    try {
      storeRestoreFacts(db, backup?.name ?? null, repaired);
    } finally {
      db.close();
    }
    syncFileToDisk(staged);
  } catch (error) {
    removeStagedFiles(dataDir);
    throw error;
  }
  renameFileDurably(staged, getReadyDatabasePath(dataDir));
  syncFolderToDisk(dataDir);
};

/** If the process is killed, the next start calls this function again. */
const replaceDatabaseIfReady = (dataDir: string, now: number): void => {
  removeStagedFiles(dataDir);
  if (!existsSync(getReadyDatabasePath(dataDir))) return;
  removeRestoreRequest(dataDir);
  moveDatabaseAside(dataDir, now);
  removeFileIfPresent(getCheckMarkPath(dataDir));
  renameFileDurably(getReadyDatabasePath(dataDir), getDatabasePath(dataDir));
  syncFolderToDisk(dataDir);
};

const findNewestIntactBackup = (
  dataDir: string,
  isWanted: (backup: BackupView) => boolean,
  report: ReportStage,
): BackupView | undefined => {
  const dir = getBackupsDir(dataDir);
  const isIntact = ({ name }: BackupView): boolean =>
    isIntactDatabase(join(dir, name), (progress) => report({ name: 'checkBackup', progress }));
  return listBackupFiles(dir).find((one) => isWanted(one) && isIntact(one));
};

/** A request for `newest` asks for any backup, because only a check tells which one is intact. */
const isAskedBackup =
  (name: string) =>
  (backup: BackupView): boolean =>
    name === 'newest' || backup.name === name;

/** Returns the backup with this name, or the newest intact backup for `newest`. Throws `BACKUP_UNKNOWN`. */
const requireBackup = (dataDir: string, name: string, report: ReportStage): BackupView => {
  const found = findNewestIntactBackup(dataDir, isAskedBackup(name), report);
  if (!found) throw createProblem('BACKUP_UNKNOWN');
  return found;
};

/**
 * Schedules a restore of the backup with this name, or of the newest intact one for `newest`. The next start restores it,
 * because an open database cannot be replaced. `checkBackup` returns null if it was cancelled; then nothing is scheduled,
 * and this returns false. Throws `BACKUP_UNKNOWN`.
 */
export const scheduleRestore = async (
  dataDir: string,
  name: string,
  checkBackup: (file: string) => Promise<boolean | null>,
): Promise<boolean> => {
  const dir = getBackupsDir(dataDir);
  for (const backup of listBackupFiles(dir).filter(isAskedBackup(name))) {
    const isIntact = await checkBackup(join(dir, backup.name));
    if (isIntact === null) return false;
    if (!isIntact) continue;
    writeRestoreRequest(dataDir, backup.name);
    return true;
  }
  throw createProblem('BACKUP_UNKNOWN');
};

/** Keeps the current data, unless the backup has begun to replace them. */
export const cancelRequestedRestore = (dataDir: string): void => {
  removeRestoreRequest(dataDir);
  if (existsSync(getDatabasePath(dataDir))) removeFileIfPresent(getReadyDatabasePath(dataDir));
};

/** Throws `BACKUP_UNKNOWN` only once, so that the next start succeeds. */
const readRequestedBackup = (dataDir: string, report: ReportStage): BackupView | null => {
  if (!isRestoreRequested(dataDir)) return null;
  const name = readRequestedBackupName(dataDir);
  const backup = findNewestIntactBackup(dataDir, (one) => one.name === name, report);
  if (backup) return backup;
  cancelRequestedRestore(dataDir);
  throw createProblem('BACKUP_UNKNOWN');
};

/**
 * Restores the backup with this name before the database is opened. If `name` is null, restores the scheduled backup. A
 * scheduled restore that fails is not repeated, so that the next start opens the current data. Throws `BACKUP_UNKNOWN`.
 */
export const restoreRequestedBackup = (
  dataDir: string,
  name: string | null,
  now: number,
  report: ReportStage = ignoreStages,
): void => {
  replaceDatabaseIfReady(dataDir, now);
  const backup = name === null ? readRequestedBackup(dataDir, report) : requireBackup(dataDir, name, report);
  if (backup === null) return;
  try {
    prepareNextDatabase(dataDir, { backup, repaired: null }, report);
  } catch (error) {
    cancelRequestedRestore(dataDir);
    throw error;
  }
  replaceDatabaseIfReady(dataDir, now);
};

/** Replaces a damaged database by the newest intact backup, or by an empty one. */
const repairDatabase = (dataDir: string, now: number, report: ReportStage): void => {
  const backup = findNewestIntactBackup(dataDir, () => true, report) ?? null;
  prepareNextDatabase(dataDir, { backup, repaired: { at: now, from: backup?.at ?? null } }, report);
  replaceDatabaseIfReady(dataDir, now);
};

/**
 * Backs up the database and runs the outstanding migrations. An update that failed has left its backup, and another one
 * would take the space that the person has freed.
 */
const updateDatabase = (dataDir: string, now: number, report: ReportStage): void =>
  void openMigratedDatabase(getDatabasePath(dataDir), {
    beforeUpdate: (db) => {
      const dir = getBackupsDir(dataDir);
      if (!isBackedUp(db, dir)) createBackupNow(db, dir, now, { report });
    },
    onMigration: (progress) => report({ name: 'update', progress }),
  }).close();

/** Long work on the database before it is opened. `name` is that of the backup on the command line. */
export type Preparation = { kind: 'restore'; name: string | null } | { kind: 'repair' } | { kind: 'update' };

/** If the process is killed, the next start finds either the data of before or the data of after. */
export const prepareDatabase = (
  { dataDir, now, preparation }: { dataDir: string; now: number; preparation: Preparation },
  report: ReportStage,
): void => {
  if (preparation.kind === 'restore') restoreRequestedBackup(dataDir, preparation.name, now, report);
  else if (preparation.kind === 'repair') repairDatabase(dataDir, now, report);
  else updateDatabase(dataDir, now, report);
};

/**
 * Exists from the start after a crash until the database has been checked or replaced. Without it, a second crash or a quit
 * during the check would make the next start skip the check. Its text says whether the check has found damage.
 */
const getCheckMarkPath = (dataDir: string): string => join(dataDir, 'companion.db.unchecked');
const damagedMark = 'damaged';

/** SQLite removes the `-wal` file on a clean close, so a remaining file shows a crash. */
const isCheckDue = (dataDir: string): boolean =>
  existsSync(`${getDatabasePath(dataDir)}-wal`) || existsSync(getCheckMarkPath(dataDir));

const isKnownDamaged = (dataDir: string): boolean =>
  existsSync(getCheckMarkPath(dataDir)) && readFileSync(getCheckMarkPath(dataDir), 'utf8') === damagedMark;

/** Checks a database in a thread and returns whether it is undamaged. */
export type CheckDatabase = (file: string) => Promise<boolean>;

/** Starts the check that a crash makes necessary. Returns null if none is. */
const startDueCheck = (dataDir: string, checkDatabase: CheckDatabase): Promise<boolean> | null => {
  if (isKnownDamaged(dataDir)) return Promise.resolve(false);
  if (!isCheckDue(dataDir)) return null;
  writeFileAtomically(getCheckMarkPath(dataDir), 'unchecked');
  const noteResult = (isSound: boolean): boolean => {
    if (isSound) removeFileIfPresent(getCheckMarkPath(dataDir));
    else writeFileAtomically(getCheckMarkPath(dataDir), damagedMark);
    return isSound;
  };
  return checkDatabase(getDatabasePath(dataDir)).then(noteResult);
};

/** `check` resolves to whether the database is undamaged, and until then nothing can write to it. Null if that is known. */
export type OpenedDatabase = { db: Db; repaired: DatabaseRepair | null; check: Promise<boolean> | null };

/** Returns null if the database cannot be used before it is checked. A migration would write to it. */
const openUncheckedDatabase = (file: string): Db | null => {
  if (isUpdateDue(file)) return null;
  try {
    const db = openMigratedDatabase(file);
    db.pragma('query_only = ON');
    return db;
  } catch {
    return null;
  }
};

const readRepair = (db: Db): DatabaseRepair | null => {
  const value = db.prepare('select value from settings where name = ?').pluck().get(repairedSettingName);
  return repairShape.nullable().parse(typeof value === 'string' ? JSON.parse(value) : null);
};

type OpenSteps = {
  checkDatabase: CheckDatabase;
  waited: Promise<void>;
  prepare: (preparation: Preparation) => Promise<void>;
  /** Called if nothing can be opened before a long check ends. */
  onCheckAwaited: () => void;
};

/**
 * Opens the database. If it is damaged, replaces it by the newest intact backup, or by an empty one. If the check after a
 * crash has not ended when `waited` resolves, opens the database for reading. Throws the errors of `openMigratedDatabase`.
 */
export const openOrRepairDatabase = async (
  dataDir: string,
  now: number,
  { checkDatabase, waited, prepare, onCheckAwaited }: OpenSteps,
): Promise<OpenedDatabase> => {
  replaceDatabaseIfReady(dataDir, now);
  const file = getDatabasePath(dataDir);
  const openCurrentDatabase = async (): Promise<Db> => {
    if (isUpdateDue(file)) await prepare({ kind: 'update' });
    return openMigratedDatabase(file);
  };
  try {
    const check = startDueCheck(dataDir, checkDatabase);
    const isLate = check !== null && (await Promise.race([check.then(() => false), waited.then(() => true)]));
    const unchecked = isLate ? openUncheckedDatabase(file) : null;
    if (unchecked) return { db: unchecked, repaired: null, check };
    if (isLate) onCheckAwaited();
    if ((await check) === false) throw createProblem('DATA_DAMAGED');
    return { db: await openCurrentDatabase(), repaired: null, check: null };
  } catch (error) {
    if (!isDatabaseDamage(error)) throw error;
  }
  await prepare({ kind: 'repair' });
  const db = await openCurrentDatabase();
  return { db, repaired: readRepair(db), check: null };
};
