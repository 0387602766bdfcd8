import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve, win32 } from 'node:path';
import { putInPlaceSync } from '../disk/changeFiles.ts';
import { systemDisk, type Disk } from '../disk/disk.ts';
import { isRoamingMark, leaveRoamingMark, removeRoamingMark } from './roamingMark.ts';

/** The computer and the user for which a data folder is chosen. */
export type Machine = { platform: NodeJS.Platform; env: NodeJS.ProcessEnv; home: string };

/** Returns this computer and the user of this process. */
export const getThisMachine = (): Machine => ({ platform: process.platform, env: process.env, home: homedir() });

/** A data folder, and whether the person named it. */
export type FolderPlace = { dataDir: string; ownData: boolean };

const folderName = 'Listing Companion';

/** Returns the Windows folders for data of this computer and for data that roam with the user. */
export const getWindowsAppData = ({
  env,
  home,
}: Pick<Machine, 'env' | 'home'>): Record<'local' | 'roaming', string> => ({
  local: env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'),
  roaming: env['APPDATA'] || join(home, 'AppData', 'Roaming'),
});

/** A roaming profile is copied over the network at every login, so a database and photos do not belong there. */
const getWindowsFolders = (machine: Machine): Record<'local' | 'roaming', string> => {
  const { local, roaming } = getWindowsAppData(machine);
  return { local: join(local, folderName), roaming: join(roaming, folderName) };
};

/** Whether the data are in the roaming profile, where earlier versions stored them. */
const isDataInRoaming = ({ local, roaming }: ReturnType<typeof getWindowsFolders>): boolean =>
  !existsSync(local) && existsSync(roaming) && !isRoamingMark(roaming);

/**
 * Returns the default data folder by the conventions of the platform. On Windows, it is the roaming profile as long as
 * the data of an earlier version could not be moved.
 */
export const getDefaultDataDir = (machine: Machine = getThisMachine()): string => {
  const { platform, env, home } = machine;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', folderName);
  if (platform !== 'win32') return join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'listing-companion');
  const folders = getWindowsFolders(machine);
  return isDataInRoaming(folders) ? folders.roaming : folders.local;
};

/**
 * Moves the data of an earlier version out of the roaming profile on Windows, by one atomic rename, and returns the new
 * place. If the rename fails, because a file is in use or the profile is on another drive, the data stay and the next
 * start retries. The mark in the old folder makes a reinstalled earlier version refuse to start.
 */
export const moveRoamingData = <P extends FolderPlace>(
  place: P,
  machine: Machine = getThisMachine(),
  disk: Disk = systemDisk,
): P => {
  if (machine.platform !== 'win32' || place.ownData) return place;
  const folders = getWindowsFolders(machine);
  if (isDataInRoaming(folders)) {
    try {
      putInPlaceSync(folders.roaming, folders.local, disk);
    } catch {
      return place;
    }
  }
  leaveRoamingMark(folders.roaming);
  return { ...place, dataDir: folders.local };
};

/** Removes the mark that the companion left outside its data folder. */
export const forgetRoamingMark = (
  { ownData }: Pick<FolderPlace, 'ownData'>,
  machine: Machine = getThisMachine(),
): void => {
  if (machine.platform === 'win32' && !ownData) removeRoamingMark(getWindowsFolders(machine).roaming);
};

/**
 * Returns the name of a data folder in the keychain. The default folder on Windows keeps the name from the roaming
 * profile, so that assistants keep their tokens after the move.
 */
export const getKeychainPlace = ({ dataDir, ownData }: FolderPlace, machine: Machine = getThisMachine()): string =>
  machine.platform === 'win32' && !ownData ? getWindowsFolders(machine).roaming : resolve(dataDir);

const isBelowFolder = (folder: string, parent: string): boolean => {
  const way = win32.relative(parent, folder);
  return !way.startsWith('..') && !win32.isAbsolute(way);
};

/** Returns a warning if other users of this computer may be able to read the data folder, else null. */
export const formatReadableFolderWarning = (
  { dataDir, ownData }: FolderPlace,
  { platform, home }: Machine = getThisMachine(),
): string | null =>
  platform === 'win32' && ownData && !isBelowFolder(dataDir, home)
    ? `Other people of this computer may be able to read ${dataDir}: Windows protects only folders below ${home}. Choose a folder there for --data to keep your data to yourself.`
    : null;
