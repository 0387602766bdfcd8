type Program = { platform: NodeJS.Platform; packaged: boolean };

/**
 * How the start at the login is set: by a file on Linux, which names the app's folder too; by the system's own list elsewhere;
 * null for a copy that is run by a bare Electron, as that list would start Electron with no app in it.
 */
export const loginItemBy = ({ platform, packaged }: Program): 'file' | 'system' | null => {
  if (platform === 'linux') return 'file';
  return packaged ? 'system' : null;
};
