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

/** A path that an assistant gave, as it came. Throws `INVALID_REQUEST` for one that does not begin at the root. */
const absolute = (path: string, field: string): string => {
  if (!isAbsolute(path) || path.includes('\0')) throw problem('INVALID_REQUEST.wholePath', { field });
  return path;
};

const rootOf = (path: string): string => win32.parse(path).root.replaceAll('/', '\\').toLowerCase();

/**
 * Whether a path of Windows names a share of another machine, or a device, on which none of the folders lies. Only to look
 * at one is to sign in there as the person.
 */
export const isOnOtherMachine = (folders: readonly string[], path: string): boolean =>
  /^[\\/]{2}/.test(path) && !folders.some((folder) => rootOf(folder) === rootOf(path));

/** Whether what is missing would lie inside: asked of the nearest place that is there. A link that leads nowhere leads out, and so does `..`. */
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
 * Where a path leads once every link is followed. Throws `FOLDER_NOT_ALLOWED` for what is outside, whether it is there
 * or not, and `MISSING_PATH` only for what would lie inside.
 */
const realInside = async (folders: string[], path: string): Promise<string> => {
  if (folders.length === 0 || (process.platform === 'win32' && isOnOtherMachine(folders, path))) throw notAllowed();
  const real = await realOf(path);
  if (real !== null && isInside(folders, real)) return real;
  if (real === null && (await wouldBeInside(folders, path))) throw problem('MISSING_PATH.asked');
  throw notAllowed();
};

/** The allowed folders that are still there. One that a link has taken the place of since leads elsewhere, and is not. */
const realFolders = async (folders: string[]): Promise<string[]> => {
  const real = await Promise.all(folders.map(realOf));
  return folders.filter((folder, at) => real[at] === folder);
};

/** A photo that was let in: a copy of its bytes, which nobody else can change any more. */
export type TakenPhoto = { name: string; source: string };
export type TakenPhotos = {
  name: string;
  photos: TakenPhoto[];
  left: LeftPhoto[];
  /** What a whole folder says of its photos by its name. Text files beside them are not for assistants. */
  note?: string;
};

/** The folders that an assistant may use at this moment. Throws where it may use none any more. */
export type Allowed = () => string[];

const mostPhotos = 100;
const openAtOnce = 4;

const notAPhoto = () => problem('NOT_A_PHOTO');

/** A link that leads outside is named by its own name; where it leads is not for an assistant. */
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

/** Copies one photo, if it may be used at this moment. */
const copy = async (intake: Intake, allowed: Allowed, path: string): Promise<TakenPhoto> => {
  const folders = await realFolders(allowed());
  const real = await realInside(folders, path);
  const file = await openInside(folders, real).catch((error: unknown) => {
    throw problemOf(error);
  });
  try {
    await checkOpened(file);
    // A file that grows while it is read is read no further than a photo may go.
    const bytes = file.createReadStream({ start: 0, end: mostPhotoBytes - 1, autoClose: false });
    const { uploadId } = await intake.receive(bytes);
    return { name: basename(real), source: await intake.find(uploadId) };
  } finally {
    await file.close();
  }
};

/** Takes photos from this machine for an assistant: only out of folders that the person allowed, and only photos. */
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

  /**
   * Copying takes its time: what was not allowed any more at its end, or became so on its way, comes to nothing. `reals`
   * are the real paths of what was asked for.
   */
  const onlyIfStillAllowed = async (taken: TakenPhotos, allowed: Allowed, reals: string[]): Promise<void> => {
    try {
      const folders = await realFolders(allowed());
      // That took its time as well.
      const now = new Set(allowed());
      const still = folders.filter((folder) => now.has(folder));
      if (!reals.every((real) => isInside(still, real))) throw notAllowed();
    } catch (error) {
      await Promise.all(taken.photos.map(({ source }) => intake.drop(source)));
      throw error;
    }
  };

  return {
    /** Copies of the photos of one folder, its own folders included. Throws `FOLDER_NOT_ALLOWED`, `MISSING_PATH`. */
    folder: async (allowed: Allowed, folder: string): Promise<TakenPhotos> => {
      const folders = await realFolders(allowed());
      const real = await realInside(folders, absolute(folder, 'folder'));
      const { groups, skipped } = await findPhotos([real], { within: folders });
      const paths = groups.flatMap(({ photos }) => photos.map(({ path }) => path));
      const taken = await copyAll(basename(real), allowed, paths);
      const links = skipped.filter(({ why }) => why === 'outside').map(({ name }) => linkOutside(name));
      // What leads nowhere, or was swapped for a link meanwhile, leads outside as far as anybody knows.
      const left = taken.left.map((one) => (one.code === notAllowed().code ? linkOutside(one.name) : one));
      await onlyIfStillAllowed(taken, allowed, [real]);
      return { ...taken, note: wordsOfFolder(basename(real)), left: [...left, ...links.slice(0, mostPhotos)] };
    },
    /** Copies of single photos, in the order given. One that is no photo is left with its reason. Throws as above. */
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
