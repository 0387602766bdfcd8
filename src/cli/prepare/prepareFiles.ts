import { type Dirent, constants } from 'node:fs';
import { readdir, stat, copyFile, link, mkdir, readFile, mkdtemp } from 'node:fs/promises';
import { join, relative, basename, dirname } from 'node:path';
import { isJunkFolder, removeFileExtension } from '../../core/photos/groupFiles.ts';
import { compareFileNames } from '../../i18n/naturalOrder.ts';
import { isInsideRoots, resolveRealPath } from '../../core/photos/openInside.ts';
import { createFileSniffer, type FileVerdict } from '../../core/photos/findPhotos.ts';
import { getFileErrorCode, getRefusalSentence } from '../../photoContract/refusals.ts';
import { discardFile, discardTreeSync } from '../../disk/changeFiles.ts';
import { readRealPath } from '../../disk/realPath.ts';
import type { StartProcess } from '../../isolated/processClient.ts';
import { createPhotoWorkers, type PhotoWorkers } from '../../core/photos/photoWorkers.ts';
import { createProblemText } from '../../core/base/problem.ts';
import type { PrepareOptions } from './prepareOptions.ts';
import type { PreparedPicture } from '../../core/photos/preparedPhotos.ts';

type FoundFile = { path: string; inside: string; kind: 'file' | 'other' | 'unreadable_folder' | 'outside' };

type EntryKind = 'folder' | 'file' | 'other';

const getEntryKind = (found: Pick<Dirent, 'isDirectory' | 'isFile'>): EntryKind =>
  found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other';

/** A broken symbolic link counts as a file, so that reading the file reports the error. */
const resolveEntryKind = (path: string, entry: Dirent): Promise<EntryKind> | EntryKind =>
  entry.isSymbolicLink() ? stat(path).then(getEntryKind, (): EntryKind => 'file') : getEntryKind(entry);

/** Enters no folder twice, and follows no symbolic link that leads outside `root`. */
async function* walkFolderFiles(root: string, except: string): AsyncGenerator<FoundFile> {
  const entered = new Set<string>([await readRealPath(except).catch(() => except)]);
  const allowedRoots = [await readRealPath(root).catch(() => root)];
  const leadsOutsideRoot = async (path: string): Promise<boolean> => {
    const real = await resolveRealPath(path);
    return real !== null && !isInsideRoots(allowedRoots, real);
  };

  async function* walkNestedFolder(folder: string): AsyncGenerator<FoundFile> {
    const real = await readRealPath(folder).catch(() => folder);
    if (!isInsideRoots(allowedRoots, real)) {
      yield { path: folder, inside: relative(root, folder), kind: 'outside' };
      return;
    }
    if (entered.has(real)) return;
    entered.add(real);
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
    if (entries === null) {
      yield { path: folder, inside: relative(root, folder), kind: 'unreadable_folder' };
      return;
    }
    const folders: string[] = [];
    for (const entry of entries.sort((a, b) => compareFileNames(a.name, b.name))) {
      const path = join(folder, entry.name);
      const outside = entry.isSymbolicLink() && (await leadsOutsideRoot(path));
      const kind = outside ? 'outside' : await resolveEntryKind(path, entry);
      if (kind !== 'folder') yield { path, inside: relative(root, path), kind };
      else if (!isJunkFolder(entry.name)) folders.push(path);
    }
    for (const inner of folders) yield* walkNestedFolder(inner);
  }

  yield* walkNestedFolder(root);
}

/** File systems limit names to 255 bytes, and the number and the extension must also fit. */
const maxStemBytes = 235;

const shortenFileStem = (stem: string): string => {
  let short = stem;
  while (Buffer.byteLength(short) > maxStemBytes) short = [...short].slice(0, -1).join('');
  return short;
};

const isFileExistsError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST';

/** Throws EEXIST if the path exists. */
const linkOrCopyFile = async (from: string, to: string): Promise<void> => {
  try {
    await link(from, to);
  } catch (error) {
    if (isFileExistsError(error)) throw error;
    // USB sticks and some network folders do not support hard links.
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
};

const areFilesEqual = async (one: string, other: string): Promise<boolean> => {
  const [a, b] = await Promise.all([readFile(one), readFile(other).catch(() => null)]);
  return b !== null && a.equals(b);
};

/** `inside` is the relative path of the original, and `ending` is the file extension. Returns the new path. */
type StoreOutput = (prepared: string, inside: string, ending: string) => Promise<string>;

/**
 * If a different file has the name already, adds a number to the name. If a stored file has equal bytes, reuses that
 * file.
 */
const createOutputStore = (outDir: string): StoreOutput => {
  let folder = '';
  let taken = new Set<string>();
  return async (prepared, inside, ending) => {
    const here = join(outDir, dirname(inside));
    if (here !== folder) taken = new Set();
    folder = here;
    await mkdir(folder, { recursive: true });
    const stem = shortenFileStem(removeFileExtension(basename(inside)));
    for (let number = 1; ; number += 1) {
      const to = join(folder, `${stem}${number === 1 ? '' : ` (${number})`}.${ending}`);
      if (taken.has(to)) continue;
      const put = await linkOrCopyFile(prepared, to).then(
        () => true,
        (error: unknown) => {
          if (isFileExistsError(error)) return false;
          throw error;
        },
      );
      if (!put && !(await areFilesEqual(prepared, to))) continue;
      taken.add(to);
      return to;
    }
  };
};

export type FileLine = {
  file: string;
  outcome: 'ok' | 'reject' | 'ignore';
  output?: string;
  width?: number;
  height?: number;
  bytes?: number;
  reason?: string;
};

/** This number of files keeps all workers busy. A larger number would need more memory. */
const maxPreparedAhead = 24;

const skipReasons: Record<Exclude<FileVerdict, 'photo'>, string> = {
  junk: 'A side file of a system or a program.',
  video: 'A video.',
  not_a_photo: 'Not a photo.',
  unreadable: getRefusalSentence('UNREADABLE_FILE'),
  unreadable_name: getRefusalSentence('UNREADABLE_FILE'),
  outside: createProblemText('LINK_OUTSIDE').sentence,
  in_icloud: 'This photo is still in iCloud. Download it first.',
  online_only: 'This photo is only in its online storage, not on this computer. Download it first.',
};
/** The name suggested a photo, so the file counts as refused and not as skipped. */
const refusedVerdicts: readonly FileVerdict[] = [
  'unreadable',
  'unreadable_name',
  'outside',
  'in_icloud',
  'online_only',
];

type ReadyPicture = PreparedPicture & { ok: true };
type PreparedFile = { found: FoundFile; line: FileLine; picture?: ReadyPicture; path?: string };

type PrepareContext = {
  options: PrepareOptions;
  workers: PhotoWorkers;
  workDir: string;
  /** The real path of the input folder. A symbolic link that leads outside this folder is refused. */
  root: string;
  place: StoreOutput;
  signal: AbortSignal;
};

const listInputFiles = ({ from, out }: PrepareOptions): AsyncIterable<FoundFile> | FoundFile[] =>
  from.isFolder
    ? walkFolderFiles(from.path, out.path)
    : [{ path: from.path, inside: basename(from.path), kind: 'file' }];

const classifyFoundFile = async ({ kind, path }: FoundFile, root: string): Promise<FileVerdict> => {
  if (kind === 'outside') return 'outside';
  return kind === 'other' ? 'not_a_photo' : createFileSniffer()(path, basename(path), [root]);
};

const prepareFoundFile = async (context: PrepareContext, found: FoundFile, number: number): Promise<PreparedFile> => {
  const { options, workers, workDir, root, signal } = context;
  const file = options.from.isFolder ? join(options.from.typed, found.inside) : options.from.typed;
  const createSkippedFile = (outcome: FileLine['outcome'], reason: string): PreparedFile => ({
    found,
    line: { file, outcome, reason },
  });
  if (found.kind === 'unreadable_folder')
    return createSkippedFile('reject', 'This folder cannot be opened. Check that you may read it.');
  const verdict = await classifyFoundFile(found, root);
  if (verdict !== 'photo')
    return createSkippedFile(refusedVerdicts.includes(verdict) ? 'reject' : 'ignore', skipReasons[verdict]);
  const path = join(workDir, String(number));
  const { longEdgePx, format } = options;
  const picture = await workers.picture({ source: found.path, root, path, longEdgePx, format }, signal);
  return picture.ok
    ? { found, line: { file, outcome: 'ok' }, picture, path }
    : createSkippedFile('reject', picture.sentence);
};

const storeOutputPhoto = async (
  context: PrepareContext,
  { found, line, picture, path }: PreparedFile,
): Promise<FileLine> => {
  if (!picture || !path) return line;
  const { options, place } = context;
  const { width, height, bytes } = picture;
  try {
    const placed = await place(path, found.inside, options.format === 'webp' ? 'webp' : 'jpg');
    const output = join(options.out.typed, placed.slice(options.out.path.length));
    return { ...line, output, width, height, bytes };
  } catch (error) {
    const code = getFileErrorCode(error, 'CANNOT_WRITE');
    return { ...line, outcome: 'reject', reason: getRefusalSentence(code === 'NO_SPACE' ? code : 'CANNOT_WRITE') };
  } finally {
    await discardFile(path);
  }
};

/** Prepares files concurrently but stores them in order, so that every run gives a file the same name. */
async function* prepareInOrder(context: PrepareContext): AsyncGenerator<FileLine> {
  const { options, signal } = context;
  const queue: Promise<PreparedFile>[] = [];
  let number = 0;
  const finishNextFile = async (): Promise<FileLine | null> => {
    const done = await queue.shift()?.catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    return done ? storeOutputPhoto(context, done) : null;
  };
  for await (const found of listInputFiles(options)) {
    if (signal.aborted) return;
    const preparing = prepareFoundFile(context, found, (number += 1));
    preparing.catch(() => {});
    queue.push(preparing);
    const line = queue.length >= maxPreparedAhead ? await finishNextFile() : null;
    if (line) yield line;
  }
  while (queue.length > 0 && !signal.aborted) {
    const line = await finishNextFile();
    if (line) yield line;
  }
}

/** Yields one line per file, in order. If `signal` aborts, the generator ends early and removes partial results. */
export async function* prepareFiles(
  options: PrepareOptions,
  startKitchen: StartProcess,
  signal: AbortSignal,
): AsyncGenerator<FileLine> {
  const workers = createPhotoWorkers({ startKitchen });
  const workDir = await mkdtemp(join(options.out.path, '.preparing-'));
  const place = createOutputStore(options.out.path);
  const root = await readRealPath(options.from.path).catch(() => options.from.path);
  try {
    yield* prepareInOrder({ options, workers, workDir, root, place, signal });
  } finally {
    await workers.close({ left: true });
    discardTreeSync(workDir);
  }
}
