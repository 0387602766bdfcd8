import { compareNaturally } from '../../i18n/naturalOrder.ts';

/** The kind of a file, judged by its name alone. */
export type NameKind = 'junk' | 'video' | 'picture' | 'nothing';

const junkNames = new Set(['thumbs.db', 'ehthumbs.db', 'desktop.ini', 'icon\r', '.ds_store']);
const junkFolders = new Set(['__macosx', '@eadir', '$recycle.bin', 'system volume information']);
/** Side files of phones and photo programs: settings, previews, links. */
const junkExtensions = new Set(['aae', 'xmp', 'thm', 'lnk', 'url', 'db', 'ini', 'tmp', 'part', 'crdownload']);
const videoExtensions = new Set('mov mp4 m4v avi mkv webm 3gp 3g2 mts m2ts wmv mpg mpeg flv insv lrv ogv'.split(' '));
const pictureExtensions = new Set(
  (
    'jpg jpeg jpe jfif mpo png apng gif webp avif heic heif hif tif tiff bmp svg svgz jxl jp2 psd ico ' +
    'dng cr2 cr3 nef arw orf rw2 raf'
  ).split(' '),
);

/** Returns the file extension in lower case without the dot, or empty. */
export const getFileExtension = (name: string): string => /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** Returns a name without its extension: `IMG_1.jpg` → `IMG_1`. */
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

/** Tells whether a folder is hidden or created by the system, so that it holds no photos of the seller. */
export const isJunkFolder = (name: string): boolean => name.startsWith('.') || junkFolders.has(name.toLowerCase());

/** Folder names that cameras, phones and systems use for unsorted photos. */
const unsortedFolderNames = [
  /^dcim$/i,
  /^\d{3}[a-z_]{5}$/i,
  /^(camera|camera roll|screenshots|whatsapp images)$/i,
  /^(pictures|photos|images|downloads|desktop|bilder|fotos|immagini|foto|imágenes|images|afbeeldingen|zdjęcia)$/i,
  /(^|\W)(inbox|import|imported|unsorted|eingang)$/i,
  /^(new folder|untitled folder|neuer ordner|nouveau dossier|nuova cartella|nueva carpeta|nieuwe map|nowy folder)\b/i,
  /^\d{4}[-_. ]?\d{2}([-_. ]?\d{2})?$/,
];

/** Tells whether a folder name says nothing about its photos. */
export const isMeaninglessFolderName = (name: string): boolean =>
  unsortedFolderNames.some((pattern) => pattern.test(name));

/** Tells whether a file is named like plain text, such as notes kept beside photos. */
export const isTextName = (name: string): boolean => ['txt', 'md'].includes(getFileExtension(name));

/** A photo of a group by its local path. `root` is the real path of what the person chose; null for uploaded bytes. */
export type PhotoFile = { path: string; name: string; root: string | null };

/** Photos in one folder, treated as one item, and the text files beside them. `folder` is null for single files. */
export type PhotoGroup = { name: string; folder: string | null; photos: PhotoFile[]; texts?: PhotoFile[] };

/**
 * A skipped file or folder with the reason. `outside`: a link that leads out of the given paths; `unreadable_name`: the
 * name is not valid text; `missing`: a given path that does not exist.
 */
export type SkippedFile = {
  path: string;
  name: string;
  why:
    'junk' | 'video' | 'not_a_photo' | 'unreadable' | 'outside' | 'unreadable_folder' | 'unreadable_name' | 'missing';
};

/** The photos found: groups in the order in which they were found, photos in natural order of their names. */
export type FoundPhotos = { groups: PhotoGroup[]; skipped: SkippedFile[] };

/** Collects photos into groups during a search. */
export const createPhotoGrouping = () => {
  const groups = new Map<string, PhotoGroup>();
  const skipped: SkippedFile[] = [];
  const texts = new Map<string, PhotoFile[]>();
  return {
    /** Adds a photo to the group of its folder; `folder` is null for a single file. */
    add(photo: PhotoFile, folder: string | null, folderName: string): void {
      const key = folder ?? '';
      const group = groups.get(key) ?? { name: folderName, folder, photos: [] };
      group.photos.push(photo);
      groups.set(key, group);
    },
    /** Adds a text file to the group of its folder. */
    addText(text: PhotoFile, folder: string): void {
      texts.set(folder, [...(texts.get(folder) ?? []), text]);
    },
    skip(file: SkippedFile): void {
      skipped.push(file);
    },
    found(): FoundPhotos {
      for (const group of groups.values()) {
        const first = group.photos[0];
        if (group.folder === null && first) group.name = removeFileExtension(first.name);
        group.photos.sort((a, b) => compareNaturally(a.name, b.name));
      }
      const alone: SkippedFile[] = [];
      for (const [folder, files] of texts) {
        const group = groups.get(folder);
        if (group) group.texts = files.toSorted((a, b) => compareNaturally(a.name, b.name));
        else alone.push(...files.map(({ path, name }) => ({ path, name, why: 'not_a_photo' as const })));
      }
      return { groups: [...groups.values()], skipped: [...skipped, ...alone] };
    },
  };
};

/**
 * Groups files uploaded by a browser: `relativePath` is like `shoes/IMG_1.jpg`, `path` is the local copy. Classifies by
 * name only, because the content is checked on upload or in preparation.
 */
export const groupUploadedFiles = (files: readonly { path: string; relativePath: string }[]): FoundPhotos => {
  const grouping = createPhotoGrouping();
  for (const { path, relativePath } of files) {
    const parts = relativePath.split(/[/\\]/).filter((part) => part !== '' && part !== '.');
    const name = parts.pop() ?? relativePath;
    const says = parts.some(isJunkFolder) ? 'junk' : classifyFileName(name);
    if (says === 'junk' || says === 'video') grouping.skip({ path, name, why: says });
    else if (isTextName(name) && parts.length > 0) grouping.addText({ path, name, root: null }, parts.join('/'));
    else if (says === 'nothing' && /\.[^.]+$/.test(name)) grouping.skip({ path, name, why: 'not_a_photo' });
    else grouping.add({ path, name, root: null }, parts.length > 0 ? parts.join('/') : null, parts.at(-1) ?? '');
  }
  return grouping.found();
};
