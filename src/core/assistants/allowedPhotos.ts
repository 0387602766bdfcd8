import { mapConcurrently } from '../base/semaphore.ts';
import { lstat, type FileHandle } from 'node:fs/promises';
import { dirname, isAbsolute, sep, basename, win32 } from 'node:path';
import { isInsideRoots, resolveRealPath, FileNotOpenedError, openFileInside } from '../photos/openInside.ts';
import { createProblem, toProblemView, type Problem, createProblemText } from '../base/problem.ts';
import type { SkippedPhoto } from '../storage/tables/begunCallsTable.ts';
import { findPhotosInPaths } from '../photos/findPhotos.ts';
import { getFolderWords } from '../photos/folderWords.ts';
import { splitFolderName } from '../photos/privateWords.ts';
import type { PrivatePart } from '../storage/tables/itemRecord.ts';
import { type PhotoIntake, maxPhotoBytes } from '../photos/photoIntake.ts';
import { headBytes, isPictureFormat, detectFormat } from '../../photoContract/detectFormat.ts';

const createFolderProblem = () => createProblem('FOLDER_NOT_ALLOWED');

const requireAbsolutePath = (path: string, field: string): string => {
  if (!isAbsolute(path) || path.includes('\0')) throw createProblem('INVALID_REQUEST.wholePath', { field });
  return path;
};

const toComparableRoot = (path: string): string => win32.parse(path).root.replaceAll('/', '\\').toLowerCase();

/**
 * Returns whether a Windows path is on a device or share without an allowed folder. Even `stat` on such a path would
 * send the person's credentials to another machine.
 */
export const isOnOtherMachine = (folders: readonly string[], path: string): boolean =>
  /^[\\/]{2}/.test(path) && !folders.some((folder) => toComparableRoot(folder) === toComparableRoot(path));

/** A dangling link or `..` could lead out of the allowed folders, so both count as outside. */
const isMissingPathInside = async (folders: string[], missing: string): Promise<boolean> => {
  if (missing.split(sep).includes('..')) return false;
  for (let at = missing; at !== dirname(at); at = dirname(at)) {
    const isLink = await lstat(at).then(
      (found) => found.isSymbolicLink(),
      () => false,
    );
    const real = await resolveRealPath(at);
    if (real !== null) return isInsideRoots(folders, real);
    if (isLink) return false;
  }
  return false;
};

/**
 * An assistant must not learn which files exist elsewhere, so `MISSING_PATH` is thrown only for paths inside the
 * allowed folders.
 */
const resolveInsideFolders = async (folders: string[], path: string): Promise<string> => {
  if (folders.length === 0 || (process.platform === 'win32' && isOnOtherMachine(folders, path)))
    throw createFolderProblem();
  const real = await resolveRealPath(path);
  if (real !== null && isInsideRoots(folders, real)) return real;
  if (real === null && (await isMissingPathInside(folders, path))) throw createProblem('MISSING_PATH.asked');
  throw createFolderProblem();
};

/** Removes folders that a link has replaced: the path of such a folder differs from its real path. */
const dropReplacedFolders = async (folders: string[]): Promise<string[]> => {
  const real = await Promise.all(folders.map(resolveRealPath));
  return folders.filter((folder, at) => real[at] === folder);
};

/** A private copy, so that no other process can change the bytes. */
export type CopiedPhoto = { name: string; source: string };
export type CopiedPhotos = {
  name: string;
  photos: CopiedPhoto[];
  left: SkippedPhoto[];
  /** Words from the folder's name. */
  note?: string;
  /** Parts of the folder's name that stay on this computer. */
  privateParts?: PrivatePart[];
};

/** Throws if the access of the assistant has ended. */
export type GetAllowedFolders = () => string[];

const maxPhotos = 100;
const maxConcurrentCopies = 4;

const createNotAPhotoProblem = () => createProblem('NOT_A_PHOTO');

/** The assistant learns only the name of the link, not its target. */
const toSkippedLink = (name: string): SkippedPhoto => {
  const { code, sentence } = createProblemText('LINK_OUTSIDE');
  return { name, code, error: sentence };
};

const toPhotoProblem = (error: unknown): Problem => {
  if (!(error instanceof FileNotOpenedError)) return createProblem('UNREADABLE_PHOTO', { cause: error });
  return error.why === 'outside' ? createFolderProblem() : createNotAPhotoProblem();
};

const requirePhotoFile = async (file: FileHandle): Promise<void> => {
  if ((await file.stat()).size > maxPhotoBytes) throw createProblem('PHOTO_TOO_LARGE');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  if (!isPictureFormat(await detectFormat(buffer.subarray(0, bytesRead)))) throw createNotAPhotoProblem();
};

const copyAllowedPhoto = async (
  intake: PhotoIntake,
  allowed: GetAllowedFolders,
  path: string,
): Promise<CopiedPhoto> => {
  const folders = await dropReplacedFolders(allowed());
  const real = await resolveInsideFolders(folders, path);
  const file = await openFileInside(folders, real).catch((error: unknown) => {
    throw toPhotoProblem(error);
  });
  try {
    await requirePhotoFile(file);
    // The file might grow during the copy, so limit the read.
    const bytes = file.createReadStream({ start: 0, end: maxPhotoBytes - 1, autoClose: false });
    const { uploadId } = await intake.receive(bytes);
    return { name: basename(real), source: await intake.take(uploadId) };
  } finally {
    await file.close();
  }
};

/** Creates the functions that copy local photos from allowed folders for an assistant. */
export const createAllowedPhotoCopier = (intake: PhotoIntake, readFolderPattern: () => string) => {
  const copyAllPhotos = async (name: string, allowed: GetAllowedFolders, paths: string[]): Promise<CopiedPhotos> => {
    if (paths.length > maxPhotos)
      throw createProblem('INVALID_REQUEST.mostPhotos', { field: 'photos', values: { most: maxPhotos } });
    const taken = await mapConcurrently(paths, maxConcurrentCopies, (path) =>
      copyAllowedPhoto(intake, allowed, path).catch((error: unknown): SkippedPhoto => {
        const { code, sentence } = toProblemView(error);
        return { name: basename(path), code, error: sentence };
      }),
    );
    return {
      name,
      photos: taken.filter((one): one is CopiedPhoto => 'source' in one),
      left: taken.filter((one): one is SkippedPhoto => 'code' in one),
    };
  };

  const discardCopiesUnlessAllowed = async (
    taken: CopiedPhotos,
    allowed: GetAllowedFolders,
    reals: string[],
  ): Promise<void> => {
    try {
      const folders = await dropReplacedFolders(allowed());
      // Access might have been revoked during the await, so check again.
      const now = new Set(allowed());
      const still = folders.filter((folder) => now.has(folder));
      if (!reals.every((real) => isInsideRoots(still, real))) throw createFolderProblem();
    } catch (error) {
      await Promise.all(taken.photos.map(({ source }) => intake.drop(source)));
      throw error;
    }
  };

  return {
    /** Copies the photos of a folder and its subfolders. Throws `FOLDER_NOT_ALLOWED`, `MISSING_PATH`. */
    copyFolder: async (allowed: GetAllowedFolders, folder: string): Promise<CopiedPhotos> => {
      const folders = await dropReplacedFolders(allowed());
      const real = await resolveInsideFolders(folders, requireAbsolutePath(folder, 'folder'));
      const { groups, skipped } = await findPhotosInPaths([real], { within: folders });
      const paths = groups.flatMap(({ photos }) => photos.map(({ path }) => path));
      const firstPhoto = paths[0] && basename(paths[0]);
      const { name, words, privateParts } = splitFolderName(basename(real), firstPhoto, readFolderPattern());
      const taken = await copyAllPhotos(name, allowed, paths);
      const links = skipped.filter(({ why }) => why === 'outside').map(({ name }) => toSkippedLink(name));
      // If a link replaced a file during the copy, the file is reported as a link.
      const left = taken.left.map((one) => (one.code === createFolderProblem().code ? toSkippedLink(one.name) : one));
      await discardCopiesUnlessAllowed(taken, allowed, [real]);
      return { ...taken, note: getFolderWords(words), privateParts, left: [...left, ...links.slice(0, maxPhotos)] };
    },
    /** Copies photos in the given order. Throws `FOLDER_NOT_ALLOWED`, `MISSING_PATH`. */
    copyPhotos: async (allowed: GetAllowedFolders, paths: string[]): Promise<CopiedPhotos> => {
      const folders = await dropReplacedFolders(allowed());
      const reals: string[] = [];
      for (const path of paths) reals.push(await resolveInsideFolders(folders, requireAbsolutePath(path, 'photos')));
      const taken = await copyAllPhotos(basename(paths[0] ?? '').replace(/\.[^.]+$/, ''), allowed, paths);
      await discardCopiesUnlessAllowed(taken, allowed, reals);
      return taken;
    },
  };
};
