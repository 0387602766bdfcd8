import type { CallInput, CompanionWindow } from '../../../ipc/calls.ts';
import { useSyncExternalStore } from 'react';
import { addressOf, CallError, call, companion, sentenceOf, type Added } from './call.ts';
import { createStore } from './createStore.ts';
import { t, translate } from '../i18n.ts';
import { intakes, type Intake } from './intakes.ts';
import { isUnknownRecord } from './unknownRecord.ts';
import { compareNaturally } from '../../../i18n/naturalOrder.ts';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';

/** A dropped file, with its path relative to the drop: `fox figurine/front.jpg`. */
type Dropped = { file: File; relativePath: string };

const photoEnding = /\.(jpe?g|png|webp|heic|heif|hif|avif|tiff?|gif|bmp|dng)$/i;
const hasEnding = /\.[a-z0-9]{1,5}$/i;

/** Whether a file is worth uploading. The core checks the content; this only skips films and documents. */
export const mayBePhoto = (name: string, type: string): boolean =>
  !name.startsWith('.') && (type.startsWith('image/') || photoEnding.test(name) || (!type && !hasEnding.test(name)));

/** The maximum size of a text file that is proposed for an item, in bytes; the core has the same limit. */
const mostTextBytes = 4_096;

/** Whether a file is a short text in a folder of photos; the core proposes it as the item's notes. */
const isBesidePhotos = ({ file, relativePath }: Dropped): boolean =>
  /\.(txt|md)$/i.test(file.name) && file.size <= mostTextBytes && relativePath.includes('/');

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/** Returns all entries of a folder: `readEntries` returns at most a hundred per call, and none at the end. */
const entriesOf = async (folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> => {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
};

const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

const walk = async (entry: FileSystemEntry): Promise<Dropped[]> => {
  if (isFileEntry(entry)) return [{ file: await fileOf(entry), relativePath: entry.fullPath.replace(/^\//, '') }];
  const found: Dropped[] = [];
  if (isFolder(entry)) for (const inside of await entriesOf(entry)) found.push(...(await walk(inside)));
  return found;
};

/** Reads every file of a drop. The entries must be taken before the event ends, so that part is synchronous. */
const readDrop = (transfer: DataTransfer): Promise<Dropped[]> => {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry());
  const files = [...transfer.files];
  return entries.some((entry) => entry !== null)
    ? Promise.all(entries.filter((entry) => entry !== null).map(walk)).then((all) => all.flat())
    : Promise.resolve(fromFiles(files));
};

/** Converts the files of a file input; files of a chosen folder have a relative path. */
const fromFiles = (files: readonly File[]): Dropped[] =>
  files.map((file) => ({ file, relativePath: file.webkitRelativePath || file.name }));

/**
 * Returns the paths to add if the host knows them. For a chosen folder that is the folder itself, so that its photos
 * stay together. Empty in a browser, where files have no path.
 */
export const pathsOf = (files: readonly File[], pathOf: CompanionWindow['pathOf']): string[] => {
  if (!pathOf) return [];
  const paths = files.map((file) => rootOf(pathOf(file), file.webkitRelativePath)).filter((path) => path !== '');
  return [...new Set(paths)];
};

/** Returns the chosen folder: `/home/a/fox/front.jpg` with `fox/front.jpg` → `/home/a/fox`. */
const rootOf = (path: string, relative: string): string => {
  const [folder] = relative.split('/');
  if (!folder || !path.replaceAll('\\', '/').endsWith(relative)) return path;
  return path.slice(0, path.length - relative.length + folder.length);
};

/** The template of the next photos in this window: null for no template, undefined for the default in the settings. */
const nextTemplate = createStore<string | null | undefined>(undefined);

export const setNextTemplate = nextTemplate.set;

export const useNextTemplate = (): string | null | undefined =>
  useSyncExternalStore(nextTemplate.subscribe, nextTemplate.get);

type Target = CallInput<'items.addInto'>['into'];

/** Adds photos: as new items with a template, or to the given target. */
const addSources = (
  sources: CallInput<'items.add'>['sources'],
  templateId: string | null | undefined,
  into: Target | undefined,
): Promise<Added> =>
  into === undefined
    ? call('items.add', { sources, ...(templateId === undefined ? {} : { templateId }) })
    : call('items.addInto', { sources, into });

const parallelUploads = 3;

/** The bytes stay on this computer; even an old disk writes a megabyte per second. */
const uploadLimitMs = (file: File): number => 30_000 + file.size / 1_000;

const sendOne = async (file: File): Promise<string> => {
  const late = new AbortController();
  const timedOut = new CallError({ code: 'INTAKE_FAILED', sentence: t('items.uploadTimedOut', { name: file.name }) });
  const timer = setTimeout(() => late.abort(timedOut), uploadLimitMs(file));
  const response = await fetch(addressOf('/intake'), {
    method: 'POST',
    body: file,
    headers: { 'content-type': 'application/octet-stream' },
    signal: late.signal,
  }).finally(() => clearTimeout(timer));
  const body: unknown = await response.json().catch(() => null);
  const { uploadId, error } = isUnknownRecord(body) ? body : {};
  if (response.ok && typeof uploadId === 'string') return uploadId;
  const sentence = typeof error === 'string' ? error : t('items.unread', { name: file.name });
  throw new CallError({ code: 'INTAKE_FAILED', sentence });
};

/** A photo that the host has stored, with its id there. */
type Sent = { uploadId: string; relativePath: string };

/** Uploads the photos to the host, three at a time; the ids are returned in the photos' order. */
const sendBytes = async (photos: readonly Dropped[], onSent: (photo: Dropped) => void): Promise<Sent[]> => {
  const sent: Sent[] = [];
  // All lanes share this iterator.
  const queue = photos.entries();
  const lane = async (): Promise<void> => {
    for (const [at, photo] of queue) {
      sent[at] = { uploadId: await sendOne(photo.file), relativePath: photo.relativePath };
      onSent(photo);
    }
  };
  await Promise.all(Array.from({ length: parallelUploads }, lane));
  return sent;
};

const nothingAdded = (skipped: number): Added => ({
  itemIds: [],
  skipped,
  sentence: skipped === 0 ? t('items.nothingIn') : t('items.noPhoto'),
});

const folderOf = (photo: Dropped): string =>
  photo.relativePath.includes('/') ? photo.relativePath.slice(0, photo.relativePath.lastIndexOf('/')) : '';

/** A placeholder row for the photos of one folder or for all single photos, with its first photo by name. */
type Row = { intake: Intake; first: Dropped };

/** The longest time in ms that a loop blocks the window. */
const sliceMs = 5;

/** Waits for the next task, so that the window can handle keys and draw a frame. */
const letWindow = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Calls a function for each element and yields to the window in between. */
const eachInTurns = async <T>(all: readonly T[], act: (one: T) => void): Promise<void> => {
  let until = performance.now() + sliceMs;
  for (const one of all) {
    act(one);
    if (performance.now() < until) continue;
    await letWindow();
    until = performance.now() + sliceMs;
  }
};

/** Creates one placeholder row per folder, and one for all single photos. */
const rowsOf = async (photos: readonly Dropped[]): Promise<Map<string, Row>> => {
  const rows = new Map<string, Row>();
  await eachInTurns(photos, (photo) => {
    const folder = folderOf(photo);
    const row = rows.get(folder);
    if (row) {
      row.intake.total += 1;
      // In the core's order, so that the finished item shows the same photo.
      if (compareNaturally(photo.file.name, row.first.file.name) < 0) row.first = photo;
      return;
    }
    const name = folder.split('/').at(-1) || photo.file.name;
    rows.set(folder, { intake: { intakeId: crypto.randomUUID(), name, total: 1 }, first: photo });
  });
  return rows;
};

/** Chooses the files of a drop to upload: photos, and the texts beside them. */
const choose = async (all: readonly Dropped[]): Promise<Record<'photos' | 'texts', Dropped[]>> => {
  const photos: Dropped[] = [];
  const others: Dropped[] = [];
  await eachInTurns(all, (one) => (mayBePhoto(one.file.name, one.file.type) ? photos : others).push(one));
  const folders = new Set(photos.map(folderOf));
  return { photos, texts: others.filter((one) => isBesidePhotos(one) && folders.has(folderOf(one))) };
};

const addBytes = async (all: readonly Dropped[], into?: Target): Promise<Added> => {
  // Read now: a template that is chosen during the upload applies to the next drop.
  const templateId = nextTemplate.get();
  // The browser needs long for a drop of many files; our work goes into the next task.
  await letWindow();
  const { photos, texts } = await choose(all);
  const skipped = all.length - photos.length - texts.length;
  if (photos.length === 0) return nothingAdded(skipped);
  const rows = await rowsOf(photos);
  const placeholders = [...rows.values()].map(({ intake }) => intake);
  intakes.add(placeholders);
  const count = (photo: Dropped): void => {
    const row = rows.get(folderOf(photo));
    if (row) intakes.countSent(row.intake.intakeId, row.first.file);
  };
  try {
    const files = [...(await sendBytes(photos, count)), ...(await sendBytes(texts, () => undefined))];
    const added = await addSources({ kind: 'uploads', files }, templateId, into);
    return { ...added, skipped: added.skipped + skipped };
  } finally {
    intakes.drop(placeholders);
  }
};

const addPaths = (paths: string[], into?: Target): Promise<Added> =>
  addSources({ kind: 'paths', paths }, nextTemplate.get(), into);

/** Returns the source of one chosen file for the core: its path, or the id of its uploaded bytes. */
export const sourceOf = async (file: File): Promise<CallInput<'photos.avatar'>> => {
  const { host, pathOf } = companion();
  const [path] = host === 'electron' ? pathsOf([file], pathOf) : [];
  return path === undefined ? { uploadId: await sendOne(file) } : { path };
};

/** Adds the files that were dropped on the window. Call it inside the drop event. */
export const addDroppedPhotos = async (transfer: DataTransfer): Promise<Added> => {
  const { host, pathOf } = companion();
  if (host === 'electron') {
    const paths = pathsOf([...transfer.files], pathOf);
    if (paths.length > 0) return addPaths(paths);
  }
  return addBytes(await readDrop(transfer));
};

/** Adds the files that were chosen with a file input: as new items, or to an item or a listing. */
export const addChosenPhotos = async (files: readonly File[], into?: Target): Promise<Added> => {
  const { host, pathOf } = companion();
  const paths = host === 'electron' ? pathsOf(files, pathOf) : [];
  return paths.length > 0 ? addPaths(paths, into) : addBytes(fromFiles(files), into);
};

const addedText = (added: Added): string =>
  translate(added.says, added.sentence) || t('items.added', { count: added.itemIds.length });

/** Runs an intake and shows a message about its outcome. */
export const useAddPhotos = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (run: () => Promise<Added>) => run(),
    // Only this message names the skipped files, so it stays until it is closed.
    onSuccess: (added) =>
      notifications.show({
        message: addedText(added),
        ...(added.left ? { color: 'amber', autoClose: false } : { color: 'gray' }),
      }),
    onError: (error) => notifications.show({ message: sentenceOf(error), color: 'amber' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['items'] }),
  });
};
