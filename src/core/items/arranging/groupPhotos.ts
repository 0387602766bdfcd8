import { startsNewItem } from '../../photos/borders/itemBorders.ts';
import { assignLabelSku, isLabelPhoto } from '../../shelf/labelPhotos.ts';
import type { ItemRow, PhotoRow } from '../../storage/tables/itemsTable.ts';
import {
  applyUndoableChange,
  createItemLike,
  createPartNamer,
  deleteEmptyItem,
  type GroupingContext,
} from './arrangementActions.ts';
import { storeChosenPhotos } from '../choosePhotos.ts';
import { type DeferredItem, estimatePhotoBorders, listArrangeableItems } from './contactSheet.ts';

type Grouping = { groups: PhotoRow[][]; isByMarks: boolean };

const groupAt = (photos: readonly PhotoRow[], isStart: (at: number) => boolean): PhotoRow[][] => {
  const groups: PhotoRow[][] = [];
  for (const [at, photo] of photos.entries()) {
    if (at === 0 || isStart(at)) groups.push([photo]);
    else groups.at(-1)?.push(photo);
  }
  return groups;
};

const groupByBorders = (photos: readonly PhotoRow[]): Grouping => {
  const borders = estimatePhotoBorders(photos);
  const isByMarks = borders.some((border) => border.isAtMark && startsNewItem(border));
  const starts = new Set(borders.flatMap((border, before) => (startsNewItem(border) ? [before + 1] : [])));
  return { groups: groupAt(photos, (at) => starts.has(at)), isByMarks };
};

const countPhotosByItem = (photos: readonly PhotoRow[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { item_id: itemId } of photos) counts.set(itemId, (counts.get(itemId) ?? 0) + 1);
  return counts;
};

/**
 * Each group goes to the item that has its first photo. If that item already has a group, it gets a new item. The groups
 * contain all photos of the items.
 */
const assignGroupsToItems = (context: GroupingContext, items: readonly ItemRow[], groups: PhotoRow[][]): string[] => {
  const { table, clock } = context;
  const byId = new Map(items.map((item) => [item.item_id, item]));
  const [used, made] = [new Set<string>(), [] as string[]];
  const namePart = createPartNamer(context);
  // Reading all photos of a folder again after each group would take minutes.
  const photoCounts = countPhotosByItem(groups.flat());
  const movePhotoCount = (from: string, to: string, count: number): void => {
    photoCounts.set(from, (photoCounts.get(from) ?? 0) - count);
    photoCounts.set(to, (photoCounts.get(to) ?? 0) + count);
  };
  for (const photos of groups) {
    const [first] = photos;
    const whole = byId.get(first?.item_id ?? '');
    if (first === undefined || whole === undefined) continue;
    const isFree = !used.has(whole.item_id);
    const itemId = isFree ? whole.item_id : createItemLike(context, whole, namePart(whole, first));
    table.assignPhotos(
      itemId,
      photos.map(({ photo_id }) => photo_id),
    );
    if (!isFree) {
      table.change(itemId, { step: 'arranging' }, clock.now());
      made.push(itemId);
    }
    used.add(whole.item_id);
    for (const [from, count] of countPhotosByItem(photos)) {
      movePhotoCount(from, itemId, count);
      const [source, target] = [byId.get(from), table.read(itemId)];
      if (source && target && from !== itemId && photoCounts.get(from) === 0) deleteEmptyItem(context, source, target);
    }
  }
  return made;
};

/**
 * Regroups the photos of items. The person can undo the change and checks the items. The photos of each item are chosen
 * again, because a photo over the limit of the whole can be within the limit of its part.
 */
const regroupItems = (context: GroupingContext, items: readonly ItemRow[], { groups, isByMarks }: Grouping): void => {
  const itemIds = items.map(({ item_id }) => item_id);
  const made: string[] = [];
  applyUndoableChange(context, isByMarks ? 'splitAtMarks' : 'splitByLooks', itemIds, () => {
    made.push(...assignGroupsToItems(context, items, groups));
    return made;
  });
  for (const itemId of [...itemIds, ...made]) {
    if (context.table.read(itemId) !== null) {
      storeChosenPhotos(context, itemId, context.photoCap());
      assignLabelSku(context, itemId);
    }
    context.notifyItemChanged(itemId);
  }
};

/** Returns the groups that are no item yet, and the items that are no group. */
const listChanges = (
  all: readonly DeferredItem[],
  groups: readonly PhotoRow[][],
): { items: ItemRow[]; groups: PhotoRow[][] } => {
  const byFirst = new Map(all.map((one) => [one.photos[0]?.photo_id, one]));
  const isItem = (group: readonly PhotoRow[]): boolean =>
    byFirst.get(group[0]?.photo_id)?.photos.length === group.length &&
    new Set(group.map(({ item_id }) => item_id)).size === 1;
  const kept = new Set(groups.filter(isItem).map(([first]) => first?.item_id));
  return {
    items: all.flatMap(({ item }) => (kept.has(item.item_id) ? [] : [{ ...item, drop_id: null }])),
    groups: groups.filter((group) => !isItem(group)),
  };
};

/**
 * Groups the photos of a drop again once all of them are prepared, because the habit of the person is known only then.
 * Items that the person has arranged or started stay as they are.
 */
export const groupPreparedDrop = (context: GroupingContext, dropId: string): void => {
  const { table, clock } = context;
  if (!table.pages.isDropPrepared(dropId)) return;
  const itemIds = table.pages.ofDrop(dropId);
  const all = listArrangeableItems(context, itemIds).filter(
    ({ item }) => item.review_reason === 'grouped' && item.step === 'arranging' && item.stop === null,
  );
  const { groups, isByMarks } = groupByBorders(all.flatMap(({ photos }) => photos));
  const changes = listChanges(all, groups);
  table.atomically(() => {
    for (const { item } of all) table.change(item.item_id, { drop_id: null }, clock.now());
    if (changes.items.length > 0) regroupItems(context, changes.items, { groups: changes.groups, isByMarks });
  });
};

/** Groups the drops whose last unprepared photos the person has removed, arranged or started. */
export const groupPreparedDrops = (context: GroupingContext): void => {
  for (const dropId of context.table.pages.preparedDrops(context.account())) groupPreparedDrop(context, dropId);
};

/**
 * Splits an item at labels of several SKUs, because its photos always show several things, even in a folder that the
 * person named.
 */
export const splitAtLabels = (context: GroupingContext, item: ItemRow): void => {
  const { by, review_reason: reason } = item;
  if (by.kind !== 'person' || (reason !== null && reason !== 'requested')) return;
  const photos = context.table.photos(item.item_id);
  if (new Set(photos.filter(isLabelPhoto).map(({ label_sku }) => label_sku)).size < 2) return;
  const { groups } = groupByBorders(photos);
  if (groups.length < 2) return;
  const whole = { ...item, review_reason: reason ?? ('grouped' as const) };
  context.table.atomically(() => {
    context.table.change(item.item_id, { review_reason: whole.review_reason }, context.clock.now());
    regroupItems(context, [whole], { groups, isByMarks: true });
  });
};
