import type { CompanionWindow } from '../../../ipc/calls.ts';

/** A file of a drop, with its path below what was dropped: `fox figurine/front.jpg`. */
export type Dropped = { file: File; relativePath: string };

const photoEnding = /\.(jpe?g|png|webp|heic|heif|hif|avif|tiff?|gif|bmp|dng)$/i;
const hasEnding = /\.[a-z0-9]{1,5}$/i;

/** Whether it is worth sending: the core looks at the content; this only keeps films and documents at home. */
export const mayBePhoto = (name: string, type: string): boolean =>
  !name.startsWith('.') && (type.startsWith('image/') || photoEnding.test(name) || (!type && !hasEnding.test(name)));

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/** All entries of a folder: `readEntries` answers at most a hundred at a time, and none at the end. */
const entriesOf = async (folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> => {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
};

const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

const walk = async (entry: FileSystemEntry): Promise<Dropped[]> => {
  if (isFileEntry(entry)) return [{ file: await fileOf(entry), relativePath: entry.fullPath.replace(/^\//, '') }];
  const found: Dropped[] = [];
  if (isFolder(entry)) for (const inside of await entriesOf(entry)) found.push(...(await walk(inside)));
  return found;
};

/** Every file of a drop, folders walked. The entries must be taken before the event ends, so the first part is synchronous. */
export const readDrop = (transfer: DataTransfer): Promise<Dropped[]> => {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry());
  const files = [...transfer.files];
  return entries.some((entry) => entry !== null)
    ? Promise.all(entries.filter((entry) => entry !== null).map(walk)).then((all) => all.flat())
    : Promise.resolve(fromFiles(files));
};

/** The files of a file input; those of a folder know their path below it. */
export const fromFiles = (files: readonly File[]): Dropped[] =>
  files.map((file) => ({ file, relativePath: file.webkitRelativePath || file.name }));

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
