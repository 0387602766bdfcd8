import { relative, sep, basename, dirname, join, isAbsolute, resolve } from 'node:path';
import { readdir, stat } from 'node:fs/promises';
import type { FSWatcher } from 'chokidar';
import type { Clock, Log } from '../base/ports.ts';
import { diskProblem } from '../base/problem.ts';
import { formatEnglish } from '../../i18n/english.ts';
import { message, type Message } from '../../i18n/message.ts';
import { byName, isJunkFolder } from './groupFiles.ts';
import type { WatchedFiles } from '../storage/tables/watchedFilesTable.ts';
import { readRealPathSync } from '../../disk/realPath.ts';
import * as z from 'zod';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';
import { realOf } from './openInside.ts';

const place = z.object({ folder: z.string(), real: z.string() });
/** A watched folder by the path that was chosen, and where that led, every link followed, when it was chosen. */
export type Place = z.infer<typeof place>;
const name = 'watched place';

const realNow = (path: string): string | null => {
  try {
    return readRealPathSync(path);
  } catch {
    return null;
  }
};

/** Where a path leads; what is not there yet is taken to come as a plain folder, so that a link that comes instead shows. */
const leadsTo = (folder: string): string => {
  for (let at = folder; ; at = dirname(at)) {
    const real = realNow(at);
    if (real !== null) return join(real, relative(at, folder));
    if (at === dirname(at)) return folder;
  }
};

const placeOf = (given: string): Place => {
  // A path that does not begin at the root is never watched.
  if (!isAbsolute(given)) return { folder: given, real: given };
  const folder = resolve(given);
  return { folder, real: leadsTo(folder) };
};

/** Keeps where the watched folder led when the person chose it: a link that comes later does not move it. */
export const watchedPlaces = (settings: SettingsTable) => {
  const read = (): Place | null => settings.read(name, place);
  const keep = (made: Place): Place => {
    settings.write(name, made);
    return made;
  };
  return {
    /** Notes what the person gives. Answers null when that is nothing, or what is watched already. */
    choose: (given: string | null | undefined): { place: Place | null } | null => {
      if (given === undefined) return null;
      if (given === null) {
        settings.remove(name);
        return { place: null };
      }
      const [before, made] = [read(), placeOf(given)];
      if (before?.folder === made.folder && before.real === made.real) return null;
      return { place: keep(made) };
    },
    /** The place of the folder in the settings. One that was chosen before places were kept is taken as it is, once. */
    kept: (given: string | null): Place | null => {
      if (given === null) return null;
      const [before, folder] = [read(), isAbsolute(given) ? resolve(given) : given];
      return before?.folder === folder ? before : keep(placeOf(given));
    },
  };
};

/** Whether the folder is there, and where it was when it was chosen: looked at anew each time. */
const whereIs = async ({ folder, real }: Place): Promise<'there' | 'gone' | 'elsewhere'> => {
  const now = isAbsolute(folder) ? await realOf(folder) : null;
  if (now === null) return 'gone';
  if (now !== real) return 'elsewhere';
  return (await stat(real).catch(() => null))?.isDirectory() ? 'there' : 'gone';
};

/** After the last sign of writing, files are left alone for this long. */
export const quietMs = 5_000;

type Waiting = { size: number; since: number };

/**
 * Collects the files that come into a folder, set by set: the files of one folder below it, or those directly in it. A set
 * is whole when none of its files grew, and none was added, for a while. Pure bookkeeping: times and sizes are told.
 */
const createStableFiles = (root: string) => {
  const sets = new Map<string, Map<string, Waiting>>();
  const setOf = (path: string): string => {
    const parts = relative(root, path).split(sep);
    return parts.length > 1 ? (parts[0] ?? '') : '';
  };
  return {
    /** Tells that a file is there with so many bytes; what grew is waited for anew. */
    seen: (path: string, size: number, now: number): void => {
      const key = setOf(path);
      const set = sets.get(key) ?? new Map<string, Waiting>();
      sets.set(key, set);
      if (set.get(path)?.size !== size) set.set(path, { size, since: now });
    },
    gone: (path: string): void => {
      const key = setOf(path);
      sets.get(key)?.delete(path);
      if (sets.get(key)?.size === 0) sets.delete(key);
    },
    /** Files that are waited for. */
    waiting: (): string[] => [...sets.values()].flatMap((set) => [...set.keys()]),
    /** The sets that are whole now; they are no longer waited for. */
    take: (now: number): string[][] => {
      const whole = [...sets].filter(([, set]) => [...set.values()].every(({ since }) => now - since >= quietMs));
      for (const [key] of whole) sets.delete(key);
      return whole.map(([, set]) => [...set.keys()]);
    },
  };
};

/** Words for the person: in English, and what other languages say them from. */
type Told = { sentence: string; says: Message };
/** The path leads somewhere else than when the person chose it: only choosing it again takes the new place. */
const elsewhere = 'WATCHED_FOLDER_ELSEWHERE';
/** The folder that is watched, why it is not at the moment, in words, and which files were left out of it last. */
export type WatchState = {
  folder: string;
  problem: string | null;
  says?: Message | undefined;
  code?: typeof elsewhere | undefined;
  left?: Told;
};

type Parts = {
  files: WatchedFiles;
  clock: Clock;
  log: Log;
  /** The companion's own folder: nothing in it is ever taken. */
  dataDir: string;
  /** Whether items can be made now. */
  ready: () => boolean;
  /**
   * Makes items of these files; folders below the watched one stay together, and nothing outside of its real path is taken.
   * Answers the links that lead outside, in words.
   */
  add: (paths: string[], only: ReadonlySet<string>, within: string) => Promise<Message | null>;
  changed: () => void;
};

const lookEveryMs = 1_000;

/**
 * Watches one folder: photos that come into it become items once their writing has finished, each file once, also over
 * restarts. Files that were there when the watching was switched on stay as they are.
 */
export const createWatchFolder = (parts: Parts) => {
  let now: { state: WatchState; end: AbortController; ended: Promise<void> } | null = null;

  const stop = async (): Promise<void> => {
    const before = now;
    now = null;
    before?.end.abort();
    await before?.ended;
  };

  const begin = (place: Place, isNew: boolean): void => {
    const state: WatchState = { folder: place.folder, problem: null };
    const end = new AbortController();
    const ended = follow(parts, place, { state, isNew }, end.signal).catch((error: unknown) => {
      if (!end.signal.aborted) parts.log('warn', 'the watch folder is not watched', { reason: reasonOf(error) });
    });
    now = { state, end, ended };
  };

  return {
    state: (): WatchState | null => now?.state ?? null,
    /** Goes on watching after a start. */
    start: (place: Place | null): void => {
      if (place !== null) begin(place, false);
    },
    /** Watches another folder from now on, or none. */
    change: async (place: Place | null): Promise<void> => {
      await stop();
      parts.files.forget();
      if (place !== null) begin(place, true);
      parts.changed();
    },
    stop,
  };
};

const reasonOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

/** Says how it stands with the folder; each change of it once. */
const saysOf = (parts: Parts, state: WatchState): Say => ({
  problem: (says, code) => {
    const problem = says && formatEnglish(says);
    if (problem === state.problem) return;
    Object.assign(state, { problem, says: says ?? undefined, code });
    if (code) parts.log('warn', 'the watch folder leads somewhere else and is not read', { code });
    parts.changed();
  },
  left: (says) => {
    Object.assign(state, { left: { sentence: formatEnglish(says), says } });
    parts.changed();
  },
});

/** Watches until the signal ends it; a folder that is gone, or leads somewhere else, is looked for again. */
const follow = async (
  parts: Parts,
  place: Place,
  { state, isNew }: { state: WatchState; isNew: boolean },
  signal: AbortSignal,
): Promise<void> => {
  let first = isNew;
  const say = saysOf(parts, state);
  const name = basename(place.folder);
  while (!signal.aborted) {
    if ((await whereIs(place)) === 'there' && (!first || (await noteBefore(parts, place)))) {
      say.problem(null);
      first = false;
      await watchNow(parts, place, say, signal);
    }
    if (signal.aborted) return;
    if ((await whereIs(place)) === 'elsewhere') say.problem(message('notices.folderElsewhere', { name }), elsewhere);
    else say.problem(message('notices.folderGone', { name }));
    await parts.clock.sleep(lookEveryMs * 5, signal).catch(() => undefined);
  }
};

/** A folder that is a link itself is watched where it leads, and its files are known by the name that was given. */
const named = ({ folder, real }: Place, path: string): string =>
  real === folder ? path : join(folder, relative(real, path));

const filesBelow = async (place: Place): Promise<string[]> => {
  const entries = await readdir(place.real, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => named(place, join(entry.parentPath, entry.name)));
};

/** Notes the files that were there before. Answers false where the folder goes meanwhile: it is looked for again then. */
const noteBefore = async (parts: Parts, place: Place): Promise<boolean> => {
  const files = await filesBelow(place).catch(() => null);
  if (files !== null) parts.files.add(place.folder, files);
  return files !== null;
};

/** What is said of a folder while it is watched: why photos are not taken, or null; and which were left out. */
type Say = { problem: (says: Message | null, code?: typeof elsewhere) => void; left: (says: Message) => void };

/** Watches a folder that is there; ends when it is gone or leads somewhere else, or with the signal. */
const watchNow = async (parts: Parts, place: Place, say: Say, signal: AbortSignal): Promise<void> => {
  const taken = parts.files.of(place.folder);
  const sets = createStableFiles(place.folder);
  const heard = (path: string, size: number | undefined): void => {
    if (!taken.has(path)) sets.seen(path, size ?? -1, parts.clock.elapsedMs());
  };
  const watcher = (await watchQuietly(parts, place.real))
    .on('add', (path, stats) => heard(named(place, path), stats?.size))
    .on('change', (path, stats) => heard(named(place, path), stats?.size))
    .on('unlink', (path) => sets.gone(named(place, path)));
  try {
    while (!signal.aborted && (await whereIs(place)) === 'there') {
      await lookAt(sets, parts.clock.elapsedMs());
      if (parts.ready()) {
        for (const files of sets.take(parts.clock.elapsedMs())) {
          const full = await takeIn(parts, place, files, say);
          say.problem(full);
          // What there was no room for is tried again.
          for (const file of files)
            if (full) heard(file, undefined);
            else taken.add(file);
        }
      }
      await parts.clock.sleep(lookEveryMs, signal).catch(() => undefined);
    }
  } finally {
    await watcher.close();
  }
};

const watchQuietly = async ({ dataDir, log }: Parts, folder: string): Promise<FSWatcher> => {
  // Loaded for those who watch a folder only.
  const { watch } = await import('chokidar');
  return watch(folder, {
    alwaysStat: true,
    // A link is a file by its own name: where it leads is looked at when it is taken, and nowhere else is watched.
    followSymlinks: false,
    // A file that is written beside its place and renamed counts when it has its name.
    atomic: true,
    ignored: (path) =>
      path !== folder &&
      (path === dataDir ||
        path.startsWith(dataDir + sep) ||
        isJunkFolder(basename(path)) ||
        byName(basename(path)) === 'junk'),
  }).on('error', (error) => log('warn', 'the watch folder cannot be read', { reason: reasonOf(error) }));
};

/** Sizes are looked at anew: not every system tells of every write. */
const lookAt = async (sets: ReturnType<typeof createStableFiles>, now: number): Promise<void> => {
  for (const path of sets.waiting()) {
    const found = await stat(path).catch(() => null);
    if (found) sets.seen(path, found.size, now);
    else sets.gone(path);
  }
};

/**
 * Has items made of whole files, and notes them as taken. Answers what the disk says when it takes nothing. What was left
 * out since a link took the folder's place meanwhile is neither named nor noted: it lies behind the link.
 */
const takeIn = async (parts: Parts, place: Place, files: readonly string[], say: Say): Promise<Message | null> => {
  const { folder, real } = place;
  const below = (path: string): string => path.slice(folder.length + 1).split(sep)[0] ?? '';
  // Files directly in the watched folder are loose ones; those below it belong to their folders.
  const paths = new Set(files.map((path) => (dirname(path) === folder ? path : join(folder, below(path)))));
  try {
    const left = await parts.add([...paths], new Set(files), real);
    if (left !== null && (await whereIs(place)) === 'elsewhere') return null;
    if (left !== null) say.left(left);
  } catch (error) {
    const full = diskProblem(error)?.says;
    if (full) return full;
    if ((await whereIs(place)) === 'elsewhere') return null;
    // Nothing in them is a photo, or they are gone again: the same files are not tried over and over.
    parts.log('info', 'files of the watch folder were passed over', { files: files.length, reason: reasonOf(error) });
  }
  parts.files.add(folder, files);
  return null;
};
