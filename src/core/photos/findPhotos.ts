import {
  classifyFileName,
  parsePlaceholderName,
  type SkippedFile,
  isJunkFolder,
  isTextName,
  createPhotoGrouper,
  type FoundPhotos,
} from './groupFiles.ts';
import { compareFileNames } from '../../i18n/naturalOrder.ts';
import { headBytes, isPictureFormat, detectFormat, hasPhotoSignature } from '../../photoContract/detectFormat.ts';
import { FileNotOpenedError, openFileInside, type Roots, isInsideRoots, resolveRealPath } from './openInside.ts';
import { findDiskProblem } from '../base/problem.ts';
import { sortInSlices } from '../base/slices.ts';
import type { Dirent } from 'node:fs';
import { readdir, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setImmediate as immediate } from 'node:timers/promises';

/** `photo` includes a damaged file with the name of a picture, so that preparation refuses it with a clear message. */
export type FileVerdict = 'photo' | Exclude<SkippedFile['why'], 'unreadable_folder' | 'missing' | 'edited'>;

type ClassifyFile = (path: string, name: string, roots: Roots) => Promise<FileVerdict>;

/** Node uses this character for bytes in a name that are not valid UTF-8. Such a file cannot be opened. */
const hasUnreadableName = (name: string): boolean => name.includes('\uFFFD');

/** Throws errors of the machine, such as too many open files. Otherwise photos would be skipped silently. */
const throwIfMachineError = (error: unknown): void => {
  const passing = findDiskProblem(error);
  if (passing) throw passing;
};

/** Smaller files can be stored in the file table of NTFS or APFS itself, and then have no blocks either. */
const maxInlineBytes = 4_096;
const systemsWithOnlineFiles: readonly NodeJS.Platform[] = ['darwin', 'win32'];

/**
 * Returns whether only an online storage (iCloud, OneDrive, Dropbox) has the content of the file. Node does not show the
 * attributes that say so, but such a file has a size and no blocks. On Linux, such a file is a sparse file.
 */
const isOnlineOnlyFile = async (file: FileHandle, platform: NodeJS.Platform): Promise<boolean> => {
  if (!systemsWithOnlineFiles.includes(platform)) return false;
  const { size, blocks } = await file.stat();
  return blocks === 0 && size > maxInlineBytes;
};

/**
 * Creates a function that classifies a file by its first bytes. It reuses one buffer, so it must not be called
 * concurrently.
 */
export const createFileSniffer = (platform = process.platform): ClassifyFile => {
  const memory = Buffer.alloc(headBytes);
  /** Returns null if reading the file would wait for its download. */
  const readFileHead = async (path: string, roots: Roots): Promise<Buffer | null> => {
    const file = await openFileInside(roots, path);
    try {
      if (await isOnlineOnlyFile(file, platform)) return null;
      const { bytesRead } = await file.read(memory, 0, headBytes, 0);
      return memory.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  };
  return async (path: string, name: string, roots: Roots): Promise<FileVerdict> => {
    if (parsePlaceholderName(name) !== null) return 'in_icloud';
    const says = classifyFileName(name);
    if (says === 'junk') return 'junk';
    try {
      const head = await readFileHead(path, roots);
      if (head === null) return says === 'picture' ? 'online_only' : says === 'video' ? 'video' : 'not_a_photo';
      if (hasPhotoSignature(head)) return 'photo';
      const format = await detectFormat(head);
      if (format === 'video') return 'video';
      if (says === 'picture' || isPictureFormat(format)) return 'photo';
      return says === 'video' ? 'video' : 'not_a_photo';
    } catch (error) {
      if (error instanceof FileNotOpenedError) return error.why === 'outside' ? 'outside' : 'not_a_photo';
      throwIfMachineError(error);
      if (hasUnreadableName(name)) return 'unreadable_name';
      return says === 'picture' ? 'photo' : 'unreadable';
    }
  };
};

/** Reading this many files at once hides the delays of a slow disk and leaves file descriptors for other code. */
const maxOpenFiles = 8;
/** Other work runs after this many entries of a folder. */
const entriesPerSlice = 500;

type FindOptions = {
  signal?: AbortSignal;
  only?: ReadonlySet<string>;
  /** Nothing outside these real paths is read. The default is the given paths. */
  within?: readonly string[];
  platform?: NodeJS.Platform;
};
type FolderWalk = FindOptions & {
  grouping: ReturnType<typeof createPhotoGrouper>;
  seen: Set<string>;
  sniffers: ClassifyFile[];
};
/** `root` is the real path of the folder or file that the person chose. The file must be inside it. */
type FoundFile = { path: string; name: string; root: string };

const recordFirstVisit = (walk: FolderWalk, real: string): boolean => {
  if (walk.seen.has(real)) return false;
  walk.seen.add(real);
  return true;
};

const classifyFoundFiles = async (
  walk: FolderWalk,
  files: readonly FoundFile[],
  folder: string | null,
): Promise<void> => {
  const verdicts: FileVerdict[] = [];
  let next = 0;
  const classifyNextFiles = async (sniff: ClassifyFile): Promise<void> => {
    for (let at = next++; at < files.length; at = next++) {
      walk.signal?.throwIfAborted();
      const file = files[at];
      if (file) verdicts[at] = await sniff(file.path, file.name, [file.root]);
    }
  };
  await Promise.all(walk.sniffers.map(classifyNextFiles));
  for (const [at, file] of files.entries()) {
    const verdict = verdicts[at];
    if (verdict === 'photo') walk.grouping.add(file, folder, basename(folder ?? ''));
    else if (verdict === 'not_a_photo' && folder !== null && isTextName(file.name)) walk.grouping.addText(file, folder);
    else if (verdict)
      walk.grouping.skip({ path: file.path, name: parsePlaceholderName(file.name) ?? file.name, why: verdict });
  }
};

type EntryKind = 'folder' | 'file' | 'other';
type KindSource = Pick<Dirent, 'isDirectory' | 'isFile'>;

/** Devices, pipes and sockets are never opened, because reading them can hang. */
const getEntryKind = (found: KindSource): EntryKind =>
  found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other';

/** A path that does not exist counts as a file, so that the person gets an error about it. */
const readEntryKind = (path: string): Promise<EntryKind> => stat(path).then(getEntryKind, () => 'file');

/** A path that cannot be resolved is accepted here and checked when it is opened. */
const findEnclosingRoot = (roots: readonly string[], real: string | null): string | undefined =>
  roots.find((root) => real === null || isInsideRoots([root], real));

const collectFolderPhotos = async (walk: FolderWalk, folder: string, roots: readonly string[]): Promise<void> => {
  walk.signal?.throwIfAborted();
  const name = basename(folder);
  const real = await resolveRealPath(folder);
  // Every folder is checked again, because a link might have replaced it (TOCTOU).
  const root = findEnclosingRoot(roots, real);
  if (root === undefined) return walk.grouping.skip({ path: folder, name, why: 'outside' });
  if (!recordFirstVisit(walk, real ?? folder)) return;
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throwIfMachineError(error);
    return null;
  });
  if (entries === null)
    return walk.grouping.skip({
      path: folder,
      name,
      why: hasUnreadableName(name) ? 'unreadable_name' : 'unreadable_folder',
    });
  const files: FoundFile[] = [];
  const folders: string[] = [];
  const inOrder = await sortInSlices(entries, (one, other) => compareFileNames(one.name, other.name));
  for (const [at, entry] of inOrder.entries()) {
    if (at % entriesPerSlice === 0) await immediate();
    const path = join(folder, entry.name);
    const found = await classifyFolderEntry(walk, path, entry, roots);
    if (found === null) continue;
    if (typeof found === 'string') walk.grouping.skip({ path, name: entry.name, why: found });
    else if (found.kind === 'folder') folders.push(path);
    else if (recordFirstVisit(walk, found.real ?? join(real ?? folder, entry.name)))
      files.push({ path, name: entry.name, root: found.root ?? root });
  }
  await classifyFoundFiles(walk, files, folder);
  for (const inner of folders) await collectFolderPhotos(walk, inner, roots);
};

type FolderEntry = { kind: 'folder' | 'file'; real?: string; root?: string };

const classifyFolderEntry = async (
  walk: FolderWalk,
  path: string,
  entry: Dirent,
  roots: readonly string[],
): Promise<FolderEntry | 'not_a_photo' | 'junk' | 'outside' | null> => {
  const link = entry.isSymbolicLink();
  const kind = link ? await readEntryKind(path) : getEntryKind(entry);
  if (kind === 'folder' && isJunkFolder(entry.name)) return 'junk';
  if (kind !== 'folder' && walk.only?.has(path) === false) return null;
  const real = link ? await resolveRealPath(path) : null;
  const root = link ? findEnclosingRoot(roots, real) : undefined;
  if (link && root === undefined) return classifyFileName(entry.name) === 'junk' ? 'junk' : 'outside';
  if (kind === 'other') return 'not_a_photo';
  return { kind, ...(real === null ? {} : { real }), ...(root === undefined ? {} : { root }) };
};

/**
 * Finds photos in files, folders and subfolders. Links are followed only inside the given paths. Rejects with
 * `MACHINE_BUSY` or the signal's reason, but never because of a bad path.
 */
export const findPhotosInPaths = async (paths: readonly string[], options: FindOptions = {}): Promise<FoundPhotos> => {
  const sniffers = Array.from({ length: maxOpenFiles }, () => createFileSniffer(options.platform));
  const walk: FolderWalk = { ...options, grouping: createPhotoGrouper(), seen: new Set(), sniffers };
  const single: FoundFile[] = [];
  for (const given of paths) {
    // Removes a slash at the end of the path. Only a root, such as `/`, has no base name.
    const path = basename(given) === '' ? given : join(dirname(given), basename(given));
    const name = basename(path);
    const kind = await readEntryKind(path);
    const real = await resolveRealPath(path);
    const roots = walk.within ?? [real ?? path];
    const root = findEnclosingRoot(roots, real);
    if (root === undefined) walk.grouping.skip({ path, name, why: 'outside' });
    else if (kind === 'folder') await collectFolderPhotos(walk, path, roots);
    else if (kind === 'other') walk.grouping.skip({ path, name, why: 'not_a_photo' });
    else if (recordFirstVisit(walk, real ?? path)) single.push({ path, name, root });
  }
  await classifyFoundFiles(walk, single, null);
  return walk.grouping.found();
};
