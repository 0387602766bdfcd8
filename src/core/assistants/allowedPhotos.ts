import { mapConcurrently } from '../base/semaphore.ts';
import { lstat, type FileHandle } from 'node:fs/promises';
import { dirname, isAbsolute, sep, basename } from 'node:path';
import { isInside, realOf, NotOpened, openInside } from '../photos/openInside.ts';
import { problem, problemView, type Problem, problemText } from '../base/problem.ts';
import { findPhotos } from '../photos/findPhotos.ts';
import { type Intake, mostPhotoBytes } from '../photos/intake.ts';
import { headBytes, isPicture, detectFormat } from '../../photoContract/detectFormat.ts';

const notAllowed = () => problem('FOLDER_NOT_ALLOWED');

/** A path that an assistant gave, as it came. Throws `INVALID_REQUEST` for one that does not begin at the root. */
const absolute = (path: string, field: string): string => {
  if (!isAbsolute(path) || path.includes('\0')) throw problem('INVALID_REQUEST.wholePath', { field });
  return path;
};

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
export type LeftPhoto = { name: string; code: string; error: string };
export type TakenPhotos = { name: string; photos: TakenPhoto[]; left: LeftPhoto[] };

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

/** Takes photos from this machine for an assistant: only out of folders that the person allowed, and only photos. */
export const createAllowedPhotos = (intake: Intake) => {
  const copy = async (folders: string[], path: string): Promise<TakenPhoto> => {
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

  const copyAll = async (name: string, folders: string[], paths: string[]): Promise<TakenPhotos> => {
    if (paths.length > mostPhotos)
      throw problem('INVALID_REQUEST.mostPhotos', { field: 'photos', values: { most: mostPhotos } });
    const taken = await mapConcurrently(paths, openAtOnce, (path) =>
      copy(folders, path).catch((error: unknown): LeftPhoto => {
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

  return {
    /** Copies of the photos of one folder, its own folders included. Throws `FOLDER_NOT_ALLOWED`, `MISSING_PATH`. */
    folder: async (allowed: string[], folder: string): Promise<TakenPhotos> => {
      const folders = await realFolders(allowed);
      const real = await realInside(folders, absolute(folder, 'folder'));
      const { groups, skipped } = await findPhotos([real], { within: folders });
      const paths = groups.flatMap(({ photos }) => photos.map(({ path }) => path));
      const taken = await copyAll(basename(real), folders, paths);
      const links = skipped.filter(({ why }) => why === 'outside').map(({ name }) => linkOutside(name));
      // What leads nowhere, or was swapped for a link meanwhile, leads outside as far as anybody knows.
      const left = taken.left.map((one) => (one.code === notAllowed().code ? linkOutside(one.name) : one));
      return { ...taken, left: [...left, ...links.slice(0, mostPhotos)] };
    },
    /** Copies of single photos, in the order given. One that is no photo is left with its reason. Throws as above. */
    photos: async (allowed: string[], paths: string[]): Promise<TakenPhotos> => {
      const folders = await realFolders(allowed);
      for (const path of paths) await realInside(folders, absolute(path, 'photos'));
      return copyAll(basename(paths[0] ?? '').replace(/\.[^.]+$/, ''), folders, paths);
    },
  };
};
