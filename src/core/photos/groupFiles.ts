import { byName, isJunkFolder, naturally, stemOf } from './byName.ts';

/** One photo of a group, by its place on this machine; `root` is the real path of what it was given with, null for bytes that came. */
export type PhotoFile = { path: string; name: string; root: string | null };

/** Photos that lie together and are taken for one item. `folder` is null for files given one by one. */
export type PhotoGroup = { name: string; folder: string | null; photos: PhotoFile[] };

/** A file or folder that is not among the photos, and why; `outside` is a link that leads out of what was given. */
export type SkippedFile = {
  path: string;
  name: string;
  why: 'junk' | 'video' | 'not_a_photo' | 'unreadable' | 'outside';
};

/** What an intake found: groups in the order they were met, photos in natural order of their names. */
export type FoundPhotos = { groups: PhotoGroup[]; skipped: SkippedFile[] };

/** Collects photos into groups while an intake walks. */
export const createGrouping = () => {
  const groups = new Map<string, PhotoGroup>();
  const skipped: SkippedFile[] = [];
  return {
    /** Puts a photo to the others of its folder; `folder` null means it was given by itself. */
    add(photo: PhotoFile, folder: string | null, folderName: string): void {
      const key = folder ?? '';
      const group = groups.get(key) ?? { name: folderName, folder, photos: [] };
      group.photos.push(photo);
      groups.set(key, group);
    },
    skip(file: SkippedFile): void {
      skipped.push(file);
    },
    found(): FoundPhotos {
      for (const group of groups.values()) {
        const first = group.photos[0];
        if (group.folder === null && first) group.name = stemOf(first.name);
        group.photos.sort((a, b) => naturally(a.name, b.name));
      }
      return { groups: [...groups.values()], skipped };
    },
  };
};

/**
 * Groups files that arrived one by one, as a browser sends them: `relativePath` is like `shoes/IMG_1.jpg`, and `path`
 * is where the bytes were put on this machine. Judges by name only, because such files were looked at on arrival or
 * will be in preparation.
 */
export const groupFiles = (files: readonly { path: string; relativePath: string }[]): FoundPhotos => {
  const grouping = createGrouping();
  for (const { path, relativePath } of files) {
    const parts = relativePath.split(/[/\\]/).filter((part) => part !== '' && part !== '.');
    const name = parts.pop() ?? relativePath;
    const says = parts.some(isJunkFolder) ? 'junk' : byName(name);
    if (says === 'junk' || says === 'video') grouping.skip({ path, name, why: says });
    else if (says === 'nothing' && /\.[^.]+$/.test(name)) grouping.skip({ path, name, why: 'not_a_photo' });
    else grouping.add({ path, name, root: null }, parts.length > 0 ? parts.join('/') : null, parts.at(-1) ?? '');
  }
  return grouping.found();
};
