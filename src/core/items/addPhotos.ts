import { createMessage, type Message, type TextName } from '../../i18n/message.ts';
import { type SkippedFile, groupUploadedFiles, type FoundPhotos, type PhotoGroup } from '../photos/groupFiles.ts';
import { Problem, createProblem } from '../base/problem.ts';
import { randomUUID } from 'node:crypto';
import { access } from 'node:fs/promises';
import { discardFile } from '../../disk/changeFiles.ts';
import { basename } from 'node:path';
import { formatEnglishMessage } from '../../i18n/english.ts';
import { findPhotosInPaths } from '../photos/findPhotos.ts';
import { type FolderText, readFirstFolderText, getFolderWords } from '../photos/folderWords.ts';
import { splitFolderName } from '../photos/privateWords.ts';
import type { PhotoIntake } from '../photos/photoIntake.ts';
import type { PhotoWorkers } from '../photos/photoWorkers.ts';
import { splitPhotoGroups } from '../photos/splitGroups.ts';
import type { Shelf } from '../shelf/shelf.ts';
import type { Settings } from '../base/settings.ts';
import type { AddedFacts, NewItemPhotos } from './adding/additionParts.ts';
import type { Items, PhotosTarget } from './items.ts';
import type { Asker } from '../base/request.ts';
import type { RepeatQuestion } from './adding/repeatStore.ts';
import type { ItemView, PrivatePart, ReviewReason } from '../storage/tables/itemRecord.ts';
import type { GenerationWishes } from '../storage/tables/itemsTable.ts';

const maxListedNames = 5;
const maxNameLength = 60;

/**
 * If the error is a `NO_PHOTOS_FOUND.links` problem, returns its text about skipped links. Otherwise throws the error.
 */
export const requireSkippedLinksText = (error: unknown): Message => {
  const says = error instanceof Problem ? error.says : undefined;
  const left = says?.key === 'problems.NO_PHOTOS_FOUND.links' ? says.values?.['left'] : undefined;
  if (typeof left !== 'object' || !('key' in left)) throw error;
  return left;
};

/** Replaces control and bidirectional characters and limits the length, so that the name is safe to show. */
const makePlainName = (name: string): string => {
  const seen = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');
  return seen.length > maxNameLength ? `${seen.slice(0, maxNameLength)}…` : seen;
};

const listedReasonTexts = {
  outside: 'items.linksOutside',
  missing: 'items.leftMissing',
  unreadable_folder: 'items.leftFolders',
  unreadable_name: 'items.leftNames',
  in_icloud: 'items.leftInIcloud',
  online_only: 'items.leftOnline',
  edited: 'items.leftEdited',
} as const satisfies Partial<Record<SkippedFile['why'], `items.${TextName<'items'>}`>>;
type ListedReason = keyof typeof listedReasonTexts;
const listedReasons = [
  'missing',
  'unreadable_folder',
  'unreadable_name',
  'in_icloud',
  'online_only',
  'edited',
] as const satisfies readonly ListedReason[];
const hasListedReason = ({ why }: SkippedFile): boolean => Object.hasOwn(listedReasonTexts, why);

const formatSkippedNames = (skipped: readonly SkippedFile[], reason: ListedReason): Message | null => {
  const all = skipped.filter(({ why }) => why === reason).map(({ name }) => makePlainName(name));
  if (all.length === 0) return null;
  const names = all.slice(0, maxListedNames).join(', ');
  const others = all.length - maxListedNames;
  return createMessage(listedReasonTexts[reason], {
    count: all.length,
    names: others > 0 ? createMessage('items.andMore', { names, others }) : names,
  });
};

const joinSentences = (sentences: readonly (Message | null)[]): Message | null =>
  sentences.reduce(
    (added, left) => (added && left ? createMessage('items.addedWithoutLinks', { added, left }) : (added ?? left)),
    null,
  );

export type PhotoSource =
  | {
      kind: 'paths';
      paths: string[];
      only?: ReadonlySet<string>;
      /** The real path of the folder that the person chose. Files outside it are skipped. */
      within?: string;
    }
  | { kind: 'uploads'; files: { uploadId: string; relativePath: string }[] };

/** `left` lists links that lead outside the chosen folder. `sentence` contains that list too. */
export type AddedItems = {
  itemIds: string[];
  skipped: number;
  sentence: string;
  says?: Message;
  left?: Message | undefined;
  /** The items that already have photos of this drop. These photos wait for the answer of the person. */
  repeats?: RepeatQuestion | undefined;
};

type PhotoServices = {
  intake: PhotoIntake;
  workers: Pick<PhotoWorkers, 'begin'>;
};

/**
 * What to do with sets of photos that items already have. `ask`: they are kept until the person answers. `defer`: they
 * become items that wait for the person. `add`: they become items like any others.
 */
type RepeatPolicy = 'ask' | 'defer' | 'add';
export type AddOptions = GenerationWishes & { repeats?: RepeatPolicy };

type NewSets = NewItemPhotos[];
export type CreateItemsFromPhotos = ReturnType<typeof createPhotoImporter>['add'];
export type SettleRepeats = ReturnType<typeof createPhotoImporter>['settleRepeats'];

/** Returns whether items already have every photo of each set, and the number of these items. */
const findRepeatedSets = async (
  items: Pick<Items, 'findRepeatedPhotos'>,
  sets: NewSets,
): Promise<{ isRepeatedSet: (set: NewSets[number]) => boolean; count: number }> => {
  const known = await items.findRepeatedPhotos(sets.flatMap(({ photos }) => photos));
  const isRepeatedSet = ({ photos }: NewSets[number]): boolean => photos.every(({ source }) => known.has(source));
  const itemIds = sets.filter(isRepeatedSet).flatMap(({ photos }) => photos.map(({ source }) => known.get(source)));
  return { isRepeatedSet, count: new Set(itemIds).size };
};

/** Adds or forgets the repeated photos of a drop, as the person answers. */
const createRepeatSettler =
  ({ repeats }: Items) =>
  async (repeatId: string, add: boolean): Promise<AddedItems> => {
    const { itemIds, added } = await repeats.settle(repeatId, add);
    return toAddedItems(itemIds, { added, left: null, notes: null, skipped: [] });
  };

const summariseSets = (sets: readonly AddedSet[]): AddedFacts => ({
  items: sets.length,
  photos: sets.reduce((sum, { photos }) => sum + photos.length, 0),
  isGrouped: sets.some(({ reviewReason }) => reviewReason === 'grouped'),
  privateParts: sets.flatMap(({ privateParts = [] }) => privateParts),
});

/**
 * Creates one item per folder and one item for all single photos. If a folder seems to show several things, its photos
 * are split into several items.
 */
export const createPhotoImporter = (
  items: Items,
  { intake, workers }: PhotoServices,
  { noteFolderNames }: Pick<Shelf, 'noteFolderNames'>,
  settings: () => Settings,
) => {
  const readSets = async (source: PhotoSource, by: Asker, note: string): Promise<FoundSource & { sets: NewSets }> => {
    // Starting the decoders takes as long as the search for photos, so both run at the same time.
    workers.begin();
    const { found, owned, ...rest } = await findSourcePhotos(intake, source);
    const groups = await splitPhotoGroups(found);
    const words = await readFolderTexts(found, owned);
    const perFolder = Map.groupBy(groups, ({ folder }) => folder);
    const dropIds = new Map([...perFolder.keys()].map((folder) => [folder, randomUUID()]));
    noteFolderNames([...new Set(groups.flatMap(({ folder, name }) => (folder === null ? [] : [name])))]);
    const { groupingReview, deferDrops, folderPattern } = settings();
    const requested = deferDrops && by.kind === 'person' ? ('requested' as const) : null;
    const isUnattended = by.kind === 'assistant' || (source.kind === 'paths' && source.within !== undefined);
    const sets = groups.map((group) => {
      const { name: given, folder } = group;
      const [first] = group.photos;
      const plain = { name: given, words: given, privateParts: [] };
      const split = folder === null ? plain : splitFolderName(given, first?.name, folderPattern);
      const { name, privateParts } = split;
      const unseen = isUnattended && items.hasUnseenPrivateParts(privateParts) ? ('privateWords' as const) : null;
      const isGrouped = groupingReview && group.guessed;
      return {
        ...{ name, privateParts },
        ...chooseNoteAndText({ ...group, name: split.words }, perFolder, words, note),
        reviewReason: isGrouped ? ('grouped' as const) : (requested ?? unseen),
        dropId: isGrouped ? (dropIds.get(folder) ?? null) : null,
        photos: group.photos.map(({ name, path, root }) => ({ name, source: path, root, owned })),
      };
    });
    return { ...rest, sets };
  };
  return {
    add: async (
      source: PhotoSource,
      by: Asker,
      note = '',
      { repeats: policy = 'add', ...wishes }: AddOptions = {},
    ): Promise<AddedItems> => {
      const { sets, ...rest } = await readSets(source, by, note);
      const addSets = async (some: NewSets): Promise<AddedItems> =>
        toAddedItems(await items.add(some, by, wishes), { added: summariseSets(some), ...rest });
      if (policy === 'add') return addSets(sets);
      const { isRepeatedSet, count } = await findRepeatedSets(items, sets);
      if (policy === 'defer')
        return addSets(sets.map((set) => (isRepeatedSet(set) ? { ...set, reviewReason: 'repeated' } : set)));
      const added = await addSets(sets.filter((set) => !isRepeatedSet(set)));
      if (count === 0) return added;
      const repeated = sets.filter(isRepeatedSet);
      const question = { count, added: summariseSets(repeated) };
      return { ...added, repeats: await items.repeats.keep({ sets: repeated, by, wishes, question }) };
    },
    settleRepeats: createRepeatSettler(items),
  };
};

/** Adds all photos of the source to one item or listing. */
export const createPhotoAdder =
  (items: Pick<Items, 'addPhotos'>, intake: PhotoIntake) =>
  async (source: PhotoSource, into: PhotosTarget): Promise<AddedItems> => {
    const { found, owned, ...rest } = await findSourcePhotos(intake, source);
    const all = found.flatMap((group) => group.photos);
    const itemId = await items.addPhotos(
      into,
      all.map(({ name, path, root }) => ({ name, source: path, root, owned })),
    );
    return toAddedItems([itemId], { added: summariseSets([{ photos: all }]), ...rest });
  };

/** Puts the only photo of the source in the place of a photo of a listing in review. Throws `ONE_PHOTO`. */
export const createPhotoReplacer =
  (items: Pick<Items, 'photoChange'>, intake: PhotoIntake) =>
  async (source: PhotoSource, itemId: string, photoId: string): Promise<ItemView> => {
    const { found, owned } = await findSourcePhotos(intake, source);
    const [photo, ...others] = found.flatMap((group) => group.photos);
    if (photo === undefined || others.length > 0) throw createProblem('ONE_PHOTO');
    const { name, path, root } = photo;
    return items.photoChange.replace(itemId, photoId, { name, source: path, root, owned });
  };

type AddedSet = {
  reviewReason?: ReviewReason | null;
  privateParts?: readonly PrivatePart[];
  photos: readonly unknown[];
};

type FoundSource = { left: Message | null; notes: Message | null; skipped: readonly SkippedFile[] };

/** Throws `NO_PHOTOS_FOUND` and `MISSING_PATH`. */
const findSourcePhotos = async (
  intake: PhotoIntake,
  source: PhotoSource,
): Promise<FoundSource & { found: FoundPhotos['groups']; owned: boolean }> => {
  const { groups: found, skipped } =
    source.kind === 'paths' ? await findPhotosAtPaths(source) : await findUploadedPhotos(intake, source.files);
  const left = formatSkippedNames(skipped, 'outside');
  const notes = joinSentences(listedReasons.map((reason) => formatSkippedNames(skipped, reason)));
  const all = joinSentences([left, notes]);
  const photos = found.reduce((sum, group) => sum + group.photos.length, 0);
  if (photos === 0 && all !== null) throw createProblem('NO_PHOTOS_FOUND.links', { values: { left: all } });
  if (photos === 0) throw createProblem('NO_PHOTOS_FOUND.dropped');
  return { found, left, notes, skipped, owned: source.kind === 'uploads' };
};

const toAddedItems = (
  itemIds: string[],
  { added: facts, left, notes, skipped }: FoundSource & { added: AddedFacts },
): AddedItems => {
  const others = skipped.filter((file) => !hasListedReason(file)).length;
  const added = formatAddedText(facts, others);
  const says = joinSentences([added, formatPrivateParts(facts), left, notes]) ?? added;
  return {
    itemIds,
    skipped: skipped.length,
    sentence: formatEnglishMessage(says),
    says,
    ...(left === null ? {} : { left }),
  };
};

const readFolderTexts = async (found: readonly PhotoGroup[], owned: boolean): Promise<Map<string, FolderText>> => {
  const words = new Map<string, FolderText>();
  for (const { folder, texts = [] } of found) {
    const text = await readFirstFolderText(texts);
    if (folder !== null && text !== null) words.set(folder, text);
    if (owned) await Promise.all(texts.map(({ path }) => discardFile(path)));
  }
  return words;
};

/**
 * If a folder was split into several groups, its name and its text file are not used, because they can be about any of
 * the groups.
 */
const chooseNoteAndText = (
  { folder, name }: PhotoGroup,
  perFolder: ReadonlyMap<PhotoGroup['folder'], readonly PhotoGroup[]>,
  words: ReadonlyMap<string, FolderText>,
  note: string,
): { note: string; text: FolderText | null } => {
  const isAlone = folder !== null && perFolder.get(folder)?.length === 1;
  if (!isAlone) return { note, text: null };
  return { note: note.trim() === '' ? getFolderWords(name) : note, text: words.get(folder) ?? null };
};

/** Skips missing paths and reports them, unless `only` is given. Throws `MISSING_PATH` if all paths are missing. */
const findPhotosAtPaths = async ({ paths, only, within }: PhotoSource & { kind: 'paths' }): Promise<FoundPhotos> => {
  const there = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  const [gone = [], here = []] = [false, true].map((isThere) => paths.filter((_, at) => there[at] === isThere));
  const [first] = gone;
  if (first !== undefined && here.length === 0)
    throw createProblem('MISSING_PATH.dropped', { values: { name: basename(first) } });
  const border = within === undefined ? {} : { within: [within] };
  const found = await findPhotosInPaths(here, { ...border, ...(only ? { only } : {}) });
  const missing = only ? [] : gone.map((path) => ({ path, name: basename(path), why: 'missing' as const }));
  return { ...found, skipped: [...found.skipped, ...missing] };
};

const findUploadedPhotos = async (
  intake: PhotoIntake,
  files: { uploadId: string; relativePath: string }[],
): Promise<FoundPhotos> =>
  groupUploadedFiles(
    await Promise.all(
      files.map(async ({ uploadId, relativePath }) => ({ path: await intake.take(uploadId), relativePath })),
    ),
  );

const formatPrivateParts = ({ privateParts }: AddedFacts): Message | null => {
  const texts = [...new Set(privateParts.map(({ text }) => makePlainName(text)))];
  if (texts.length === 0) return null;
  const names = texts.slice(0, maxListedNames).join(', ');
  const others = texts.length - maxListedNames;
  return createMessage('items.privateWordsKept', {
    words: others > 0 ? createMessage('items.andMore', { names, others }) : names,
  });
};

const formatAddedText = ({ items, photos, isGrouped }: AddedFacts, skipped: number): Message => {
  const made = {
    items: createMessage('items.items', { count: items }),
    photos: createMessage('items.photos', { count: photos }),
  };
  const others = createMessage('items.otherFiles', { count: skipped });
  // Such photos are split into items only after all of them are prepared, so the text names only the number of photos.
  if (isGrouped) {
    const { photos: count } = made;
    const added =
      skipped > 0
        ? createMessage('items.addedPhotosSome', { photos: count, others })
        : createMessage('items.addedPhotos', { photos: count });
    return createMessage('items.addedByGuess', { added });
  }
  return skipped > 0 ? createMessage('items.addedSome', { ...made, others }) : createMessage('items.added', made);
};
