import { open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { byName, isJunkFolder, naturally } from './byName.ts';
import { createGrouping, type FoundPhotos, type SkippedFile } from './groupFiles.ts';
import { headBytes, isPicture, looksLike } from './looksLike.ts';

/** How many files are opened at once: enough to hide a slow disk, few enough to leave descriptors to others. */
const openAtOnce = 8;

type Verdict = 'photo' | SkippedFile['why'];
type Walk = {
  grouping: ReturnType<typeof createGrouping>;
  /** Real paths already met: ends loops of links, and keeps a file given twice from counting twice. */
  seen: Set<string>;
  signal: AbortSignal | undefined;
};

const headOf = async (path: string): Promise<Uint8Array> => {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/** A name that promises a picture keeps its place, whatever is inside: preparation refuses it with a sentence. */
const judge = async (path: string): Promise<Verdict> => {
  const says = byName(basename(path));
  if (says === 'junk' || says === 'video') return says;
  if (says === 'picture') return 'photo';
  try {
    const looks = await looksLike(await headOf(path));
    if (looks === 'video') return 'video';
    return isPicture(looks) ? 'photo' : 'not_a_photo';
  } catch {
    return 'unreadable';
  }
};

/** Whether this place is met for the first time; places that do not resolve are compared by the path given. */
const isNew = async (walk: Walk, path: string): Promise<boolean> => {
  const real = await realpath(path).catch(() => path);
  if (walk.seen.has(real)) return false;
  walk.seen.add(real);
  return true;
};

const takeFiles = async (walk: Walk, paths: string[], folder: string | null): Promise<void> => {
  for (let at = 0; at < paths.length; at += openAtOnce) {
    walk.signal?.throwIfAborted();
    const some = paths.slice(at, at + openAtOnce);
    const verdicts = await Promise.all(
      some.map(async (path) => ((await isNew(walk, path)) ? await judge(path) : null)),
    );
    verdicts.forEach((verdict, index) => {
      const path = some[index] ?? '';
      const name = basename(path);
      if (verdict === 'photo') walk.grouping.add({ path, name }, folder, basename(folder ?? ''));
      else if (verdict) walk.grouping.skip({ path, name, why: verdict });
    });
  }
};

type Kind = 'folder' | 'file' | 'other';

/** Follows links; devices, pipes and sockets are 'other' and are never opened, since reading them can hang. */
const kindOf = async (path: string): Promise<Kind> => {
  const found = await stat(path);
  return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other';
};

const takeFolder = async (walk: Walk, folder: string): Promise<void> => {
  walk.signal?.throwIfAborted();
  if (!(await isNew(walk, folder))) return;
  let names: string[];
  try {
    names = (await readdir(folder)).sort(naturally);
  } catch {
    walk.grouping.skip({ path: folder, name: basename(folder), why: 'unreadable' });
    return;
  }
  const files: string[] = [];
  const folders: string[] = [];
  for (const name of names) {
    const path = join(folder, name);
    // A link that leads nowhere is left to judge(), which keeps it when its name promises a picture.
    const kind = await kindOf(path).catch((): Kind => 'file');
    if (kind === 'other') walk.grouping.skip({ path, name, why: 'not_a_photo' });
    else if (kind === 'file') files.push(path);
    else if (isJunkFolder(name)) walk.grouping.skip({ path, name, why: 'junk' });
    else folders.push(path);
  }
  await takeFiles(walk, files, folder);
  for (const inner of folders) await takeFolder(walk, inner);
};

/**
 * Finds the photos in files and folders (nested): each folder that directly holds photos is one group, files given by
 * themselves are one more. Junk and videos are counted in `skipped`. Files whose name promises a picture stay in their
 * group even when their content is something else, so that preparation can refuse them with a sentence.
 *
 * Only asynchronous calls, 4 KB of a file at most. Rejects with the signal's reason when aborted; never for a bad path.
 */
export const findPhotos = async (
  paths: readonly string[],
  options: { signal?: AbortSignal } = {},
): Promise<FoundPhotos> => {
  const walk: Walk = { grouping: createGrouping(), seen: new Set(), signal: options.signal };
  for (const given of paths) {
    // A trailing slash would leave the folder without a name.
    const path = basename(given) === '' ? given : join(dirname(given), basename(given));
    const kind = await kindOf(path).catch((): Kind => 'file');
    if (kind === 'folder') await takeFolder(walk, path);
    else if (kind === 'file') await takeFiles(walk, [path], null);
    else walk.grouping.skip({ path, name: basename(path), why: 'not_a_photo' });
  }
  return walk.grouping.found();
};
