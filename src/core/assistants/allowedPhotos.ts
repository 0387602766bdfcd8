import { mapConcurrently } from '../base/semaphore.ts';
import { lstat, type FileHandle } from 'node:fs/promises';
import { dirname, isAbsolute, sep, basename, win32 } from 'node:path';
import { isInside, realOf, NotOpened, openInside } from '../photos/openInside.ts';
import { problem, problemView, type Problem, problemText } from '../base/problem.ts';
import type { LeftPhoto } from '../storage/tables/begunCallsTable.ts';
import { findPhotos } from '../photos/findPhotos.ts';
import { wordsOfFolder } from '../photos/folderWords.ts';
import { type Intake, mostPhotoBytes } from '../photos/intake.ts';
import { headBytes, isPicture, detectFormat } from '../../photoContract/detectFormat.ts';

const notAllowed = () => problem('FOLDER_NOT_ALLOWED');

/** Returns the path unchanged. Throws `INVALID_REQUEST` unless it is absolute. */
const absolute = (path: string, field: string): string => {
  if (!isAbsolute(path) || path.includes('\0')) throw problem('INVALID_REQUEST.wholePath', { field });
  return path;
};

const rootOf = (path: string): string => win32.parse(path).root.replaceAll('/', '\\').toLowerCase();

/**
 * Returns whether a Windows path names a device or a share of another machine outside the allowed folders. Even
 * inspecting such a path would send the person's credentials to that machine.
 */
export const isOnOtherMachine = (folders: readonly string[], path: string): boolean =>
  /^[\\/]{2}/.test(path) && !folders.some((folder) => rootOf(folder) === rootOf(path));

/**
 * Returns whether a missing path would be inside the folders, judged by its nearest existing ancestor. A dangling link
 * and `..` count as outside.
 */
const wouldBeInside = async (folders: string[], missing: string): Promise<boolean> => {
  if (missing.split(sep).includes('..')) return false;
  for (let at = missing; at !== dirname(at); at = dirname(at)) {
    const isLink = await lstat(at).then(
      (found) => found.isSymbolicLink(),
      () => false,
    );
    const real = await realOf(at);
    if (real !== null) return isInside(folders, real);
    if (isLink) return false;
  }
  return false;
};

/**
 * Resolves all links of a path. Throws `FOLDER_NOT_ALLOWED` for any path outside, existing or not, and `MISSING_PATH`
 * only for a path that would be inside: an assistant must not learn which files exist elsewhere.
 */
const realInside = async (folders: string[], path: string): Promise<string> => {
  if (folders.length === 0 || (process.platform === 'win32' && isOnOtherMachine(folders, path))) throw notAllowed();
  const real = await realOf(path);
  if (real !== null && isInside(folders, real)) return real;
  if (real === null && (await wouldBeInside(folders, path))) throw problem('MISSING_PATH.asked');
  throw notAllowed();
};

/** Returns the allowed folders that still exist under their real path. A folder that was replaced by a link is excluded. */
const realFolders = async (folders: string[]): Promise<string[]> => {
  const real = await Promise.all(folders.map(realOf));
  return folders.filter((folder, at) => real[at] === folder);
};

/** A private copy of an accepted photo. No other process can change its bytes. */
export type TakenPhoto = { name: string; source: string };
export type TakenPhotos = {
  name: string;
  photos: TakenPhoto[];
  left: LeftPhoto[];
  /** The note derived from the folder's name. Assistants do not get text files beside the photos. */
  note?: string;
};

/** Returns the folders that the assistant may use now. Throws if its access has ended. */
export type Allowed = () => string[];

const mostPhotos = 100;
const openAtOnce = 4;

const notAPhoto = () => problem('NOT_A_PHOTO');

/** Reports a link to the outside by its own name; its target is not disclosed to the assistant. */
const linkOutside = (name: string): LeftPhoto => {
  const { code, sentence } = problemText('LINK_OUTSIDE');
  return { name, code, error: sentence };
};

const problemOf = (error: unknown): Problem => {
  if (!(error instanceof NotOpened)) return problem('UNREADABLE_PHOTO', { cause: error });
  return error.why === 'outside' ? notAllowed() : notAPhoto();
};

const checkOpened = async (file: FileHandle): Promise<void> => {
  if ((await file.stat()).size > mostPhotoBytes) throw problem('PHOTO_TOO_LARGE');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  if (!isPicture(await detectFormat(buffer.subarray(0, bytesRead)))) throw notAPhoto();
};

/** Copies one photo. Throws unless it is allowed at this moment. */
const copy = async (intake: Intake, allowed: Allowed, path: string): Promise<TakenPhoto> => {
  const folders = await realFolders(allowed());
  const real = await realInside(folders, path);
  const file = await openInside(folders, real).catch((error: unknown) => {
    throw problemOf(error);
  });
  try {
    await checkOpened(file);
    // Limit the read: the file may grow while it is copied.
    const bytes = file.createReadStream({ start: 0, end: mostPhotoBytes - 1, autoClose: false });
    const { uploadId } = await intake.receive(bytes);
    return { name: basename(real), source: await intake.find(uploadId) };
  } finally {
    await file.close();
  }
};

/** Creates the functions that copy local photos for an assistant, from allowed folders only. */
export const createAllowedPhotos = (intake: Intake) => {
  const copyAll = async (name: string, allowed: Allowed, paths: string[]): Promise<TakenPhotos> => {
    if (paths.length > mostPhotos)
      throw problem('INVALID_REQUEST.mostPhotos', { field: 'photos', values: { most: mostPhotos } });
    const taken = await mapConcurrently(paths, openAtOnce, (path) =>
      copy(intake, allowed, path).catch((error: unknown): LeftPhoto => {
        const { code, sentence } = problemView(error);
        return { name: basename(path), code, error: sentence };
      }),
    );
    return {
      name,
      photos: taken.filter((one): one is TakenPhoto => 'source' in one),
      left: taken.filter((one): one is LeftPhoto => 'code' in one),
    };
  };

  /** Rechecks access after copying: discards the copies and throws if any of the real paths is no longer allowed. */
  const onlyIfStillAllowed = async (taken: TakenPhotos, allowed: Allowed, reals: string[]): Promise<void> => {
    try {
      const folders = await realFolders(allowed());
      // Access may have been revoked while awaiting; check again.
      const now = new Set(allowed());
      const still = folders.filter((folder) => now.has(folder));
      if (!reals.every((real) => isInside(still, real))) throw notAllowed();
    } catch (error) {
      await Promise.all(taken.photos.map(({ source }) => intake.drop(source)));
      throw error;
    }
  };

  return {
    /** Copies the photos of a folder and its subfolders. Throws `FOLDER_NOT_ALLOWED`, `MISSING_PATH`. */
    folder: async (allowed: Allowed, folder: string): Promise<TakenPhotos> => {
      const folders = await realFolders(allowed());
      const real = await realInside(folders, absolute(folder, 'folder'));
      const { groups, skipped } = await findPhotos([real], { within: folders });
      const paths = groups.flatMap(({ photos }) => photos.map(({ path }) => path));
      const taken = await copyAll(basename(real), allowed, paths);
      const links = skipped.filter(({ why }) => why === 'outside').map(({ name }) => linkOutside(name));
      // A dangling link, or a file that was replaced by a link during the copy, is reported as a link to the outside.
      const left = taken.left.map((one) => (one.code === notAllowed().code ? linkOutside(one.name) : one));
      await onlyIfStillAllowed(taken, allowed, [real]);
      return { ...taken, note: wordsOfFolder(basename(real)), left: [...left, ...links.slice(0, mostPhotos)] };
    },
    /**
     * Copies single photos in the given order and reports a reason for each file that is not a photo. Throws like
     * `copyFolder`.
     */
    photos: async (allowed: Allowed, paths: string[]): Promise<TakenPhotos> => {
      const folders = await realFolders(allowed());
      const reals: string[] = [];
      for (const path of paths) reals.push(await realInside(folders, absolute(path, 'photos')));
      const taken = await copyAll(basename(paths[0] ?? '').replace(/\.[^.]+$/, ''), allowed, paths);
      await onlyIfStillAllowed(taken, allowed, reals);
      return taken;
    },
  };
};
