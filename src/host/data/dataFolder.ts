import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve, win32 } from 'node:path';
import { replaceFileSync } from '../../disk/changeFiles.ts';
import { systemDisk, type Disk } from '../../disk/disk.ts';
import { hasRoamingMark, writeRoamingMark, removeRoamingMark } from './roamingMark.ts';

export type Machine = { platform: NodeJS.Platform; env: NodeJS.ProcessEnv; home: string };

export const getThisMachine = (): Machine => ({ platform: process.platform, env: process.env, home: homedir() });

/** `ownData` is true if the person named the folder. */
export type FolderPlace = { dataDir: string; ownData: boolean };

const folderName = 'Listing Companion';

/** `local` data stay on this computer, and `roaming` data follow the user to other computers. */
export const getWindowsAppData = ({
  env,
  home,
}: Pick<Machine, 'env' | 'home'>): Record<'local' | 'roaming', string> => ({
  local: env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'),
  roaming: env['APPDATA'] || join(home, 'AppData', 'Roaming'),
});

/**
 * Windows can copy a roaming profile over the network at every sign-in to the computer, so a database and photos must
 * not be in it.
 */
const getWindowsFolders = (machine: Machine): Record<'local' | 'roaming', string> => {
  const { local, roaming } = getWindowsAppData(machine);
  return { local: join(local, folderName), roaming: join(roaming, folderName) };
};

const isDataInRoaming = ({ local, roaming }: ReturnType<typeof getWindowsFolders>): boolean =>
  !existsSync(local) && existsSync(roaming) && !hasRoamingMark(roaming);

/** On Windows, returns the roaming profile until the data of an earlier version have been moved. */
export const getDefaultDataDir = (machine: Machine = getThisMachine()): string => {
  const { platform, env, home } = machine;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', folderName);
  if (platform !== 'win32') return join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'listing-companion');
  const folders = getWindowsFolders(machine);
  return isDataInRoaming(folders) ? folders.roaming : folders.local;
};

/**
 * Moves the data of an earlier version out of the roaming profile. If a file is in use, the data stay and the next
 * start retries.
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
      replaceFileSync(folders.roaming, folders.local, disk);
    } catch {
      return place;
    }
  }
  writeRoamingMark(folders.roaming);
  return { ...place, dataDir: folders.local };
};

export const removeDefaultRoamingMark = (
  { ownData }: Pick<FolderPlace, 'ownData'>,
  machine: Machine = getThisMachine(),
): void => {
  if (machine.platform === 'win32' && !ownData) removeRoamingMark(getWindowsFolders(machine).roaming);
};

/**
 * Returns the folder whose path names the keychain entries. For the default folder on Windows, this is the old folder
 * in the roaming profile, so that assistants keep their tokens after the move.
 */
export const getKeychainFolder = ({ dataDir, ownData }: FolderPlace, machine: Machine = getThisMachine()): string =>
  machine.platform === 'win32' && !ownData ? getWindowsFolders(machine).roaming : resolve(dataDir);

const isBelowFolder = (folder: string, parent: string): boolean => {
  const way = win32.relative(parent, folder);
  return !way.startsWith('..') && !win32.isAbsolute(way);
};

export const formatUnprotectedFolderWarning = (
  { dataDir, ownData }: FolderPlace,
  { platform, home }: Machine = getThisMachine(),
): string | null =>
  platform === 'win32' && ownData && !isBelowFolder(dataDir, home)
    ? `Other people of this computer may be able to read ${dataDir}: Windows protects only folders below ${home}. Choose a folder there for --data to keep your data to yourself.`
    : null;
