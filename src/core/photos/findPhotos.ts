import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isJunkFolder, naturally } from './byName.ts';
import { createFirstLook, type Verdict } from './firstLook.ts';
import { createGrouping, type FoundPhotos } from './groupFiles.ts';

/** How many files are opened at once: enough to hide a slow disk, few enough to leave descriptors to others. */
const openAtOnce = 8;

type Walk = {
  grouping: ReturnType<typeof createGrouping>;
  /** Real paths already met: ends loops of links, and keeps a file given twice from counting twice. */
  seen: Set<string>;
  looks: ReturnType<typeof createFirstLook>[];
  signal: AbortSignal | undefined;
  only: ReadonlySet<string> | undefined;
};
type Found = { path: string; name: string };

/** Whether this place is met for the first time. */
const isNew = (walk: Walk, real: string): boolean => {
  if (walk.seen.has(real)) return false;
  walk.seen.add(real);
  return true;
};

const takeFiles = async (walk: Walk, files: readonly Found[], folder: string | null): Promise<void> => {
  const verdicts: Verdict[] = [];
  let next = 0;
  const lane = async (look: (typeof walk.looks)[number]): Promise<void> => {
    for (let at = next++; at < files.length; at = next++) {
      walk.signal?.throwIfAborted();
      const file = files[at];
      if (file) verdicts[at] = await look(file.path, file.name);
    }
  };
  await Promise.all(walk.looks.map(lane));
  for (const [at, file] of files.entries()) {
    const verdict = verdicts[at];
    if (verdict === 'photo') walk.grouping.add(file, folder, basename(folder ?? ''));
    else if (verdict) walk.grouping.skip({ ...file, why: verdict });
  }
};

type Kind = 'folder' | 'file' | 'other';
type KindSource = Pick<Dirent, 'isDirectory' | 'isFile'>;

/** Devices, pipes and sockets are 'other' and are never opened, since reading them can hang. */
const kindOf = (found: KindSource): Kind => (found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other');

/** Follows a path. One that leads nowhere counts as a file, which is kept when its name promises a picture. */
const kindAt = (path: string): Promise<Kind> => stat(path).then(kindOf, () => 'file');

/** Places that do not resolve are compared by the path given. */
const realOf = (path: string): Promise<string> => realpath(path).catch(() => path);

const takeFolder = async (walk: Walk, folder: string): Promise<void> => {
  walk.signal?.throwIfAborted();
  const real = await realOf(folder);
  if (!isNew(walk, real)) return;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
  if (entries === null) return walk.grouping.skip({ path: folder, name: basename(folder), why: 'unreadable' });
  const files: Found[] = [];
  const folders: string[] = [];
  for (const entry of entries.sort((a, b) => naturally(a.name, b.name))) {
    const { name } = entry;
    const path = join(folder, name);
    const link = entry.isSymbolicLink();
    const kind = link ? await kindAt(path) : kindOf(entry);
    if (kind === 'other') walk.grouping.skip({ path, name, why: 'not_a_photo' });
    else if (kind === 'folder' && isJunkFolder(name)) walk.grouping.skip({ path, name, why: 'junk' });
    else if (kind === 'folder') folders.push(path);
    else if (walk.only?.has(path) === false) continue;
    else if (isNew(walk, link ? await realOf(path) : join(real, name))) files.push({ path, name });
  }
  await takeFiles(walk, files, folder);
  for (const inner of folders) await takeFolder(walk, inner);
};

/**
 * Finds the photos in files and folders (nested): each folder that directly holds photos is one group, files given by
 * themselves are one more. Files are judged by their content; junk and videos are counted in `skipped`. Files whose name
 * promises a picture stay in their group even when their content is something else, so that preparation can refuse them
 * with a sentence.
 *
 * With `only`, other files in folders are as if they were not there. Only asynchronous calls, 4 KB of a file at most. Rejects with the signal's reason when aborted; never for a bad path.
 */
export const findPhotos = async (
  paths: readonly string[],
  options: { signal?: AbortSignal; only?: ReadonlySet<string> } = {},
): Promise<FoundPhotos> => {
  const looks = Array.from({ length: openAtOnce }, createFirstLook);
  const walk: Walk = { grouping: createGrouping(), seen: new Set(), looks, signal: options.signal, only: options.only };
  const loose: Found[] = [];
  for (const given of paths) {
    // A trailing slash would leave the folder without a name.
    const path = basename(given) === '' ? given : join(dirname(given), basename(given));
    const name = basename(path);
    const kind = await kindAt(path);
    if (kind === 'folder') await takeFolder(walk, path);
    else if (kind === 'other') walk.grouping.skip({ path, name, why: 'not_a_photo' });
    else if (isNew(walk, await realOf(path))) loose.push({ path, name });
  }
  await takeFiles(walk, loose, null);
  return walk.grouping.found();
};
