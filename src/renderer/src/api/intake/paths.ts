import type { CompanionWindow } from '../../../../ipc/calls.ts';

/**
 * The paths to take in, where the host knows them: of a folder that was chosen, the folder itself, so that its photos
 * stay together. Empty where files have no path (a browser).
 */
export const pathsOf = (files: readonly File[], pathOf: CompanionWindow['pathOf']): string[] => {
  if (!pathOf) return [];
  const paths = files.map((file) => rootOf(pathOf(file), file.webkitRelativePath)).filter((path) => path !== '');
  return [...new Set(paths)];
};

/** `/home/a/fox/front.jpg` below `fox/front.jpg` → `/home/a/fox`. */
const rootOf = (path: string, relative: string): string => {
  const [folder] = relative.split('/');
  if (!folder || !path.replaceAll('\\', '/').endsWith(relative)) return path;
  return path.slice(0, path.length - relative.length + folder.length);
};
