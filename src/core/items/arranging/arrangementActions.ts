import { randomUUID } from 'node:crypto';
import { createProblem, Problem } from '../../base/problem.ts';
import type { ItemsContext } from '../itemsContext.ts';
import { type ChangeName, type ItemView, type LastChange } from '../../storage/tables/itemRecord.ts';
import type { PhotoEdits } from '../../../photoContract/messages.ts';
import { rotateEdits } from '../../base/rotateEdits.ts';
import type { ItemRow, PhotoRow, ItemsTable } from '../../storage/tables/itemsTable.ts';
import { core, formatEnglishText, formatEnglishMessage, findMessageByEnglishText } from '../../../i18n/english.ts';
import { createMessage } from '../../../i18n/message.ts';
import { getFolderWords } from '../../photos/folderWords.ts';
import { removeFileExtension } from '../../photos/groupFiles.ts';
import type { PreviousArrangement } from '../../storage/tables/arrangementsTable.ts';
import { storeChosenPhotosInSlices } from '../choosePhotos.ts';
import { assignLabelSku } from '../../shelf/labelPhotos.ts';
import { isArrangeable, isPhotoStop } from '../itemState.ts';

const requireArrangeableItem = ({ table }: ItemsContext, item: ItemRow): void => {
  if (isArrangeable(item, table.photos(item.item_id))) return;
  throw createProblem('TOO_LATE.photos');
};

export type GroupingContext = Pick<
  ItemsContext,
  'table' | 'arrangements' | 'clock' | 'account' | 'photoCap' | 'notifyItemChanged'
>;

/** Changes items in one transaction and stores their previous state, so that the person can undo the change. */
export const applyUndoableChange = (
  { table, arrangements, clock, account }: GroupingContext,
  label: ChangeName,
  itemIds: readonly string[],
  act: () => string[],
): void =>
  table.atomically(() => {
    const was = arrangements.look(itemIds);
    const made = act();
    arrangements.push(account(), label, clock.now(), { ...was, made });
  });

/**
 * If the person had reviewed the item before it was split, its parts must be reviewed again. A part never replaces the
 * photos of a listing, so `replacingPhotos` does not apply to it.
 */
const choosePartReviewReason = (whole: ItemRow['review_reason']): ItemRow['review_reason'] =>
  whole === 'reviewed' || whole === 'replacingPhotos' ? 'arranged' : whole;

/** Creates an item without photos, with the settings and the place of `like`. Returns its id. */
export const createItemLike = (
  { table, clock }: GroupingContext,
  like: ItemRow,
  name: string,
  itemId = `it_${randomUUID()}`,
): string => {
  const { account, by, marketplace_id, listing_language, template_id, private_words } = like;
  const review_reason = choosePartReviewReason(like.review_reason);
  // In the list, newest first, a part comes directly below the whole.
  const own = { item_id: itemId, name, idempotency_key: randomUUID(), created_at: like.created_at - 1 };
  table.add({ ...own, account, by, review_reason, marketplace_id, listing_language, template_id, private_words }, []);
  table.shelf.copyToPart(account, like.item_id, itemId, clock.now());
  return itemId;
};

/**
 * Creates the function that names the parts of split items: the name that the person chose for the item plus a number, or
 * else the name of the first photo of the part. Names are read once, because a folder can have thousands of parts.
 */
export const createPartNamer = ({ table, account }: GroupingContext) => {
  const similar = new Map<string, Set<string>>();
  const readSimilarNames = (words: string): Set<string> => {
    const names = similar.get(words) ?? new Set(table.pages.namesLike(account(), words));
    similar.set(words, names);
    return names;
  };
  const next = new Map<string, number>();
  const choosePartName = (whole: ItemRow, first: PhotoRow | undefined): string => {
    const [, words = ''] = /^(.+) \d+$/.exec(whole.name) ?? [];
    // A number at the end is part of the name unless another item has the same name without it.
    const others = words === '' ? null : readSimilarNames(words);
    const isPart = others?.has(words) === true || others?.has(`${words} 1`) === true;
    const base = isPart ? words : whole.name;
    if (getFolderWords(base) === '') return removeFileExtension(first?.name ?? whole.name);
    const taken = readSimilarNames(base);
    let number = next.get(base) ?? 2;
    while (taken.has(`${base} ${number}`)) number += 1;
    next.set(base, number + 1);
    return `${base} ${number}`;
  };
  return (whole: ItemRow, first: PhotoRow | undefined): string => {
    const name = choosePartName(whole, first);
    for (const [words, names] of similar) if (name.startsWith(words)) names.add(name);
    return name;
  };
};

export type ItemControl = {
  need: (itemId: string) => ItemRow;
  halt: (itemId: string) => Promise<void>;
  start: (itemId: string) => void;
  view: (item: ItemRow) => ItemView;
  /** Groups the drops that no longer wait for a photo. */
  groupDrops: () => void;
};

type ArrangeContext = { context: ItemsContext; control: ItemControl };

const requireArrangeablePhotos = ({ context, control }: ArrangeContext, photoIds: readonly string[]): PhotoRow[] =>
  [...new Set(photoIds)].map((photoId) => {
    const photo = context.table.photo(photoId);
    if (!photo) throw createProblem('NOT_FOUND.photo');
    control.need(photo.item_id);
    return photo;
  });

const listPhotoIds = (photos: readonly PhotoRow[]): string[] => photos.map(({ photo_id }) => photo_id);
const listItemIds = (photos: readonly PhotoRow[]): string[] => photos.map(({ item_id }) => item_id);

/** An item that is still preparing photos can change while it runs, so it is not halted. */
const haltSendingItems = async ({ control }: ArrangeContext, itemIds: readonly string[]): Promise<void> => {
  for (const itemId of itemIds) {
    const { step } = control.need(itemId);
    if (step === 'draft' || step === 'upload') await control.halt(itemId);
  }
};

const resumeChangedItems = async (
  { context, control }: ArrangeContext,
  itemIds: readonly string[],
): Promise<ItemView[]> => {
  const { table, clock } = context;
  const views: ItemView[] = [];
  for (const itemId of itemIds) {
    const item = table.read(itemId);
    context.notifyItemChanged(itemId);
    if (!item) continue;
    const stop = isPhotoStop(item.stop) ? null : item.stop;
    const toPrepare = table.photos(itemId).some((photo) => photo.state === 'waiting');
    table.change(itemId, { stop, ...(toPrepare ? { step: 'photos' } : {}) }, clock.now());
    await storeChosenPhotosInSlices(context, itemId, context.photoCap());
    if (table.read(itemId) === null) continue;
    assignLabelSku(context, itemId);
    control.start(itemId);
    views.push(control.view(control.need(itemId)));
  }
  control.groupDrops();
  return views;
};

const applyArrangementChange = async (
  parts: ArrangeContext,
  label: ChangeName,
  itemIds: readonly string[],
  act: () => string[] | void,
): Promise<ItemView[]> => {
  const { context, control } = parts;
  const { table, clock } = context;
  const ids = [...new Set(itemIds)];
  await haltSendingItems(parts, ids);
  let made: string[] = [];
  try {
    for (const itemId of ids) requireArrangeableItem(context, control.need(itemId));
    applyUndoableChange(context, label, ids, () => {
      for (const itemId of ids)
        if (control.need(itemId).review_reason === 'grouped')
          table.change(itemId, { review_reason: 'arranged' }, clock.now());
      made = act() ?? [];
      return made;
    });
  } catch (error) {
    for (const itemId of ids) control.start(itemId);
    throw error;
  }
  return resumeChangedItems(parts, [...ids, ...made]);
};

/**
 * Moves photos into the item `itemId`. An item that has no photos left is deleted, and its removed photos go to
 * `itemId` too.
 */
const transferPhotosToItem = (parts: ArrangeContext, photos: readonly PhotoRow[], itemId: string, at: number): void => {
  const { context, control } = parts;
  const moving = new Set(photos.map(({ photo_id }) => photo_id));
  const there = context.table.photos(itemId).filter(({ photo_id }) => !moving.has(photo_id));
  context.table.assignPhotos(itemId, listPhotoIds([...there.slice(0, at), ...photos, ...there.slice(at)]));
  for (const from of new Set(listItemIds(photos))) {
    if (from !== itemId && context.table.photos(from).length === 0)
      deleteEmptyItem(context, control.need(from), control.need(itemId));
  }
};

/** Deletes an item that has no photos left. What the person wrote about it goes to another item. */
export const deleteEmptyItem = ({ table, clock }: GroupingContext, item: ItemRow, target: ItemRow): void => {
  if (item.draft_sent_at !== null) throw createDraftStartedProblem(item.name);
  const into = target.item_id;
  for (const { photo_id } of table.removedPhotos(item.item_id)) table.changePhoto(photo_id, { item_id: into });
  const note = [target.note, item.note].filter((text) => text.trim() !== '').join('\n');
  const barcode_choices = { ...item.barcode_choices, ...target.barcode_choices };
  const kept = new Set(target.private_words.map(({ text }) => text));
  const private_words = [...target.private_words, ...item.private_words.filter(({ text }) => !kept.has(text))];
  table.change(into, { note, barcode_choices, private_words }, clock.now());
  table.shelf.merge(item.account, into, item.item_id, clock.now());
  table.remove(item.item_id);
};

const mergeIntoFirstItem = (parts: ArrangeContext, itemIds: readonly string[]): Promise<ItemView[]> => {
  const [first = '', ...others] = [...new Set(itemIds)];
  return applyArrangementChange(parts, 'merge', [first, ...others], () => {
    const photos = others.flatMap((itemId) => parts.context.table.photos(itemId));
    transferPhotosToItem(parts, photos, first, Infinity);
  });
};

const splitIntoNewItem = async (parts: ArrangeContext, photoIds: readonly string[]): Promise<ItemView[]> => {
  const { context, control } = parts;
  const photos = requireArrangeablePhotos(parts, photoIds);
  const like = control.need(photos[0]?.item_id ?? '');
  const isAll = photos.length === context.table.photos(like.item_id).length;
  if (isAll && photos.every(({ item_id }) => item_id === like.item_id)) throw createProblem('NOTHING_TO_SPLIT');
  return applyArrangementChange(parts, 'split', listItemIds(photos), () => {
    const made = createItemLike(context, control.need(like.item_id), createPartNamer(context)(like, photos[0]));
    transferPhotosToItem(parts, photos, made, 0);
    return [made];
  });
};

const movePhotosToItem = async (
  parts: ArrangeContext,
  photoIds: readonly string[],
  itemId: string,
  before: string | null,
): Promise<ItemView[]> => {
  const photos = requireArrangeablePhotos(parts, photoIds);
  return applyArrangementChange(parts, 'movePhotos', [itemId, ...listItemIds(photos)], () => {
    const moving = new Set(photos.map(({ photo_id }) => photo_id));
    const rest = parts.context.table.photos(itemId).filter(({ photo_id }) => !moving.has(photo_id));
    const at = rest.findIndex(({ photo_id }) => photo_id === before);
    transferPhotosToItem(parts, photos, itemId, at === -1 ? rest.length : at);
  });
};

const orderItemPhotos = (parts: ArrangeContext, itemId: string, photoIds: readonly string[]): Promise<ItemView[]> =>
  applyArrangementChange(parts, 'order', [itemId], () => {
    const photos = parts.context.table.photos(itemId);
    const byId = new Map(photos.map((photo) => [photo.photo_id, photo]));
    const named = photoIds.flatMap((id) => byId.get(id) ?? []);
    parts.context.table.assignPhotos(itemId, listPhotoIds([...new Set([...named, ...photos])]));
  });

type PhotoChange = (photo: PhotoRow) => Parameters<ItemsTable['changePhoto']>[1];

const changeEachPhoto = async (
  parts: ArrangeContext,
  label: ChangeName,
  photoIds: readonly string[],
  changes: PhotoChange,
): Promise<ItemView[]> => {
  const { table } = parts.context;
  const photos = requireArrangeablePhotos(parts, photoIds);
  return applyArrangementChange(parts, label, listItemIds(photos), () => {
    for (const photo of photos) table.changePhoto(photo.photo_id, changes(photo));
    for (const itemId of new Set(listItemIds(photos)))
      if (table.photos(itemId).length === 0) throw createLastPhotoProblem();
  });
};

const changePhotoPixels = (
  parts: ArrangeContext,
  photoIds: readonly string[],
  change: (edits: PhotoEdits | null) => PhotoEdits,
): Promise<ItemView[]> =>
  changeEachPhoto(parts, 'editPhoto', photoIds, (photo) => {
    if (photo.state === 'refused')
      throw new Problem('PHOTO_REFUSED', photo.sentence ?? formatEnglishText('problems.PHOTO_REFUSED'), {
        says: photo.code === null ? createMessage('problems.PHOTO_REFUSED') : { key: `refusals.${photo.code}` },
      });
    return { edits: change(photo.edits), state: 'waiting', aside: null, sentence: null };
  });

const restoreArrangement = (
  { table, arrangements, clock }: ItemsContext,
  { seq, before, at }: { seq: number; before: PreviousArrangement; at: number },
): void =>
  table.atomically(() => {
    for (const item of before.items) {
      // If the person has removed an item with its photos, it is not restored.
      const hasPhotos = before.photos.some(
        ({ photo_id, item_id }) => item_id === item.item_id && table.photo(photo_id),
      );
      if (hasPhotos && table.read(item.item_id) === null) table.putBack(item);
    }
    for (const was of before.photos) {
      const now = table.photo(was.photo_id);
      if (!now) continue;
      table.restorePhoto(was);
      if (JSON.stringify(now.edits) !== (was.edits ?? 'null')) table.changePhoto(was.photo_id, { state: 'waiting' });
    }
    for (const itemId of before.made) {
      table.remove(itemId);
      table.shelf.forgetItem(itemId);
    }
    for (const { item_id, account, fields } of before.shelf) {
      const row = table.shelf.ofItem(account, item_id);
      // What the person has written since the change is kept.
      if (row !== null && row.changed_at <= at) table.shelf.change(row, fields, clock.now());
    }
    arrangements.drop(seq);
  });

const undoLastChange = async (parts: ArrangeContext): Promise<ItemView[]> => {
  const { context, control } = parts;
  const last = context.arrangements.last(context.account());
  if (!last) throw createProblem('NOTHING_TO_UNDO');
  const all = [...last.before.items.map(({ item_id }) => item_id), ...last.before.made];
  const ids = all.filter((itemId) => context.table.read(itemId) !== null);
  await haltSendingItems(parts, ids);
  for (const itemId of ids) requireArrangeableItem(context, control.need(itemId));
  restoreArrangement(context, last);
  return resumeChangedItems(parts, all);
};

const readLastChange = ({ table, arrangements, account }: ItemsContext): LastChange | null => {
  const last = arrangements.lastLabel(account());
  return last && table.pages.areArrangeable(last.itemIds) ? { ...formatChangeLabel(last.label), at: last.at } : null;
};

/** Creates the queue of the changes of arrangements. Each one starts after the previous one has ended. */
export const createArrangementQueue = (): (<T>(act: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const now = last.then(act);
    last = now.catch(() => undefined);
    return now;
  };
};

/**
 * Creates the functions with which the person arranges photos. Each change can be undone and returns the changed items.
 * Throws `TOO_LATE` if a photo already has an upload slot.
 */
export const createArrangementActions = (context: ItemsContext, control: ItemControl) => {
  const parts: ArrangeContext = { context, control };
  const runInTurn = context.arrangeInTurn;
  const changePhotos = (label: ChangeName, photoIds: readonly string[], changes: PhotoChange) =>
    runInTurn(() => changeEachPhoto(parts, label, photoIds, changes));
  return {
    merge: (itemIds: readonly string[]) => runInTurn(() => mergeIntoFirstItem(parts, itemIds)),
    split: (photoIds: readonly string[]) => runInTurn(() => splitIntoNewItem(parts, photoIds)),
    /** Moves photos into an item. `before` is the photo that they are put before; null to put them at the end. */
    move: (photoIds: readonly string[], itemId: string, before: string | null) =>
      runInTurn(() => movePhotosToItem(parts, photoIds, itemId, before)),
    order: (itemId: string, photoIds: readonly string[]) => runInTurn(() => orderItemPhotos(parts, itemId, photoIds)),
    remove: (photoIds: readonly string[]) =>
      changePhotos(photoIds.length === 1 ? 'removePhoto' : 'removePhotos', photoIds, () => ({
        removed_at: context.clock.now(),
      })),
    restore: (photoIds: readonly string[]) => changePhotos('putBack', photoIds, () => ({ removed_at: null })),
    aside: (photoIds: readonly string[], aside: boolean) =>
      changePhotos(aside ? 'setAside' : 'takeIn', photoIds, () => ({ choice: aside ? 'aside' : 'in' })),
    edit: (photoId: string, edits: PhotoEdits) => runInTurn(() => changePhotoPixels(parts, [photoId], () => edits)),
    /** 1 rotates to the right, -1 to the left. */
    turn: (photoIds: readonly string[], by: 1 | -1) =>
      runInTurn(() => changePhotoPixels(parts, photoIds, (edits) => rotateEdits(edits, by))),
    undo: () => runInTurn(() => undoLastChange(parts)),
    lastChange: () => readLastChange(context),
  };
};

/** Older versions stored the text of the label instead of its key. */
const formatChangeLabel = (stored: string): Pick<LastChange, 'label' | 'says'> => {
  const says = Object.hasOwn(core.changes, stored)
    ? { key: `changes.${stored}` }
    : findMessageByEnglishText('changes', stored);
  return { label: (says && formatEnglishMessage(says)) ?? stored, says };
};

const createLastPhotoProblem = () => createProblem('LAST_PHOTO');

const createDraftStartedProblem = (name: string) => createProblem('DRAFT_STARTED', { values: { name } });
