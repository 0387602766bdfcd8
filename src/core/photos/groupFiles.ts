import { dirname } from 'node:path';
import { compareFileNames } from '../../i18n/naturalOrder.ts';
import { mapInSlices, sortInSlices } from '../base/slices.ts';

export type NameKind = 'junk' | 'video' | 'picture' | 'nothing';

const junkNames = new Set(['thumbs.db', 'ehthumbs.db', 'desktop.ini', 'icon\r', '.ds_store']);
const junkFolders = new Set(['__macosx', '@eadir', '$recycle.bin', 'system volume information']);
/** Files that phones and photo programs create beside photos, such as settings, previews and links. */
const junkExtensions = new Set(['aae', 'xmp', 'thm', 'lnk', 'url', 'db', 'ini', 'tmp', 'part', 'crdownload']);
const videoExtensions = new Set('mov mp4 m4v avi mkv webm 3gp 3g2 mts m2ts wmv mpg mpeg flv insv lrv ogv'.split(' '));
const pictureExtensions = new Set(
  (
    'jpg jpeg jpe jfif mpo png apng gif webp avif heic heif hif tif tiff bmp svg svgz jxl jp2 psd ico ' +
    'dng cr2 cr3 nef arw orf rw2 raf'
  ).split(' '),
);

/** Returns the file extension in lower case without the dot, or an empty string. */
export const getFileExtension = (name: string): string => /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** Returns `IMG_1` for `IMG_1.jpg`. */
export const removeFileExtension = (name: string): string => name.replace(/(?<=.)\.[^./\\]{1,10}$/, '');

/** Classifies a file by its name only. */
export const classifyFileName = (name: string): NameKind => {
  const lower = name.toLowerCase();
  if (lower.startsWith('.') || lower.startsWith('~$') || junkNames.has(lower)) return 'junk';
  const ending = getFileExtension(lower);
  if (junkExtensions.has(ending)) return 'junk';
  if (videoExtensions.has(ending)) return 'video';
  return pictureExtensions.has(ending) ? 'picture' : 'nothing';
};

/** Returns the name of the photo that an iCloud placeholder stands for: `IMG_1.HEIC` for `.IMG_1.HEIC.icloud`. */
export const parsePlaceholderName = (name: string): string | null => {
  const photo = /^\.(.+)\.icloud$/i.exec(name)?.[1] ?? '';
  return classifyFileName(photo) === 'picture' ? photo : null;
};

/** Returns whether a folder is hidden or was created by the system. */
export const isJunkFolder = (name: string): boolean => name.startsWith('.') || junkFolders.has(name.toLowerCase());

const unsortedFolderNames = [
  /^dcim$/i,
  /^\d{3}[a-z_]{5}$/i,
  /^(camera|camera roll|screenshots|whatsapp images)$/i,
  /^(pictures|photos|images|downloads|desktop|bilder|fotos|immagini|foto|imágenes|images|afbeeldingen|zdjęcia)$/i,
  /(^|\W)(inbox|import|imported|unsorted|eingang)$/i,
  /^(new folder|untitled folder|neuer ordner|nouveau dossier|nuova cartella|nueva carpeta|nieuwe map|nowy folder)\b/i,
  /^\d{4}[-_. ]?\d{2}([-_. ]?\d{2})?$/,
];

/** Returns whether a folder has a name that cameras, phones or systems use for unsorted photos. */
export const isMeaninglessFolderName = (name: string): boolean =>
  unsortedFolderNames.some((pattern) => pattern.test(name));

/** Returns whether a file has the name of a plain text file. */
export const isTextName = (name: string): boolean => ['txt', 'md'].includes(getFileExtension(name));

/**
 * A photo or text file on disk. `root` is the real path of the folder or file that the person chose; null for an
 * uploaded file.
 */
export type PhotoFile = { path: string; name: string; root: string | null };

export type PhotoGroup = { name: string; folder: string | null; photos: PhotoFile[]; texts?: PhotoFile[] };

/**
 * A file or folder that is not used. `outside`: a link leads out of the chosen paths. `unreadable_name`: the name is
 * not valid UTF-8. `in_icloud`, `online_only`: only the online storage has the content. `edited`: an edited copy is
 * used in its place.
 */
export type SkippedFile = {
  path: string;
  name: string;
  why:
    | 'junk'
    | 'video'
    | 'not_a_photo'
    | 'unreadable'
    | 'outside'
    | 'unreadable_folder'
    | 'unreadable_name'
    | 'missing'
    | 'in_icloud'
    | 'online_only'
    | 'edited';
};

export type FoundPhotos = { groups: PhotoGroup[]; skipped: SkippedFile[] };

const editedNames = [
  // iPhone: IMG_E11.JPG is the edited copy of IMG_11.HEIC.
  /^(?<before>img_)e(?<after>\d+)$/i,
  // Google Photos: the suffix has the language of the phone.
  /^(?<before>.+)-(edited|bearbeitet|editado|modifié|modificato|bewerkt|edytowane)(?<after>(\(\d+\))?)$/i,
];

const toBareName = (name: string): string => removeFileExtension(name).normalize('NFC').toLowerCase();

const toOriginalName = (name: string): string | null => {
  const bare = toBareName(name);
  const groups = editedNames.map((pattern) => pattern.exec(bare)?.groups).find((found) => found !== undefined);
  return groups ? `${groups['before'] ?? ''}${groups['after'] ?? ''}` : null;
};

const toFolderKey = ({ path }: PhotoFile, bareName: string): string => `${dirname(path)}/${bareName}`;

/**
 * Replaces each original by its edited copy in the same folder, at the place of the original. Returns the photos that
 * remain and the replaced originals.
 */
const replaceOriginals = async (
  photos: readonly PhotoFile[],
): Promise<{ kept: PhotoFile[]; replaced: PhotoFile[] }> => {
  const originals = await mapInSlices(photos, ({ name }) => toOriginalName(name));
  const edited = new Map(
    photos.flatMap((photo, at) => {
      const original = originals[at];
      return typeof original === 'string' ? [[toFolderKey(photo, original), photo] as const] : [];
    }),
  );
  if (edited.size === 0) return { kept: [...photos], replaced: [] };
  const copies = await mapInSlices(photos, (photo) => edited.get(toFolderKey(photo, toBareName(photo.name))));
  const moved = new Set(copies);
  const kept = photos.flatMap((photo, at) => (moved.has(photo) ? [] : [copies[at] ?? photo]));
  return { kept: [...new Set(kept)], replaced: photos.filter((_, at) => copies[at] !== undefined) };
};

const compareByName = (one: PhotoFile, other: PhotoFile): number => compareFileNames(one.name, other.name);

/** Creates a collector that groups photos by their folder. */
export const createPhotoGrouper = () => {
  const groups = new Map<string, PhotoGroup>();
  const skipped: SkippedFile[] = [];
  const texts = new Map<string, PhotoFile[]>();
  return {
    add(photo: PhotoFile, folder: string | null, folderName: string): void {
      const key = folder ?? '';
      const group = groups.get(key) ?? { name: folderName, folder, photos: [] };
      group.photos.push(photo);
      groups.set(key, group);
    },
    addText(text: PhotoFile, folder: string): void {
      texts.set(folder, [...(texts.get(folder) ?? []), text]);
    },
    skip(file: SkippedFile): void {
      skipped.push(file);
    },
    async found(): Promise<FoundPhotos> {
      for (const group of groups.values()) {
        const first = group.photos[0];
        if (group.folder === null && first) group.name = removeFileExtension(first.name);
        const { kept, replaced } = await replaceOriginals(await sortInSlices(group.photos, compareByName));
        group.photos = kept;
        skipped.push(...replaced.map(({ path, name }) => ({ path, name, why: 'edited' as const })));
      }
      const alone: SkippedFile[] = [];
      for (const [folder, files] of texts) {
        const group = groups.get(folder);
        if (group) group.texts = files.toSorted(compareByName);
        else alone.push(...files.map(({ path, name }) => ({ path, name, why: 'not_a_photo' as const })));
      }
      return { groups: [...groups.values()], skipped: [...skipped, ...alone] };
    },
  };
};

/**
 * Groups files that a browser uploaded. `path` is the local copy, and `relativePath` is a path such as
 * `shoes/IMG_1.jpg`. Files are classified by name only, because their content is checked later.
 */
export const groupUploadedFiles = async (
  files: readonly { path: string; relativePath: string }[],
): Promise<FoundPhotos> => {
  const grouping = createPhotoGrouper();
  for (const { path, relativePath } of files) {
    const parts = relativePath.split(/[/\\]/).filter((part) => part !== '' && part !== '.');
    const name = parts.pop() ?? relativePath;
    const says = parts.some(isJunkFolder) ? 'junk' : classifyFileName(name);
    const placeholder = parsePlaceholderName(name);
    if (placeholder !== null) grouping.skip({ path, name: placeholder, why: 'in_icloud' });
    else if (says === 'junk' || says === 'video') grouping.skip({ path, name, why: says });
    else if (isTextName(name) && parts.length > 0) grouping.addText({ path, name, root: null }, parts.join('/'));
    else if (says === 'nothing' && /\.[^.]+$/.test(name)) grouping.skip({ path, name, why: 'not_a_photo' });
    else grouping.add({ path, name, root: null }, parts.length > 0 ? parts.join('/') : null, parts.at(-1) ?? '');
  }
  return grouping.found();
};
