import { compareNaturally } from '../../i18n/naturalOrder.ts';

/** What a file's name alone says about it. */
export type NameKind = 'junk' | 'video' | 'picture' | 'nothing';

const junkNames = new Set(['thumbs.db', 'ehthumbs.db', 'desktop.ini', 'icon\r', '.ds_store']);
const junkFolders = new Set(['__macosx', '@eadir', '$recycle.bin', 'system volume information']);
/** Side files of phones and photo programs: settings, previews, links. */
const junkEndings = new Set(['aae', 'xmp', 'thm', 'lnk', 'url', 'db', 'ini', 'tmp', 'part', 'crdownload']);
const videoEndings = new Set('mov mp4 m4v avi mkv webm 3gp 3g2 mts m2ts wmv mpg mpeg flv insv lrv ogv'.split(' '));
const pictureEndings = new Set(
  (
    'jpg jpeg jpe jfif mpo png apng gif webp avif heic heif hif tif tiff bmp svg svgz jxl jp2 psd ico ' +
    'dng cr2 cr3 nef arw orf rw2 raf'
  ).split(' '),
);

/** The ending of a name in lower case, without the dot; empty when there is none. */
export const endingOf = (name: string): string => /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** A name without its ending: `IMG_1.jpg` → `IMG_1`. */
export const stemOf = (name: string): string => name.replace(/(?<=.)\.[^./\\]{1,10}$/, '');

/** Judges a file by its name only; costs nothing. */
export const byName = (name: string): NameKind => {
  const lower = name.toLowerCase();
  if (lower.startsWith('.') || lower.startsWith('~$') || junkNames.has(lower)) return 'junk';
  const ending = endingOf(lower);
  if (junkEndings.has(ending)) return 'junk';
  if (videoEndings.has(ending)) return 'video';
  return pictureEndings.has(ending) ? 'picture' : 'nothing';
};

/** Folders that hold no photos of the seller: hidden ones and those that systems make. */
export const isJunkFolder = (name: string): boolean => name.startsWith('.') || junkFolders.has(name.toLowerCase());

/** Names that cameras, phones and systems give to folders in which photos of many things lie together. */
const flatNames = [
  /^dcim$/i,
  /^\d{3}[a-z_]{5}$/i,
  /^(camera|camera roll|screenshots|whatsapp images)$/i,
  /^(pictures|photos|images|downloads|desktop|bilder|fotos|immagini|foto|imágenes|images|afbeeldingen|zdjęcia)$/i,
  /(^|\W)(inbox|import|imported|unsorted|eingang)$/i,
  /^(new folder|untitled folder|neuer ordner|nouveau dossier|nuova cartella|nueva carpeta|nieuwe map|nowy folder)\b/i,
  /^\d{4}[-_. ]?\d{2}([-_. ]?\d{2})?$/,
];

/** Whether the name of a folder says nothing of what its photos show. */
export const namesNothing = (name: string): boolean => flatNames.some((pattern) => pattern.test(name));

/** Whether a file's name promises plain text, such as a person keeps beside photos. */
export const isTextName = (name: string): boolean => ['txt', 'md'].includes(endingOf(name));

/** One photo of a group, by its place on this machine; `root` is the real path of what it was given with, null for bytes that came. */
export type PhotoFile = { path: string; name: string; root: string | null };

/**
 * Photos that lie together and are taken for one item, and the text files beside them. `folder` is null for files given
 * one by one.
 */
export type PhotoGroup = { name: string; folder: string | null; photos: PhotoFile[]; texts?: PhotoFile[] };

/**
 * A file or folder that is not among the photos, and why. `outside`: a link that leads out of what was given;
 * `unreadable_name`: the system knows it by a name that is no text; `missing`: it was given, and is not there.
 */
export type SkippedFile = {
  path: string;
  name: string;
  why:
    'junk' | 'video' | 'not_a_photo' | 'unreadable' | 'outside' | 'unreadable_folder' | 'unreadable_name' | 'missing';
};

/** What an intake found: groups in the order they were met, photos in natural order of their names. */
export type FoundPhotos = { groups: PhotoGroup[]; skipped: SkippedFile[] };

/** Collects photos into groups while an intake walks. */
export const createGrouping = () => {
  const groups = new Map<string, PhotoGroup>();
  const skipped: SkippedFile[] = [];
  const texts = new Map<string, PhotoFile[]>();
  return {
    /** Puts a photo to the others of its folder; `folder` null means it was given by itself. */
    add(photo: PhotoFile, folder: string | null, folderName: string): void {
      const key = folder ?? '';
      const group = groups.get(key) ?? { name: folderName, folder, photos: [] };
      group.photos.push(photo);
      groups.set(key, group);
    },
    /** Keeps a text file for the photos of its folder. */
    addText(text: PhotoFile, folder: string): void {
      texts.set(folder, [...(texts.get(folder) ?? []), text]);
    },
    skip(file: SkippedFile): void {
      skipped.push(file);
    },
    found(): FoundPhotos {
      for (const group of groups.values()) {
        const first = group.photos[0];
        if (group.folder === null && first) group.name = stemOf(first.name);
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
    else if (isTextName(name) && parts.length > 0) grouping.addText({ path, name, root: null }, parts.join('/'));
    else if (says === 'nothing' && /\.[^.]+$/.test(name)) grouping.skip({ path, name, why: 'not_a_photo' });
    else grouping.add({ path, name, root: null }, parts.length > 0 ? parts.join('/') : null, parts.at(-1) ?? '');
  }
  return grouping.found();
};
