import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { discardFileSync } from '../../disk/changeFiles.ts';
import type { Disk } from '../../disk/disk.ts';
import { removeFileIfPresent, renameFileDurably, syncFolderToDisk, writeFileAtomically } from './fileSteps.ts';

/** `at` is in ms since 1970. */
export type BackupView = { name: string; at: number; bytes: number };

const maxNewest = 7;
const maxDays = 7;
export const dayMs = 24 * 3_600_000;
const backupNamePattern = /^companion-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/;

const getBackupName = (now: number): string =>
  `companion-${new Date(now).toISOString().replaceAll(':', '').replace(/\.\d+/, '')}.db`;

const parseBackupTime = (name: string): number | null => {
  const [, day, hour, minute, second] = backupNamePattern.exec(name) ?? [];
  return day === undefined ? null : Date.parse(`${day}T${hour}:${minute}:${second}Z`);
};

export const getBackupsDir = (dataDir: string): string => join(dataDir, 'backups');

/** Returns the backups in a folder, newest first. */
export const listBackupFiles = (dir: string): BackupView[] => {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return readdirSync(dir)
    .flatMap((name) => {
      const at = parseBackupTime(name);
      return at === null ? [] : [{ name, at, bytes: statSync(join(dir, name)).size }];
    })
    .sort((a, b) => b.at - a.at);
};

/** The file that names the backup which the next start restores. */
const getRestoreRequestPath = (dataDir: string): string => join(dataDir, 'restore.json');

const restoreRequest = z.object({ name: z.string() });

/** Returns whether the person has chosen a backup that the next start restores. */
export const isRestoreRequested = (dataDir: string): boolean => existsSync(getRestoreRequestPath(dataDir));

/** Returns null if there is no request or if it is unreadable. */
export const readRequestedBackupName = (dataDir: string): string | null => {
  try {
    return restoreRequest.parse(JSON.parse(readFileSync(getRestoreRequestPath(dataDir), 'utf8'))).name;
  } catch {
    return null;
  }
};

export const writeRestoreRequest = (dataDir: string, name: string): void =>
  writeFileAtomically(getRestoreRequestPath(dataDir), JSON.stringify({ name }));

export const removeRestoreRequest = (dataDir: string): void => removeFileIfPresent(getRestoreRequestPath(dataDir));

const getDay = ({ at }: BackupView): number => Math.floor(at / dayMs);

/** Returns the first backup of each of the last days that have one, so that many backups of one day displace none. */
const listFirstOfDays = (newestFirst: readonly BackupView[]): BackupView[] =>
  newestFirst
    .filter((one, at) => {
      const older = newestFirst[at + 1];
      return older === undefined || getDay(older) !== getDay(one);
    })
    .slice(0, maxDays);

/**
 * Gives a complete backup its name and removes old backups, but not the one that the next start restores. Returns the
 * backup.
 */
export const keepBackupFile = (dir: string, part: string, now: number, disk: Disk): BackupView | null => {
  const name = getBackupName(now);
  renameFileDurably(part, join(dir, name), disk);
  syncFolderToDisk(dir, disk);
  const all = listBackupFiles(dir);
  // If the clock was set back, older backups can have later times than the new backup, which must be kept.
  const others = all.filter((one) => one.name !== name);
  const kept = new Set([...others.slice(0, maxNewest - 1), ...listFirstOfDays(all)]);
  const requested = readRequestedBackupName(dirname(dir));
  for (const old of others) if (!kept.has(old) && old.name !== requested) discardFileSync(join(dir, old.name), disk);
  return all.find((one) => one.name === name) ?? null;
};
