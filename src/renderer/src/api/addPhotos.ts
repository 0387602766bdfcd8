import { useCoreQuery, useItemMutation } from './useCall.ts';
import { useQueryClient } from '@tanstack/react-query';
import type { CallInput, CompanionWindow } from '../../../ipc/calls.ts';
import { useSyncExternalStore } from 'react';
import { resolveCoreAddress, CallError, callCore, getCompanionWindow, type IntakeResult } from './call.ts';
import { createStore } from './createStore.ts';
import { t, translateMessage } from '../i18n.ts';
import { intakes, type Intake } from './intakes.ts';
import { isUnknownRecord } from './unknownRecord.ts';
import { compareFileNames } from '../../../i18n/naturalOrder.ts';
import { notifications } from '@mantine/notifications';

/** `relativePath` is relative to the drop, for example `fox figurine/front.jpg`. */
type DroppedFile = { file: File; relativePath: string };

const photoEnding = /\.(jpe?g|png|webp|heic|heif|hif|avif|tiff?|gif|bmp|dng)$/i;
/** The core tells the person to download the photo that such a placeholder stands for. */
const icloudPlaceholder = /^\..+\.icloud$/i;
const hasEnding = /\.[a-z0-9]{1,5}$/i;

/** Returns false for films and documents, so that they are not uploaded. The core checks the content of each file. */
export const isLikelyPhoto = (name: string, type: string): boolean =>
  icloudPlaceholder.test(name) ||
  (!name.startsWith('.') && (type.startsWith('image/') || photoEnding.test(name) || (!type && !hasEnding.test(name))));

/** The core refuses a longer text file. */
const maxTextBytes = 4_096;

/** The core proposes a text file from a folder of photos as the notes of the item. */
const isTextBesidePhotos = ({ file, relativePath }: DroppedFile): boolean =>
  /\.(txt|md)$/i.test(file.name) && file.size <= maxTextBytes && relativePath.includes('/');

const readFileEntry = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/** `readEntries` returns at most a hundred entries per call. An empty list means that there are no more entries. */
const readFolderEntries = async (folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> => {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
};

const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolderEntry = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

const collectEntryFiles = async (entry: FileSystemEntry): Promise<DroppedFile[]> => {
  if (isFileEntry(entry))
    return [{ file: await readFileEntry(entry), relativePath: entry.fullPath.replace(/^\//, '') }];
  const found: DroppedFile[] = [];
  if (isFolderEntry(entry))
    for (const inside of await readFolderEntries(entry)) found.push(...(await collectEntryFiles(inside)));
  return found;
};

/** The browser clears the entries after the event ends, so they are read before the first `await`. */
const readDroppedFiles = (transfer: DataTransfer): Promise<DroppedFile[]> => {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry());
  const files = [...transfer.files];
  return entries.some((entry) => entry !== null)
    ? Promise.all(entries.filter((entry) => entry !== null).map(collectEntryFiles)).then((all) => all.flat())
    : Promise.resolve(toDroppedFiles(files));
};

const toDroppedFiles = (files: readonly File[]): DroppedFile[] =>
  files.map((file) => ({ file, relativePath: file.webkitRelativePath || file.name }));

/** A chosen folder is returned as one path, so that its photos stay together. In a browser, the list is empty. */
export const resolveSourcePaths = (files: readonly File[], pathOf: CompanionWindow['pathOf']): string[] => {
  if (!pathOf) return [];
  const paths = files.map((file) => getChosenRoot(pathOf(file), file.webkitRelativePath)).filter((path) => path !== '');
  return [...new Set(paths)];
};

/** For example, `/home/a/fox/front.jpg` with `fox/front.jpg` returns `/home/a/fox`. */
const getChosenRoot = (path: string, relative: string): string => {
  const [folder] = relative.split('/');
  if (!folder || !path.replaceAll('\\', '/').endsWith(relative)) return path;
  return path.slice(0, path.length - relative.length + folder.length);
};

/** Null means that the person wants no template. Undefined means that the settings decide. */
const nextTemplate = createStore<string | null | undefined>(undefined);

export const setNextTemplate = nextTemplate.set;

export const useNextTemplate = (): string | null | undefined =>
  useSyncExternalStore(nextTemplate.subscribe, nextTemplate.get);

type AddTarget = CallInput<'items.addInto'>['into'];

const addSources = (
  sources: CallInput<'items.add'>['sources'],
  templateId: string | null | undefined,
  into: AddTarget | undefined,
): Promise<IntakeResult> =>
  into === undefined
    ? callCore('items.add', { sources, ...(templateId === undefined ? {} : { templateId }) })
    : callCore('items.addInto', { sources, into });

const parallelUploads = 3;

/** The bytes stay on this computer, and even an old disk writes a megabyte per second. */
const computeUploadTimeoutMs = (file: File): number => 30_000 + file.size / 1_000;

const uploadOneFile = async (file: File): Promise<string> => {
  const late = new AbortController();
  const timedOut = new CallError({ code: 'INTAKE_FAILED', sentence: t('items.uploadTimedOut', { name: file.name }) });
  const timer = setTimeout(() => late.abort(timedOut), computeUploadTimeoutMs(file));
  const response = await fetch(resolveCoreAddress('/intake'), {
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

type UploadedFile = { uploadId: string; relativePath: string };

const uploadAllFiles = async (
  photos: readonly DroppedFile[],
  onSent: (photo: DroppedFile) => void,
): Promise<UploadedFile[]> => {
  const sent: UploadedFile[] = [];
  // All parallel uploads share this iterator, so that each photo is uploaded once.
  const queue = photos.entries();
  const uploadFromQueue = async (): Promise<void> => {
    for (const [at, photo] of queue) {
      sent[at] = { uploadId: await uploadOneFile(photo.file), relativePath: photo.relativePath };
      onSent(photo);
    }
  };
  await Promise.all(Array.from({ length: parallelUploads }, uploadFromQueue));
  return sent;
};

const createEmptyResult = (skipped: number): IntakeResult => ({
  itemIds: [],
  skipped,
  sentence: skipped === 0 ? t('items.nothingIn') : t('items.noPhoto'),
});

const getFolderPath = (photo: DroppedFile): string =>
  photo.relativePath.includes('/') ? photo.relativePath.slice(0, photo.relativePath.lastIndexOf('/')) : '';

/** A row represents the photos of one folder, or all photos without a folder. `first` is the first photo by name. */
type PlaceholderRow = { intake: Intake; first: DroppedFile };

/** A loop over many photos must not block the window for longer than this. */
const sliceMs = 5;

/** Lets the window handle keys and draw a frame before the next task. */
const yieldToWindow = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

const forEachYielding = async <T>(all: readonly T[], act: (one: T) => void): Promise<void> => {
  let until = performance.now() + sliceMs;
  for (const one of all) {
    act(one);
    if (performance.now() < until) continue;
    await yieldToWindow();
    until = performance.now() + sliceMs;
  }
};

const createPlaceholderRows = async (photos: readonly DroppedFile[]): Promise<Map<string, PlaceholderRow>> => {
  const rows = new Map<string, PlaceholderRow>();
  await forEachYielding(photos, (photo) => {
    const folder = getFolderPath(photo);
    const row = rows.get(folder);
    if (row) {
      row.intake.total += 1;
      // The core sorts photos by name too, so the finished item shows this photo.
      if (compareFileNames(photo.file.name, row.first.file.name) < 0) row.first = photo;
      return;
    }
    const name = folder.split('/').at(-1) || photo.file.name;
    rows.set(folder, { intake: { intakeId: crypto.randomUUID(), name, total: 1 }, first: photo });
  });
  return rows;
};

const choosePhotosAndTexts = async (
  all: readonly DroppedFile[],
): Promise<Record<'photos' | 'texts', DroppedFile[]>> => {
  const photos: DroppedFile[] = [];
  const others: DroppedFile[] = [];
  await forEachYielding(all, (one) => (isLikelyPhoto(one.file.name, one.file.type) ? photos : others).push(one));
  const folders = new Set(photos.map(getFolderPath));
  return { photos, texts: others.filter((one) => isTextBesidePhotos(one) && folders.has(getFolderPath(one))) };
};

const uploadAndAddPhotos = async (all: readonly DroppedFile[], into?: AddTarget): Promise<IntakeResult> => {
  // A template that the person chooses during the upload applies to the next drop.
  const templateId = nextTemplate.get();
  // The browser takes long to process a drop of many files, so the companion's work starts in the next task.
  await yieldToWindow();
  const { photos, texts } = await choosePhotosAndTexts(all);
  const skipped = all.length - photos.length - texts.length;
  if (photos.length === 0) return createEmptyResult(skipped);
  const rows = await createPlaceholderRows(photos);
  const placeholders = [...rows.values()].map(({ intake }) => intake);
  intakes.add(placeholders);
  const countUploadedPhoto = (photo: DroppedFile): void => {
    const row = rows.get(getFolderPath(photo));
    if (row) intakes.countSent(row.intake.intakeId, row.first.file);
  };
  try {
    const files = [
      ...(await uploadAllFiles(photos, countUploadedPhoto)),
      ...(await uploadAllFiles(texts, () => undefined)),
    ];
    const added = await addSources({ kind: 'uploads', files }, templateId, into);
    return { ...added, skipped: added.skipped + skipped };
  } finally {
    intakes.drop(placeholders);
  }
};

const addLocalPaths = (paths: string[], into?: AddTarget): Promise<IntakeResult> =>
  addSources({ kind: 'paths', paths }, nextTemplate.get(), into);

export const resolveFileSource = async (file: File): Promise<CallInput<'photos.avatar'>> => {
  const { host, pathOf } = getCompanionWindow();
  const [path] = host === 'electron' ? resolveSourcePaths([file], pathOf) : [];
  return path === undefined ? { uploadId: await uploadOneFile(file) } : { path };
};

/** Must be called inside the drop event, because the browser clears the dropped entries afterwards. */
export const addDroppedPhotos = async (transfer: DataTransfer): Promise<IntakeResult> => {
  const { host, pathOf } = getCompanionWindow();
  if (host === 'electron') {
    const paths = resolveSourcePaths([...transfer.files], pathOf);
    if (paths.length > 0) return addLocalPaths(paths);
  }
  return uploadAndAddPhotos(await readDroppedFiles(transfer));
};

export const addChosenPhotos = async (files: readonly File[], into?: AddTarget): Promise<IntakeResult> => {
  const { host, pathOf } = getCompanionWindow();
  const paths = host === 'electron' ? resolveSourcePaths(files, pathOf) : [];
  return paths.length > 0 ? addLocalPaths(paths, into) : uploadAndAddPhotos(toDroppedFiles(files), into);
};

const formatAddedText = (added: IntakeResult): string =>
  translateMessage(added.says, added.sentence) || t('items.added', { count: added.itemIds.length });

export type RepeatQuestion = NonNullable<IntakeResult['repeats']>;

const repeatsKey = ['repeats'];

/** Returns the questions about repeated photos that wait for the person's answer, oldest first. */
export const useRepeatQuestions = (): readonly RepeatQuestion[] =>
  useCoreQuery(repeatsKey, 'items.repeats', {}).data ?? [];

const showAddedItems = (added: IntakeResult): void => {
  if (added.repeats && added.itemIds.length === 0) return;
  // Only this message names the skipped files, so it stays until the person closes it.
  notifications.show({
    message: formatAddedText(added),
    ...(added.left ? { color: 'amber', autoClose: false } : { color: 'gray' }),
  });
};

export const useSettleRepeats = () => {
  const client = useQueryClient();
  return useItemMutation(
    async ({ repeatId, add }: CallInput<'items.settleRepeats'>) => {
      client.setQueryData<readonly RepeatQuestion[]>(repeatsKey, (before = []) =>
        before.filter((one) => one.repeatId !== repeatId),
      );
      const added = await callCore('items.settleRepeats', { repeatId, add });
      return add ? added : null;
    },
    (added) => added && showAddedItems(added),
  );
};

export const useAddPhotos = () => {
  const client = useQueryClient();
  return useItemMutation(
    (run: () => Promise<IntakeResult>) => run(),
    (added) => {
      if (added.repeats) void client.invalidateQueries({ queryKey: repeatsKey });
      showAddedItems(added);
    },
  );
};
