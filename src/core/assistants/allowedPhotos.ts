import { constants } from 'node:fs';
import { open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { basename, isAbsolute, sep } from 'node:path';
import { findPhotos } from '../photos/findPhotos.ts';
import type { Intake } from '../photos/intake.ts';
import { headBytes, isPicture, looksLike } from '../photos/looksLike.ts';
import { Problem, problemView } from '../problem.ts';

/** A photo that was let in: a copy of its bytes, which nobody else can change any more. */
export type TakenPhoto = { name: string; source: string };
export type LeftPhoto = { name: string; code: string; error: string };
export type TakenPhotos = { name: string; photos: TakenPhoto[]; left: LeftPhoto[] };

export const mostPhotoBytes = 64 * 2 ** 20;
const mostPhotos = 100;
const openAtOnce = 4;

const notAllowed = () =>
  new Problem(
    'FOLDER_NOT_ALLOWED',
    'The person has not allowed this folder. Ask them to allow it in the companion, under Assistants.',
  );
const absolute = (path: string, field: string): string => {
  if (!isAbsolute(path) || path.includes('\0'))
    throw new Problem('INVALID_REQUEST', 'Give the whole path, beginning at the root.', { field });
  return path;
};

const isInside = (folders: string[], path: string): boolean =>
  folders.some((folder) => path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep));

/** Where a path leads once every link is followed. What is outside and what is missing look the same from outside. */
const realInside = async (folders: string[], path: string): Promise<string> => {
  const real = await realpath(path).catch(() => null);
  if (real !== null && isInside(folders, real)) return real;
  // Only somebody who may look into the folder learns that the file is not there.
  if (real === null && isInside(folders, path) && !path.split(sep).includes('..'))
    throw new Problem('MISSING_PATH', 'There is no such file or folder.');
  throw notAllowed();
};

/** The path of what was opened really, after every link that somebody may have put there in the meantime. */
const openedPath = async (file: FileHandle, path: string): Promise<string | null> => {
  if (process.platform === 'linux') return realpath(`/proc/self/fd/${file.fd}`).catch(() => null);
  const [real, there, opened] = await Promise.all([realpath(path), stat(path), file.stat()]).catch(() => []);
  return there?.ino === opened?.ino && there?.dev === opened?.dev ? (real ?? null) : null;
};

const checkOpened = async (file: FileHandle, folders: string[], path: string): Promise<void> => {
  const opened = await openedPath(file, path);
  if (opened === null || !isInside(folders, opened)) throw notAllowed();
  const { size } = await file.stat();
  if (size > mostPhotoBytes) throw new Problem('PHOTO_TOO_LARGE', 'A photo may have at most 64 MiB.');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  if (!isPicture(await looksLike(buffer.subarray(0, bytesRead))))
    throw new Problem('NOT_A_PHOTO', 'This is not a photo.');
};

/** Takes photos from this machine for an assistant: only out of folders that the person allowed, and only photos. */
export const createAllowedPhotos = (intake: Intake) => {
  const copy = async (folders: string[], path: string): Promise<TakenPhoto> => {
    const real = await realInside(folders, path);
    if (!(await stat(real)).isFile()) throw new Problem('NOT_A_PHOTO', 'This is not a photo.');
    const file = await open(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      await checkOpened(file, folders, real);
      const { uploadId } = await intake.receive(file.createReadStream({ start: 0, autoClose: false }));
      return { name: basename(real), source: await intake.find(uploadId) };
    } finally {
      await file.close();
    }
  };

  const copyAll = async (name: string, folders: string[], paths: string[]): Promise<TakenPhotos> => {
    if (paths.length > mostPhotos)
      throw new Problem('INVALID_REQUEST', `At most ${mostPhotos} photos make one item.`, { field: 'photos' });
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

  const realFolders = async (folders: string[]): Promise<string[]> =>
    (await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)))).filter((one) => one !== null);

  return {
    /** Copies of the photos of one folder, its own folders included. Throws `FOLDER_NOT_ALLOWED`, `MISSING_PATH`. */
    folder: async (allowed: string[], folder: string): Promise<TakenPhotos> => {
      const folders = await realFolders(allowed);
      const real = await realInside(folders, absolute(folder, 'folder'));
      const { groups } = await findPhotos([real]);
      const paths = groups.flatMap(({ photos }) => photos.map(({ path }) => path));
      return copyAll(basename(real), folders, paths);
    },
    /** Copies of single photos, in the order given. One that may not be taken is left with its reason. */
    photos: async (allowed: string[], paths: string[]): Promise<TakenPhotos> => {
      const folders = await realFolders(allowed);
      for (const path of paths) await realInside(folders, absolute(path, 'photos'));
      return copyAll(basename(paths[0] ?? '').replace(/\.[^.]+$/, ''), folders, paths);
    },
  };
};
