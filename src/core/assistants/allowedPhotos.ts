import { mapConcurrently } from '../base/semaphore.ts';
import { lstat, type FileHandle } from 'node:fs/promises';
import { dirname, isAbsolute, sep, basename, win32 } from 'node:path';
import { isInsideRoots, resolveRealPath, FileNotOpenedError, openFileInside } from '../photos/openInside.ts';
import { createProblem, toProblemView, type Problem, createProblemText } from '../base/problem.ts';
import type { SkippedPhoto } from '../storage/tables/begunCallsTable.ts';
import { findPhotosInPaths } from '../photos/findPhotos.ts';
import { readFolderWords } from '../photos/folderWords.ts';
import { type PhotoIntake, maxPhotoBytes } from '../photos/photoIntake.ts';
import { headBytes, isPictureFormat, detectFormat } from '../../photoContract/detectFormat.ts';

const createFolderProblem = () => createProblem('FOLDER_NOT_ALLOWED');

/** Returns the path unchanged. Throws `INVALID_REQUEST` unless it is absolute. */
const requireAbsolutePath = (path: string, field: string): string => {
  if (!isAbsolute(path) || path.includes('\0')) throw createProblem('INVALID_REQUEST.wholePath', { field });
  return path;
};

const toComparableRoot = (path: string): string => win32.parse(path).root.replaceAll('/', '\\').toLowerCase();

/**
 * Returns whether a Windows path names a device or a share of another machine outside the allowed folders. Even
 * inspecting such a path would send the person's credentials to that machine.
 */
export const isOnOtherMachine = (folders: readonly string[], path: string): boolean =>
  /^[\\/]{2}/.test(path) && !folders.some((folder) => toComparableRoot(folder) === toComparableRoot(path));

/**
 * Returns whether a missing path would be inside the folders, judged by its nearest existing ancestor. A dangling link
 * and `..` count as outside.
 */
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
 * Resolves all links of a path. Throws `FOLDER_NOT_ALLOWED` for any path outside, existing or not, and `MISSING_PATH`
 * only for a path that would be inside: an assistant must not learn which files exist elsewhere.
 */
const resolveInsideFolders = async (folders: string[], path: string): Promise<string> => {
  if (folders.length === 0 || (process.platform === 'win32' && isOnOtherMachine(folders, path)))
    throw createFolderProblem();
  const real = await resolveRealPath(path);
  if (real !== null && isInsideRoots(folders, real)) return real;
  if (real === null && (await isMissingPathInside(folders, path))) throw createProblem('MISSING_PATH.asked');
  throw createFolderProblem();
};

/** Returns the allowed folders that still exist under their real path. A folder that was replaced by a link is excluded. */
const filterUnmovedFolders = async (folders: string[]): Promise<string[]> => {
  const real = await Promise.all(folders.map(resolveRealPath));
  return folders.filter((folder, at) => real[at] === folder);
};

/** A private copy of an accepted photo. No other process can change its bytes. */
export type CopiedPhoto = { name: string; source: string };
export type CopiedPhotos = {
  name: string;
  photos: CopiedPhoto[];
  left: SkippedPhoto[];
  /** The note derived from the folder's name. Assistants do not get text files beside the photos. */
  note?: string;
};

/** Returns the folders that the assistant may use now. Throws if its access has ended. */
export type ReadAllowedFolders = () => string[];

const maxPhotos = 100;
const maxConcurrentCopies = 4;

const createNotPhotoProblem = () => createProblem('NOT_A_PHOTO');

/** Reports a link to the outside by its own name; its target is not disclosed to the assistant. */
const describeOutsideLink = (name: string): SkippedPhoto => {
  const { code, sentence } = createProblemText('LINK_OUTSIDE');
  return { name, code, error: sentence };
};

const toPhotoProblem = (error: unknown): Problem => {
  if (!(error instanceof FileNotOpenedError)) return createProblem('UNREADABLE_PHOTO', { cause: error });
  return error.why === 'outside' ? createFolderProblem() : createNotPhotoProblem();
};

const checkPhotoFile = async (file: FileHandle): Promise<void> => {
  if ((await file.stat()).size > maxPhotoBytes) throw createProblem('PHOTO_TOO_LARGE');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  if (!isPictureFormat(await detectFormat(buffer.subarray(0, bytesRead)))) throw createNotPhotoProblem();
};

/** Copies one photo. Throws unless it is allowed at this moment. */
const copyAllowedPhoto = async (
  intake: PhotoIntake,
  allowed: ReadAllowedFolders,
  path: string,
): Promise<CopiedPhoto> => {
  const folders = await filterUnmovedFolders(allowed());
  const real = await resolveInsideFolders(folders, path);
  const file = await openFileInside(folders, real).catch((error: unknown) => {
    throw toPhotoProblem(error);
  });
  try {
    await checkPhotoFile(file);
    // Limit the read: the file may grow while it is copied.
    const bytes = file.createReadStream({ start: 0, end: maxPhotoBytes - 1, autoClose: false });
    const { uploadId } = await intake.receive(bytes);
    return { name: basename(real), source: await intake.find(uploadId) };
  } finally {
    await file.close();
  }
};

/** Creates the functions that copy local photos for an assistant, from allowed folders only. */
export const createAllowedPhotos = (intake: PhotoIntake) => {
  const copyAllPhotos = async (name: string, allowed: ReadAllowedFolders, paths: string[]): Promise<CopiedPhotos> => {
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

  /** Rechecks access after copying: discards the copies and throws if any of the real paths is no longer allowed. */
  const discardUnlessAllowed = async (
    taken: CopiedPhotos,
    allowed: ReadAllowedFolders,
    reals: string[],
  ): Promise<void> => {
    try {
      const folders = await filterUnmovedFolders(allowed());
      // Access may have been revoked while awaiting; check again.
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
    copyFolder: async (allowed: ReadAllowedFolders, folder: string): Promise<CopiedPhotos> => {
      const folders = await filterUnmovedFolders(allowed());
      const real = await resolveInsideFolders(folders, requireAbsolutePath(folder, 'folder'));
      const { groups, skipped } = await findPhotosInPaths([real], { within: folders });
      const paths = groups.flatMap(({ photos }) => photos.map(({ path }) => path));
      const taken = await copyAllPhotos(basename(real), allowed, paths);
      const links = skipped.filter(({ why }) => why === 'outside').map(({ name }) => describeOutsideLink(name));
      // A dangling link, or a file that was replaced by a link during the copy, is reported as a link to the outside.
      const left = taken.left.map((one) =>
        one.code === createFolderProblem().code ? describeOutsideLink(one.name) : one,
      );
      await discardUnlessAllowed(taken, allowed, [real]);
      return { ...taken, note: readFolderWords(basename(real)), left: [...left, ...links.slice(0, maxPhotos)] };
    },
    /**
     * Copies single photos in the given order and reports a reason for each file that is not a photo. Throws like
     * `copyFolder`.
     */
    copyPhotos: async (allowed: ReadAllowedFolders, paths: string[]): Promise<CopiedPhotos> => {
      const folders = await filterUnmovedFolders(allowed());
      const reals: string[] = [];
      for (const path of paths) reals.push(await resolveInsideFolders(folders, requireAbsolutePath(path, 'photos')));
      const taken = await copyAllPhotos(basename(paths[0] ?? '').replace(/\.[^.]+$/, ''), allowed, paths);
      await discardUnlessAllowed(taken, allowed, reals);
      return taken;
    },
  };
};
