import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve, win32 } from 'node:path';
import { putInPlaceSync } from '../disk/changeFiles.ts';
import { systemDisk, type Disk } from '../disk/disk.ts';
import { isRoamingMark, leaveRoamingMark, removeRoamingMark } from './roamingMark.ts';

/** The computer and the user that a data folder is chosen for. */
export type Machine = { platform: NodeJS.Platform; env: NodeJS.ProcessEnv; home: string };

/** This computer, with the user who runs this process. */
export const thisMachine = (): Machine => ({ platform: process.platform, env: process.env, home: homedir() });

/** A data folder, and whether the person named it. */
export type Place = { dataDir: string; ownData: boolean };

const folderName = 'Listing Companion';

/** Where programs of Windows keep what is this computer's, and what follows the user to other computers. */
export const windowsAppData = ({ env, home }: Pick<Machine, 'env' | 'home'>): Record<'local' | 'roaming', string> => ({
  local: env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'),
  roaming: env['APPDATA'] || join(home, 'AppData', 'Roaming'),
});

/** A roaming profile is copied over the network at every login: a database and photos do not belong there. */
const windowsFolders = (machine: Machine): Record<'local' | 'roaming', string> => {
  const { local, roaming } = windowsAppData(machine);
  return { local: join(local, folderName), roaming: join(roaming, folderName) };
};

/** Whether the data lie in the roaming profile, where earlier versions kept them. */
const isInRoaming = ({ local, roaming }: ReturnType<typeof windowsFolders>): boolean =>
  !existsSync(local) && existsSync(roaming) && !isRoamingMark(roaming);

/**
 * Where the companion keeps its data when the person names no folder, by the conventions of the platform. On Windows this is the
 * roaming profile as long as data of an earlier version could not be moved from there.
 */
export const defaultDataDir = (machine: Machine = thisMachine()): string => {
  const { platform, env, home } = machine;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', folderName);
  if (platform !== 'win32') return join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'listing-companion');
  const folders = windowsFolders(machine);
  return isInRoaming(folders) ? folders.roaming : folders.local;
};

/**
 * The place with the data where they belong: on Windows, data of an earlier version are moved out of the roaming profile by one
 * rename, so that all of them are in one place at every moment. Where that fails, as other programs hold a file or the profile
 * lies on another drive, the data stay where they are and the next start tries again. An earlier version that is installed again
 * refuses to start, as its place says that a later one was here.
 */
export const moveRoamingData = <P extends Place>(
  place: P,
  machine: Machine = thisMachine(),
  disk: Disk = systemDisk,
): P => {
  if (machine.platform !== 'win32' || place.ownData) return place;
  const folders = windowsFolders(machine);
  if (isInRoaming(folders)) {
    try {
      putInPlaceSync(folders.roaming, folders.local, disk);
    } catch {
      return place;
    }
  }
  leaveRoamingMark(folders.roaming);
  return { ...place, dataDir: folders.local };
};

/** Removes what the companion left outside of its data folder. */
export const forgetRoamingMark = ({ ownData }: Pick<Place, 'ownData'>, machine: Machine = thisMachine()): void => {
  if (machine.platform === 'win32' && !ownData) removeRoamingMark(windowsFolders(machine).roaming);
};

/**
 * What names a data folder in the keychain. The usual one on Windows keeps the name that it had in the roaming profile, so that
 * assistants keep their tokens when it is moved.
 */
export const keychainPlaceOf = ({ dataDir, ownData }: Place, machine: Machine = thisMachine()): string =>
  machine.platform === 'win32' && !ownData ? windowsFolders(machine).roaming : resolve(dataDir);

const isBelow = (folder: string, parent: string): boolean => {
  const way = win32.relative(parent, folder);
  return !way.startsWith('..') && !win32.isAbsolute(way);
};

/** A sentence for the person whose data folder other people of this computer may be able to read; null where they cannot. */
export const readableFolderWarning = (
  { dataDir, ownData }: Place,
  { platform, home }: Machine = thisMachine(),
): string | null =>
  platform === 'win32' && ownData && !isBelow(dataDir, home)
    ? `Other people of this computer may be able to read ${dataDir}: Windows protects only folders below ${home}. Choose a folder there for --data to keep your data to yourself.`
    : null;
