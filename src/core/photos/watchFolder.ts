import { relative, sep, basename, dirname, join, isAbsolute, resolve } from 'node:path';
import { readdir, stat } from 'node:fs/promises';
import type { FSWatcher } from 'chokidar';
import type { Clock, Log } from '../base/ports.ts';
import { findDiskProblem } from '../base/problem.ts';
import { formatEnglishMessage } from '../../i18n/english.ts';
import { createMessage, type Message } from '../../i18n/message.ts';
import { classifyFileName, isJunkFolder } from './groupFiles.ts';
import type { WatchedFilesTable } from '../storage/tables/photos/watchedFilesTable.ts';
import { readRealPathSync } from '../../disk/realPath.ts';
import * as z from 'zod';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';
import { resolveRealPath } from './openInside.ts';

const place = z.object({ folder: z.string(), real: z.string() });
/** `folder` is the path that the person chose. `real` is its real path at that time. */
export type WatchedFolderPath = z.infer<typeof place>;
const watchedPlaceSetting = 'watched place';

const resolveRealPathSync = (path: string): string | null => {
  try {
    return readRealPathSync(path);
  } catch {
    return null;
  }
};

/** Folders that do not exist yet count as plain folders, so that a link created in their place is detected. */
const resolveFuturePath = (folder: string): string => {
  for (let at = folder; ; at = dirname(at)) {
    const real = resolveRealPathSync(at);
    if (real !== null) return join(real, relative(at, folder));
    if (at === dirname(at)) return folder;
  }
};

const resolveWatchedFolder = (given: string): WatchedFolderPath => {
  // A relative path is never watched, so it is not resolved.
  if (!isAbsolute(given)) return { folder: given, real: given };
  const folder = resolve(given);
  return { folder, real: resolveFuturePath(folder) };
};

/**
 * Creates the store of the watched folder. It keeps the real path that the person chose, so that a link cannot redirect
 * it later.
 */
export const createWatchedFolderStore = (settings: SettingsTable) => {
  const readStoredFolder = (): WatchedFolderPath | null => settings.read(watchedPlaceSetting, place);
  const storeFolder = (made: WatchedFolderPath): WatchedFolderPath => {
    settings.write(watchedPlaceSetting, made);
    return made;
  };
  return {
    choose: (given: string | null | undefined): { place: WatchedFolderPath | null } | null => {
      if (given === undefined) return null;
      if (given === null) {
        settings.remove(watchedPlaceSetting);
        return { place: null };
      }
      const [before, made] = [readStoredFolder(), resolveWatchedFolder(given)];
      if (before?.folder === made.folder && before.real === made.real) return null;
      return { place: storeFolder(made) };
    },
    /** Returns the stored folder. If an older version stored only its path, the real path is resolved now. */
    kept: (given: string | null): WatchedFolderPath | null => {
      if (given === null) return null;
      const [before, folder] = [readStoredFolder(), isAbsolute(given) ? resolve(given) : given];
      return before?.folder === folder ? before : storeFolder(resolveWatchedFolder(given));
    },
  };
};

const readWatchedFolderState = async ({ folder, real }: WatchedFolderPath): Promise<'there' | 'gone' | 'elsewhere'> => {
  const now = isAbsolute(folder) ? await resolveRealPath(folder) : null;
  if (now === null) return 'gone';
  if (now !== real) return 'elsewhere';
  return (await stat(real).catch(() => null))?.isDirectory() ? 'there' : 'gone';
};

/** A file is used only if it has not changed for this long. */
export const quietPeriodMs = 5_000;

type WaitingFile = { size: number; since: number };

/** Collects new files in one set per subfolder. A set is complete when no file in it has changed for a while. */
const createStableFileCollector = (root: string) => {
  const sets = new Map<string, Map<string, WaitingFile>>();
  const getSetKey = (path: string): string => {
    const parts = relative(root, path).split(sep);
    return parts.length > 1 ? (parts[0] ?? '') : '';
  };
  return {
    seen: (path: string, size: number, now: number): void => {
      const key = getSetKey(path);
      const set = sets.get(key) ?? new Map<string, WaitingFile>();
      sets.set(key, set);
      if (set.get(path)?.size !== size) set.set(path, { size, since: now });
    },
    gone: (path: string): void => {
      const key = getSetKey(path);
      sets.get(key)?.delete(path);
      if (sets.get(key)?.size === 0) sets.delete(key);
    },
    waiting: (): string[] => [...sets.values()].flatMap((set) => [...set.keys()]),
    take: (now: number): string[][] => {
      const whole = [...sets].filter(([, set]) => [...set.values()].every(({ since }) => now - since >= quietPeriodMs));
      for (const [key] of whole) sets.delete(key);
      return whole.map(([, set]) => [...set.keys()]);
    },
  };
};

type WatchNotice = { sentence: string; says: Message };
/** The code for a folder whose real path has changed. It is watched again only after the person has chosen it again. */
const folderElsewhereCode = 'WATCHED_FOLDER_ELSEWHERE';
export type WatchState = {
  folder: string;
  problem: string | null;
  says?: Message | undefined;
  code?: typeof folderElsewhereCode | undefined;
  left?: WatchNotice;
};

type WatchFolderContext = {
  files: WatchedFilesTable;
  clock: Clock;
  log: Log;
  /** The companion's own folder. Its files are never used. */
  dataDir: string;
  ready: () => boolean;
  /** Creates items from files. Nothing outside the real path `within` is read. Returns a text if links lead outside. */
  add: (paths: string[], only: ReadonlySet<string>, within: string) => Promise<Message | null>;
  changed: () => void;
};

const checkIntervalMs = 1_000;

/**
 * Watches one folder and creates items from complete new photos. Each file is used once, even after a restart. Files
 * that exist when the person chooses the folder are ignored.
 */
export const createFolderWatch = (parts: WatchFolderContext) => {
  let now: { state: WatchState; end: AbortController; ended: Promise<void> } | null = null;

  const stop = async (): Promise<void> => {
    const before = now;
    now = null;
    before?.end.abort();
    await before?.ended;
  };

  const startWatching = (place: WatchedFolderPath, isNew: boolean): void => {
    const state: WatchState = { folder: place.folder, problem: null };
    const end = new AbortController();
    const ended = watchUntilAborted(parts, place, { state, isNew }, end.signal).catch((error: unknown) => {
      if (!end.signal.aborted) parts.log('warn', 'watching the folder failed', { reason: getErrorName(error) });
    });
    now = { state, end, ended };
  };

  return {
    state: (): WatchState | null => now?.state ?? null,
    start: (place: WatchedFolderPath | null): void => {
      if (place !== null) startWatching(place, false);
    },
    change: async (place: WatchedFolderPath | null): Promise<void> => {
      await stop();
      parts.files.forget();
      if (place !== null) startWatching(place, true);
      parts.changed();
    },
    stop,
  };
};

const getErrorName = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

const createWatchReporter = (parts: WatchFolderContext, state: WatchState): WatchReporter => ({
  problem: (says, code) => {
    const problem = says && formatEnglishMessage(says);
    if (problem === state.problem) return;
    Object.assign(state, { problem, says: says ?? undefined, code });
    if (code) parts.log('warn', 'the real path of the watch folder has changed', { code });
    parts.changed();
  },
  left: (says) => {
    Object.assign(state, { left: { sentence: formatEnglishMessage(says), says } });
    parts.changed();
  },
});

/** Retries while the folder is missing or its real path has changed. */
const watchUntilAborted = async (
  parts: WatchFolderContext,
  place: WatchedFolderPath,
  { state, isNew }: { state: WatchState; isNew: boolean },
  signal: AbortSignal,
): Promise<void> => {
  let first = isNew;
  const say = createWatchReporter(parts, state);
  const name = basename(place.folder);
  while (!signal.aborted) {
    if ((await readWatchedFolderState(place)) === 'there' && (!first || (await recordExistingFiles(parts, place)))) {
      say.problem(null);
      first = false;
      await watchExistingFolder(parts, place, say, signal);
    }
    if (signal.aborted) return;
    if ((await readWatchedFolderState(place)) === 'elsewhere')
      say.problem(createMessage('notices.folderElsewhere', { name }), folderElsewhereCode);
    else say.problem(createMessage('notices.folderGone', { name }));
    await parts.clock.sleep(checkIntervalMs * 5, signal).catch(() => undefined);
  }
};

/** If the folder is a link, its real path is watched, but its files are recorded under the chosen path. */
const toChosenPath = ({ folder, real }: WatchedFolderPath, path: string): string =>
  real === folder ? path : join(folder, relative(real, path));

const listWatchedFiles = async (place: WatchedFolderPath): Promise<string[]> => {
  const entries = await readdir(place.real, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => toChosenPath(place, join(entry.parentPath, entry.name)));
};

const recordExistingFiles = async (parts: WatchFolderContext, place: WatchedFolderPath): Promise<boolean> => {
  const files = await listWatchedFiles(place).catch(() => null);
  if (files !== null) parts.files.add(place.folder, files);
  return files !== null;
};

type WatchReporter = {
  problem: (says: Message | null, code?: typeof folderElsewhereCode) => void;
  left: (says: Message) => void;
};

const watchExistingFolder = async (
  parts: WatchFolderContext,
  place: WatchedFolderPath,
  say: WatchReporter,
  signal: AbortSignal,
): Promise<void> => {
  const taken = parts.files.of(place.folder);
  const sets = createStableFileCollector(place.folder);
  const recordFileEvent = (path: string, size: number | undefined): void => {
    if (!taken.has(path)) sets.seen(path, size ?? -1, parts.clock.elapsedMs());
  };
  const watcher = (await startFileWatcher(parts, place.real))
    .on('add', (path, stats) => recordFileEvent(toChosenPath(place, path), stats?.size))
    .on('change', (path, stats) => recordFileEvent(toChosenPath(place, path), stats?.size))
    .on('unlink', (path) => sets.gone(toChosenPath(place, path)));
  try {
    while (!signal.aborted && (await readWatchedFolderState(place)) === 'there') {
      await recheckFileSizes(sets, parts.clock.elapsedMs());
      if (parts.ready()) {
        for (const files of sets.take(parts.clock.elapsedMs())) {
          const full = await addCompleteFiles(parts, place, files, say);
          say.problem(full);
          // If the disk is full, the files are tried again.
          for (const file of files)
            if (full) recordFileEvent(file, undefined);
            else taken.add(file);
        }
      }
      await parts.clock.sleep(checkIntervalMs, signal).catch(() => undefined);
    }
  } finally {
    await watcher.close();
  }
};

const startFileWatcher = async ({ dataDir, log }: WatchFolderContext, folder: string): Promise<FSWatcher> => {
  const { watch } = await import('chokidar');
  return watch(folder, {
    alwaysStat: true,
    // A link counts as a file. Its target is checked when the photo is read.
    followSymlinks: false,
    // A file that is renamed from a temporary name counts only under its final name.
    atomic: true,
    ignored: (path) =>
      path !== folder &&
      (path === dataDir ||
        path.startsWith(dataDir + sep) ||
        isJunkFolder(basename(path)) ||
        classifyFileName(basename(path)) === 'junk'),
  }).on('error', (error) => log('warn', 'the watch folder cannot be read', { reason: getErrorName(error) }));
};

/** Sizes are read again, because some systems do not report every write. */
const recheckFileSizes = async (sets: ReturnType<typeof createStableFileCollector>, now: number): Promise<void> => {
  for (const path of sets.waiting()) {
    const found = await stat(path).catch(() => null);
    if (found) sets.seen(path, found.size, now);
    else sets.gone(path);
  }
};

/**
 * Creates items from complete files. Returns the text of a problem if the disk is full. If a link has replaced the
 * folder, the files are not recorded, because they belong to the target of the link.
 */
const addCompleteFiles = async (
  parts: WatchFolderContext,
  place: WatchedFolderPath,
  files: readonly string[],
  say: WatchReporter,
): Promise<Message | null> => {
  const { folder, real } = place;
  const getSubfolderName = (path: string): string => path.slice(folder.length + 1).split(sep)[0] ?? '';
  // A file directly in the watched folder is a single photo. Other files belong to their subfolder.
  const paths = new Set(files.map((path) => (dirname(path) === folder ? path : join(folder, getSubfolderName(path)))));
  try {
    const left = await parts.add([...paths], new Set(files), real);
    if (left !== null && (await readWatchedFolderState(place)) === 'elsewhere') return null;
    if (left !== null) say.left(left);
  } catch (error) {
    const full = findDiskProblem(error)?.says;
    if (full) return full;
    if ((await readWatchedFolderState(place)) === 'elsewhere') return null;
    // All other errors mean that the files contain no photos or are gone, so they are not tried again.
    parts.log('info', 'files of the watch folder were skipped', { files: files.length, reason: getErrorName(error) });
  }
  parts.files.add(folder, files);
  return null;
};
