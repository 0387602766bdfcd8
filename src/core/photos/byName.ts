/** What a file's name alone says about it. */
export type NameSays = 'junk' | 'video' | 'picture' | 'nothing';

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
export const byName = (name: string): NameSays => {
  const lower = name.toLowerCase();
  if (lower.startsWith('.') || lower.startsWith('~$') || junkNames.has(lower)) return 'junk';
  const ending = endingOf(lower);
  if (junkEndings.has(ending)) return 'junk';
  if (videoEndings.has(ending)) return 'video';
  return pictureEndings.has(ending) ? 'picture' : 'nothing';
};

/** Folders that hold no photos of the seller: hidden ones and those that systems make. */
export const isJunkFolder = (name: string): boolean => name.startsWith('.') || junkFolders.has(name.toLowerCase());

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Orders names as people do: IMG_2 before IMG_10. */
export const naturally = (a: string, b: string): number => collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
