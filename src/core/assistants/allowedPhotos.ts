import { constants } from 'node:fs';
import { open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { findPhotos } from '../photos/findPhotos.ts';
import type { Intake } from '../photos/intake.ts';
import { mostPhotoBytes } from '../photos/photoBody.ts';
import { headBytes, isPicture, looksLike } from '../photos/looksLike.ts';
import { problem, problemView } from '../problem.ts';
import { absolute, filesInside, isInside, notAllowed, realFolders, realInside } from './allowedPlaces.ts';

/** A photo that was let in: a copy of its bytes, which nobody else can change any more. */
export type TakenPhoto = { name: string; source: string };
export type LeftPhoto = { name: string; code: string; error: string };
export type TakenPhotos = { name: string; photos: TakenPhoto[]; left: LeftPhoto[] };

const mostPhotos = 100;
const openAtOnce = 4;

const notAPhoto = () => problem('NOT_A_PHOTO');

/** The path of what was opened really, after every link that somebody may have put there in the meantime. */
const openedPath = async (file: FileHandle, path: string): Promise<string | null> => {
  if (process.platform === 'linux') return realpath(`/proc/self/fd/${file.fd}`).catch(() => null);
  const [real, there, opened] = await Promise.all([realpath(path), stat(path), file.stat()]).catch(() => []);
  return there?.ino === opened?.ino && there?.dev === opened?.dev ? (real ?? null) : null;
};

const checkOpened = async (file: FileHandle, folders: string[], path: string): Promise<void> => {
  const opened = await openedPath(file, path);
  if (opened === null || !isInside(folders, opened)) throw notAllowed();
  const found = await file.stat();
  // What was a file a moment ago may be a pipe now.
  if (!found.isFile()) throw notAPhoto();
  if (found.size > mostPhotoBytes) throw problem('PHOTO_TOO_LARGE');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  if (!isPicture(await looksLike(buffer.subarray(0, bytesRead)))) throw notAPhoto();
};

const openFile = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)).catch((cause: unknown) => {
    throw problem('UNREADABLE_PHOTO', { cause });
  });

/** Takes photos from this machine for an assistant: only out of folders that the person allowed, and only photos. */
export const createAllowedPhotos = (intake: Intake) => {
  const copy = async (folders: string[], path: string): Promise<TakenPhoto> => {
    const real = await realInside(folders, path);
    if (!(await stat(real)).isFile()) throw notAPhoto();
    const file = await openFile(real);
    try {
      await checkOpened(file, folders, real);
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
    const taken: (TakenPhoto | LeftPhoto)[] = [];
    const line = [...paths.entries()];
    const work = async (): Promise<void> => {
      for (let next = line.shift(); next; next = line.shift()) {
        const [index, path] = next;
        taken[index] = await copy(folders, path).catch((error: unknown) => {
          const { code, sentence } = problemView(error);
          return { name: basename(path), code, error: sentence };
        });
      }
    };
    await Promise.all(Array.from({ length: openAtOnce }, work));
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
      const { groups } = await findPhotos(await filesInside(folders, real));
      const paths = groups.flatMap(({ photos }) => photos.map(({ path }) => path));
      const taken = await copyAll(basename(real), folders, paths);
      // What turned out to lie outside was never named by the assistant, and is not named to it.
      return { ...taken, left: taken.left.filter(({ code }) => code !== notAllowed().code) };
    },
    /** Copies of single photos, in the order given. One that is no photo is left with its reason. Throws as above. */
    photos: async (allowed: string[], paths: string[]): Promise<TakenPhotos> => {
      const folders = await realFolders(allowed);
      for (const path of paths) await realInside(folders, absolute(path, 'photos'));
      return copyAll(basename(paths[0] ?? '').replace(/\.[^.]+$/, ''), folders, paths);
    },
  };
};
