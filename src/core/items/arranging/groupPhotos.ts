import { randomUUID } from 'node:crypto';
import { setImmediate as immediate } from 'node:timers/promises';
import { toProblemView } from '../../base/problem.ts';
import { assignLabelSku, isLabelPhoto } from '../../shelf/labelPhotos.ts';
import type { ItemRow } from '../../storage/tables/itemsTable.ts';
import { photosPerSlice, storeChosenPhotos, storeChosenPhotosInSlices } from '../choosePhotos.ts';
import type { ItemsContext } from '../itemsContext.ts';
import { createItemLike, createPartNamer, deleteEmptyItem, type GroupingContext } from './arrangementActions.ts';
import { getBorderKind, type StoredBorders, startsItem, waitsForGrouping } from './storedBorders.ts';

type DropContext = GroupingContext & Pick<ItemsContext, 'estimateBorders' | 'arrangeInTurn'>;

/** Photos that become one item. `wholeId` is the item that has the first of them now. */
type Group = { itemId: string; wholeId: string; photoIds: string[] };

/** `groups` are no items yet. `wholes` are the items of their photos. */
type GroupingPlan = { groups: Group[]; wholes: string[]; itemIds: string[] };

/** Each group goes to the item that has its first photo. If that item already has a group, it gets a new item. */
const planGroups = (borders: StoredBorders): GroupingPlan => {
  const { photoIds, items } = borders;
  const owners = items.flatMap((item) => Array.from({ length: item.count }, () => item));
  const starts = [...photoIds.keys()].filter((at) => startsItem(getBorderKind(borders, at)));
  const used = new Set<string>();
  const changed = new Set<string>();
  const groups = starts.flatMap((from, nth): Group[] => {
    const photos = photoIds.slice(from, starts[nth + 1]);
    const own = new Set(owners.slice(from, starts[nth + 1]));
    const [{ itemId: wholeId, count } = { itemId: '', count: 0 }] = own;
    const itemId = used.has(wholeId) ? `it_${randomUUID()}` : wholeId;
    used.add(wholeId);
    if (own.size === 1 && count === photos.length) return [];
    for (const owner of own) changed.add(owner.itemId);
    return [{ itemId, wholeId, photoIds: photos }];
  });
  return { groups, wholes: [...changed], itemIds: items.map(({ itemId }) => itemId) };
};

const maxSliceMs = 8;

/**
 * Writes values in transactions of a few ms, so that thousands of writes block nothing. Ends early if the signal aborts.
 */
const writeInSlices = async <T>(
  { table, clock }: Pick<GroupingContext, 'table' | 'clock'>,
  values: readonly T[],
  write: (value: T) => void,
  signal: AbortSignal,
): Promise<void> => {
  const rest = values.values();
  for (let next = rest.next(); next.done !== true && !signal.aborted; next = rest.next()) {
    const from = clock.elapsedMs();
    let value: T | null = next.value;
    table.noteTogether(() => {
      while (value !== null) {
        write(value);
        const later = clock.elapsedMs() - from < maxSliceMs ? rest.next() : null;
        value = later === null || later.done === true ? null : later.value;
      }
    });
    await immediate();
  }
};

const createOpenItemReader =
  ({ table }: GroupingContext, dropId: string) =>
  (itemId: string): ItemRow | null => {
    const item = table.read(itemId);
    return item !== null && item.drop_id === dropId && waitsForGrouping(item) ? item : null;
  };

/** Leaves out photos that have been removed, arranged or started since the borders were estimated. */
const createGroupMover = (context: GroupingContext, dropId: string) => {
  const { table, clock } = context;
  const readOpenItem = createOpenItemReader(context, dropId);
  const namePart = createPartNamer(context);
  return ({ itemId, wholeId, photoIds }: Group): void => {
    const photos = photoIds
      .flatMap((photoId) => table.photo(photoId) ?? [])
      .filter(({ removed_at, item_id }) => removed_at === null && readOpenItem(item_id) !== null);
    const [[first], whole] = [photos, readOpenItem(wholeId)];
    if (first === undefined || whole === null) return;
    if (itemId !== wholeId) {
      createItemLike(context, whole, namePart(whole, first), itemId);
      table.change(itemId, { step: 'arranging' }, clock.now());
    }
    table.assignPhotos(
      itemId,
      photos.map(({ photo_id }) => photo_id),
    );
    for (const from of new Set(photos.map(({ item_id }) => item_id))) {
      const [source, target] = [table.read(from), table.read(itemId)];
      if (source && target && from !== itemId && !table.hasPhotos(from)) deleteEmptyItem(context, source, target);
    }
    if (itemId !== wholeId) settleGroupedItem(context, itemId);
  };
};

const isLargeItem = ({ table }: GroupingContext, itemId: string): boolean =>
  table.photos(itemId).length > photosPerSlice;

/**
 * A photo over the limit of the whole can be within the limit of its part, so the photos are chosen again. Those of a large
 * item are chosen in slices after the grouping.
 */
const settleGroupedItem = (context: GroupingContext, itemId: string): void => {
  if (!isLargeItem(context, itemId)) storeChosenPhotos(context, itemId, context.photoCap());
  assignLabelSku(context, itemId);
  context.notifyItemChanged(itemId);
};

/** After a crash, the photos are chosen when the person starts the item. */
const chooseInLargeItems = async (
  context: GroupingContext,
  itemIds: readonly string[],
  signal: AbortSignal,
): Promise<void> => {
  for (const itemId of itemIds) {
    const item = context.table.read(itemId);
    if (signal.aborted) return;
    if (item === null || !waitsForGrouping(item) || !isLargeItem(context, itemId)) continue;
    await storeChosenPhotosInSlices(context, itemId, context.photoCap());
    context.notifyItemChanged(itemId);
  }
};

/**
 * Regroups the photos of a drop in slices. The previous state is stored first, so that the person can undo a grouping
 * that did not end. Until then the items keep their drop, so that the next start groups the rest.
 */
const applyGroups = async (
  context: GroupingContext,
  dropId: string,
  { groups, wholes, itemIds }: GroupingPlan,
  { isByMarks, signal }: { isByMarks: boolean; signal: AbortSignal },
): Promise<void> => {
  const { table, arrangements, clock, account } = context;
  const isNew = ({ itemId, wholeId }: Group): boolean => itemId !== wholeId;
  const made = groups.filter(isNew).map(({ itemId }) => itemId);
  if (groups.length > 0) {
    // Planning, reading and storing the places of 20,000 photos each take 10 to 20 ms.
    await immediate();
    const was = arrangements.look(wholes);
    await immediate();
    const items = was.items.map((item) => ({ ...item, drop_id: null }));
    arrangements.push(account(), isByMarks ? 'splitAtMarks' : 'splitByLooks', clock.now(), { ...was, items, made });
  }
  // The parts are moved out first, so that the rest keeps its order if the grouping does not end.
  const ordered = [...groups.filter(isNew), ...groups.filter((group) => !isNew(group))];
  await writeInSlices(context, ordered, createGroupMover(context, dropId), signal);
  const readOpenItem = createOpenItemReader(context, dropId);
  const changed = new Set(wholes);
  const settleItem = (itemId: string): void => {
    if (readOpenItem(itemId) === null) return context.notifyItemChanged(itemId);
    table.change(itemId, { drop_id: null }, clock.now());
    if (changed.has(itemId)) settleGroupedItem(context, itemId);
    else context.notifyItemChanged(itemId);
  };
  await writeInSlices(context, itemIds, settleItem, signal);
  await chooseInLargeItems(context, [...made, ...wholes], signal);
};

/**
 * Groups the photos of a drop again once all of them are prepared, because the habit of the person is known only then.
 * Items that the person has arranged or started stay as they are.
 */
export const groupPreparedDrop = async (context: DropContext, dropId: string, signal: AbortSignal): Promise<void> => {
  if (!context.table.pages.isDropPrepared(dropId)) return;
  const borders = await context.estimateBorders({ dropId }, signal);
  if (borders === null) return;
  const { isByMarks } = borders;
  await context.arrangeInTurn(() => applyGroups(context, dropId, planGroups(borders), { isByMarks, signal }));
};

/** Creates the grouping in the background. It groups one drop at a time. */
export const createDropGrouper = (context: DropContext & Pick<ItemsContext, 'log'>) => {
  const waiting = new Set<string>();
  let abort = new AbortController();
  let running: Promise<void> | null = null;
  const groupWaitingDrops = async (): Promise<void> => {
    for (const dropId of waiting) {
      waiting.delete(dropId);
      await groupPreparedDrop(context, dropId, abort.signal).catch((error: unknown) =>
        context.log('warn', 'grouping photos failed', { code: toProblemView(error).code }),
      );
    }
  };
  const group = (dropId: string): void => {
    if (abort.signal.aborted) return;
    waiting.add(dropId);
    running ??= groupWaitingDrops().finally(() => (running = null));
  };
  return {
    group,
    /** Groups the drops whose last unprepared photos the person has removed, arranged or started. */
    groupAll: (): void => context.table.pages.preparedDrops(context.account()).forEach(group),
    open: (): void => void (abort = abort.signal.aborted ? new AbortController() : abort),
    /** A grouping that has not ended continues at the next start. */
    stop: async (): Promise<void> => {
      abort.abort();
      waiting.clear();
      await running;
    },
  };
};

/**
 * Lets an item with labels of several SKUs be grouped, because its photos always show several things, even in a folder
 * that the person named.
 */
export const groupAtLabels = ({ table, clock }: GroupingContext, item: ItemRow): ItemRow => {
  const { item_id: itemId, by, review_reason: reason } = item;
  if (by.kind !== 'person' || (reason !== null && reason !== 'requested')) return item;
  const skus = table.photos(itemId).flatMap((photo) => (isLabelPhoto(photo) ? [photo.label_sku] : []));
  if (new Set(skus).size < 2) return item;
  const changes = { review_reason: 'grouped', drop_id: randomUUID() } as const;
  table.change(itemId, changes, clock.now());
  return { ...item, ...changes };
};
