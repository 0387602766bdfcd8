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
