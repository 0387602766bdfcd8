import { message, type Message, type TextName } from '../../i18n/message.ts';
import { type SkippedFile, groupFiles, type FoundPhotos, type PhotoGroup } from '../photos/groupFiles.ts';
import { Problem, problem } from '../base/problem.ts';
import { access } from 'node:fs/promises';
import { discardFile } from '../../disk/changeFiles.ts';
import { basename } from 'node:path';
import { formatEnglish } from '../../i18n/english.ts';
import { findPhotos } from '../photos/findPhotos.ts';
import { type FolderText, readFolderText, wordsOfFolder } from '../photos/folderWords.ts';
import type { Intake } from '../photos/intake.ts';
import type { PhotoWorkers } from '../photos/workers.ts';
import { splitGroups } from '../photos/splitGroups.ts';
import type { Settings } from '../base/settings.ts';
import type { Items, PhotosTarget } from './items.ts';
import type { Asker } from '../base/request.ts';
import type { GenerationWishes } from '../storage/tables/itemsTable.ts';

/** So many are named; the others are counted. */
const named = 5;
const longestName = 60;

/** What a refusal names because there was nothing else; throws any other error. */
export const linksOrThrow = (error: unknown): Message => {
  const says = error instanceof Problem ? error.says : undefined;
  const left = says?.key === 'problems.NO_PHOTOS_FOUND.links' ? says.values?.['left'] : undefined;
  if (typeof left !== 'object' || !('key' in left)) throw error;
  return left;
};

/** A name as it can stand in a sentence: nothing hidden, nothing that turns the text around, and not without end. */
const plain = (name: string): string => {
  const seen = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');
  return seen.length > longestName ? `${seen.slice(0, longestName)}…` : seen;
};

/** What a person is told the names of, where it was left out for that reason. */
const namedTexts = {
  outside: 'items.linksOutside',
  missing: 'items.leftMissing',
  unreadable_folder: 'items.leftFolders',
  unreadable_name: 'items.leftNames',
} as const satisfies Partial<Record<SkippedFile['why'], `items.${TextName<'items'>}`>>;
type NamedReason = keyof typeof namedTexts;
const namedReasons = ['missing', 'unreadable_folder', 'unreadable_name'] as const satisfies readonly NamedReason[];
const isNamed = ({ why }: SkippedFile): boolean => Object.hasOwn(namedTexts, why);

/** Names what was left out for a reason; null when there is nothing. */
const namesLeftOut = (skipped: readonly SkippedFile[], reason: NamedReason): Message | null => {
  const all = skipped.filter(({ why }) => why === reason).map(({ name }) => plain(name));
  if (all.length === 0) return null;
  const names = all.slice(0, named).join(', ');
  const others = all.length - named;
  return message(namedTexts[reason], {
    count: all.length,
    names: others > 0 ? message('items.andMore', { names, others }) : names,
  });
};

/** One sentence after the other; null for none. */
const joinSentences = (sentences: readonly (Message | null)[]): Message | null =>
  sentences.reduce(
    (added, left) => (added && left ? message('items.addedWithoutLinks', { added, left }) : (added ?? left)),
    null,
  );

/** Photos to take in: paths on this machine, or bytes that came before. */
export type PhotoSource =
  | {
      kind: 'paths';
      paths: string[];
      only?: ReadonlySet<string>;
      /** The real path of the folder that was given, where that is another one than the paths: nothing outside of it is taken. */
      within?: string;
    }
  | { kind: 'uploads'; files: { uploadId: string; relativePath: string }[] };

/**
 * What came of photos that were added: the items made, how many files were passed over, and which were left out as links
 * that lead outside (`left`; it is in the sentence as well).
 */
export type AddedItems = {
  itemIds: string[];
  skipped: number;
  sentence: string;
  says?: Message;
  left?: Message | undefined;
};

/** Where bytes lie that came before, and what decodes photos. */
type Photos = { intake: Intake; workers: Pick<PhotoWorkers, 'begin'> };

export type AddPhotos = ReturnType<typeof addPhotos>;

/**
 * Makes an item of every folder that has photos, and one of the single photos; photos of many things that lie together are
 * split by a guess, which waits for the person's look where the settings want it.
 */
export const addPhotos =
  (items: Items, { intake, workers }: Photos, settings: () => Settings) =>
  async (source: PhotoSource, by: Asker, note = '', wishes: GenerationWishes = {}): Promise<AddedItems> => {
    // What decodes them takes as long to start as they take to be found.
    workers.begin();
    const { found, owned, ...rest } = await find(intake, source);
    const groups = await splitGroups(found);
    const words = await wordsBeside(found, owned);
    const perFolder = Map.groupBy(groups, ({ folder }) => folder);
    const { groupingReview, holdDrops } = settings();
    const sets = groups.map((group) => ({
      name: group.name,
      ...wordsFor(group, perFolder, words, note),
      guessed: groupingReview && group.guessed,
      held: holdDrops && by.kind === 'person',
      photos: group.photos.map(({ name, path, root }) => ({ name, source: path, root, owned })),
    }));
    return addedItems(items.add(sets, by, wishes), { sets, ...rest });
  };

/** Adds photos to one item or listing, wherever they lie. */
export const addPhotosInto =
  (items: Pick<Items, 'addPhotos'>, intake: Intake) =>
  async (source: PhotoSource, into: PhotosTarget): Promise<AddedItems> => {
    const { found, owned, ...rest } = await find(intake, source);
    const all = found.flatMap((group) => group.photos);
    const itemId = await items.addPhotos(
      into,
      all.map(({ name, path, root }) => ({ name, source: path, root, owned })),
    );
    return addedItems([itemId], { sets: [{ guessed: false }], ...rest });
  };

/** `left` names links that lead outside, `notes` what else was left out. */
type Found = { photos: number; left: Message | null; notes: Message | null; skipped: readonly SkippedFile[] };

/** The photos of a source; throws where there are none. */
const find = async (
  intake: Intake,
  source: PhotoSource,
): Promise<Found & { found: FoundPhotos['groups']; owned: boolean }> => {
  const { groups: found, skipped } =
    source.kind === 'paths' ? await fromPaths(source) : await fromUploads(intake, source.files);
  const left = namesLeftOut(skipped, 'outside');
  const notes = joinSentences(namedReasons.map((reason) => namesLeftOut(skipped, reason)));
  const all = joinSentences([left, notes]);
  const photos = found.reduce((sum, group) => sum + group.photos.length, 0);
  if (photos === 0 && all !== null) throw problem('NO_PHOTOS_FOUND.links', { values: { left: all } });
  if (photos === 0) throw problem('NO_PHOTOS_FOUND.dropped');
  return { found, photos, left, notes, skipped, owned: source.kind === 'uploads' };
};

const addedItems = (
  itemIds: string[],
  { sets, photos, left, notes, skipped }: Found & { sets: readonly { guessed: boolean }[] },
): AddedItems => {
  const others = skipped.filter((file) => !isNamed(file)).length;
  const added = addedText(sets, photos, others);
  const says = joinSentences([added, left, notes]) ?? added;
  return { itemIds, skipped: skipped.length, sentence: formatEnglish(says), says, ...(left === null ? {} : { left }) };
};

/** The texts that lie beside photos, by their folders. Copies that came from a browser are gone once they are read. */
const wordsBeside = async (found: readonly PhotoGroup[], owned: boolean): Promise<Map<string, FolderText>> => {
  const words = new Map<string, FolderText>();
  for (const { folder, texts = [] } of found) {
    const text = await readFolderText(texts);
    if (folder !== null && text !== null) words.set(folder, text);
    if (owned) await Promise.all(texts.map(({ path }) => discardFile(path)));
  }
  return words;
};

/** What a person said of a set by its folder; nothing where the folder holds several things, since it may mean any of them. */
const wordsFor = (
  { folder, name }: PhotoGroup,
  perFolder: ReadonlyMap<PhotoGroup['folder'], readonly PhotoGroup[]>,
  words: ReadonlyMap<string, FolderText>,
  note: string,
): { note: string; text: FolderText | null } => {
  const isAlone = folder !== null && perFolder.get(folder)?.length === 1;
  if (!isAlone) return { note, text: null };
  return { note: note.trim() === '' ? wordsOfFolder(name) : note, text: words.get(folder) ?? null };
};

/** The photos of paths. What is gone is left out and named, unless nothing else was given; of a watched folder it is no news. */
const fromPaths = async ({ paths, only, within }: PhotoSource & { kind: 'paths' }): Promise<FoundPhotos> => {
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
    throw problem('MISSING_PATH.dropped', { values: { name: basename(first) } });
  const border = within === undefined ? {} : { within: [within] };
  const found = await findPhotos(here, { ...border, ...(only ? { only } : {}) });
  const missing = only ? [] : gone.map((path) => ({ path, name: basename(path), why: 'missing' as const }));
  return { ...found, skipped: [...found.skipped, ...missing] };
};

const fromUploads = async (intake: Intake, files: { uploadId: string; relativePath: string }[]): Promise<FoundPhotos> =>
  groupFiles(
    await Promise.all(
      files.map(async ({ uploadId, relativePath }) => ({ path: await intake.find(uploadId), relativePath })),
    ),
  );

const addedText = (sets: readonly { guessed: boolean }[], photos: number, skipped: number): Message => {
  const made = {
    items: message('items.items', { count: sets.length }),
    photos: message('items.photos', { count: photos }),
  };
  const others = message('items.otherFiles', { count: skipped });
  // How many items they are is not known before all photos were looked at.
  if (sets.some(({ guessed }) => guessed)) {
    const { photos: count } = made;
    const added =
      skipped > 0
        ? message('items.addedPhotosSome', { photos: count, others })
        : message('items.addedPhotos', { photos: count });
    return message('items.addedByGuess', { added });
  }
  return skipped > 0 ? message('items.addedSome', { ...made, others }) : message('items.added', made);
};
