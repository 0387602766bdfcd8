import { call, companion } from '../call.ts';
import type { Added } from '../types.ts';
import { addIntakes, countSent, dropIntakes, type Intake } from './intakeStore.ts';
import { pathsOf } from './paths.ts';
import { fromFiles, mayBePhoto, readDrop, type Dropped } from './readDrop.ts';
import { sendBytes } from './sendBytes.ts';
import { t } from '../../i18n/t.ts';

const nothing = (skipped: number): Added => ({
  itemIds: [],
  skipped,
  sentence: skipped === 0 ? t('items.nothingIn') : t('items.noPhoto'),
});

/** Pictures that a browser can show by itself; a HEIC photo waits for the core's thumbnail. */
const shows = (file: File): boolean => /^image\/(jpeg|png|webp|gif|avif)$/.test(file.type);

const folderOf = (photo: Dropped): string =>
  photo.relativePath.includes('/') ? photo.relativePath.slice(0, photo.relativePath.lastIndexOf('/')) : '';

/** One placeholder row for each folder, and one for loose photos together. */
const rowsOf = (photos: readonly Dropped[]): Map<string, Intake> => {
  const rows = new Map<string, Intake>();
  for (const photo of photos) {
    const folder = folderOf(photo);
    const row = rows.get(folder);
    if (row) row.total += 1;
    const name = folder.split('/').at(-1) || photo.file.name;
    const thumbUrl = row?.thumbUrl ?? (shows(photo.file) ? URL.createObjectURL(photo.file) : null);
    rows.set(folder, row ? { ...row, thumbUrl } : { intakeId: crypto.randomUUID(), name, thumbUrl, sent: 0, total: 1 });
  }
  return rows;
};

const takeInBytes = async (all: readonly Dropped[]): Promise<Added> => {
  const photos = all.filter(({ file }) => mayBePhoto(file.name, file.type));
  const skipped = all.length - photos.length;
  if (photos.length === 0) return nothing(skipped);
  const rows = rowsOf(photos);
  addIntakes([...rows.values()]);
  try {
    const files = await sendBytes(photos, (photo) => countSent(rows.get(folderOf(photo))?.intakeId ?? ''));
    const added = await call('items.add', { sources: { kind: 'uploads', files } });
    return { ...added, skipped: added.skipped + skipped };
  } finally {
    dropIntakes([...rows.values()].map((row) => row.intakeId));
  }
};

const takeInPaths = (paths: string[]): Promise<Added> => call('items.add', { sources: { kind: 'paths', paths } });

/** Takes in what was dropped on the window. Call it inside the drop event. */
export const takeInDrop = async (transfer: DataTransfer): Promise<Added> => {
  const { host, pathOf } = companion();
  if (host === 'electron') {
    const paths = pathsOf([...transfer.files], pathOf);
    if (paths.length > 0) return takeInPaths(paths);
  }
  return takeInBytes(await readDrop(transfer));
};

/** Takes in what was chosen with a file input. */
export const takeInFiles = async (files: readonly File[]): Promise<Added> => {
  const { host, pathOf } = companion();
  const paths = host === 'electron' ? pathsOf(files, pathOf) : [];
  return paths.length > 0 ? takeInPaths(paths) : takeInBytes(fromFiles(files));
};
