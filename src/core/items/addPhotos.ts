import { access } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Asker } from '../approvals/approval.ts';
import { findPhotos } from '../photos/findPhotos.ts';
import { groupFiles, type FoundPhotos } from '../photos/groupFiles.ts';
import type { Intake } from '../photos/intake.ts';
import { splitGroups } from '../photos/splitGroups.ts';
import { Problem } from '../problem.ts';
import type { Settings } from '../settings.ts';
import type { Items } from './items.ts';

/** Photos to take in: paths on this machine, or bytes that came before. */
export type PhotoSource =
  | { kind: 'paths'; paths: string[]; only?: ReadonlySet<string> }
  | { kind: 'uploads'; files: { uploadId: string; relativePath: string }[] };

export type AddedItems = { itemIds: string[]; skipped: number; sentence: string };

/**
 * Makes an item of every folder that has photos, and one of the loose photos; photos of many things that lie together are
 * split by a guess, which waits for the person's look where the settings want it.
 */
export const addPhotos =
  (items: Items, intake: Intake, settings: () => Settings) =>
  async (source: PhotoSource, by: Asker, note = ''): Promise<AddedItems> => {
    const { groups: found, skipped } =
      source.kind === 'paths' ? await fromPaths(source.paths, source.only) : await fromUploads(intake, source.files);
    const photos = found.reduce((sum, group) => sum + group.photos.length, 0);
    if (photos === 0)
      throw new Problem(
        'NO_PHOTOS_FOUND',
        'There are no photos in there. Drop a folder with photos, or photos themselves.',
      );
    const owned = source.kind === 'uploads';
    const groups = await splitGroups(found);
    const { groupingReview } = settings();
    const sets = groups.map((group) => ({
      name: group.name,
      note,
      guessed: groupingReview && group.guessed,
      photos: group.photos.map(({ name, path }) => ({ name, source: path, owned })),
    }));
    const itemIds = items.add(sets, by);
    return { itemIds, skipped: skipped.length, sentence: sentenceOf(sets, photos, skipped.length) };
  };

const fromPaths = async (paths: string[], only?: ReadonlySet<string>): Promise<FoundPhotos> => {
  const there = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  const gone = paths[there.indexOf(false)];
  if (gone !== undefined)
    throw new Problem('MISSING_PATH', `“${basename(gone)}” is not there any more. Drop it again.`);
  return findPhotos(paths, only ? { only } : {});
};

const fromUploads = async (intake: Intake, files: { uploadId: string; relativePath: string }[]): Promise<FoundPhotos> =>
  groupFiles(
    await Promise.all(
      files.map(async ({ uploadId, relativePath }) => ({ path: await intake.find(uploadId), relativePath })),
    ),
  );

const count = (number: number, one: string): string => `${number} ${number === 1 ? one : `${one}s`}`;

const sentenceOf = (sets: readonly { guessed: boolean }[], photos: number, skipped: number): string => {
  const passedOver = skipped > 0 ? `; ${count(skipped, 'other file')} passed over` : '';
  const guessed = sets.some((set) => set.guessed);
  const look = guessed ? ' Some photos were put together by a guess: look at them before they go on.' : '';
  return `${count(sets.length, 'item')} with ${count(photos, 'photo')}${passedOver}.${look}`;
};
