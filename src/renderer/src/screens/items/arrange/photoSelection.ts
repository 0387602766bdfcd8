import { useState, type KeyboardEvent } from 'react';
import type { PhotoView, ItemView } from '../../../api/call.ts';
import type { ArrangeCommands } from './ArrangeBar.tsx';

/** `from` is the anchor of a range selection. */
export type PickedPhotos = { ids: ReadonlySet<string>; from: string | null };

export const nothingPicked: PickedPhotos = { ids: new Set(), from: null };

/** `alone` is a click, `toggle` is Ctrl-click or Space, and `upTo` is a range selection with Shift. */
export type PickMode = 'alone' | 'toggle' | 'upTo';

/** `order` has all ids in the displayed order. */
export const pickPhoto = (order: readonly string[], picked: PickedPhotos, id: string, how: PickMode): PickedPhotos => {
  if (how === 'alone') return { ids: new Set([id]), from: id };
  if (how === 'toggle') {
    const ids = new Set(picked.ids);
    if (!ids.delete(id)) ids.add(id);
    return { ids, from: id };
  }
  const start = picked.from === null ? -1 : order.indexOf(picked.from);
  const end = order.indexOf(id);
  if (start === -1 || end === -1) return { ids: new Set([id]), from: id };
  return { ids: new Set(order.slice(Math.min(start, end), Math.max(start, end) + 1)), from: picked.from };
};

/**
 * -1 moves the photos one position earlier, 1 one position later. At the end of the list, the order does not change.
 */
export const shiftPickedPhotos = (order: readonly string[], ids: ReadonlySet<string>, by: 1 | -1): string[] => {
  const moving = order.filter((id) => ids.has(id));
  const rest = order.filter((id) => !ids.has(id));
  const first = order.findIndex((id) => ids.has(id));
  const before = order.slice(0, first).filter((id) => !ids.has(id)).length;
  const at = Math.min(rest.length, Math.max(0, before + by));
  return [...rest.slice(0, at), ...moving, ...rest.slice(at)];
};

export type PhotoSelection = {
  order: string[];
  selected: PhotoView[];
  has: (photoId: string) => boolean;
  pick: (photoId: string, how: PickMode) => void;
  all: () => void;
  clear: () => void;
};

export const usePhotoSelection = (photos: readonly PhotoView[]): PhotoSelection => {
  const [picked, setPicked] = useState(nothingPicked);
  const order = photos.map(({ photoId }) => photoId);
  return {
    order,
    selected: photos.filter(({ photoId }) => picked.ids.has(photoId)),
    has: (photoId: string): boolean => picked.ids.has(photoId),
    pick: (photoId: string, how: PickMode) => setPicked(pickPhoto(order, picked, photoId, how)),
    all: () => setPicked({ ids: new Set(order), from: order[0] ?? null }),
    clear: () => setPicked(nothingPicked),
  };
};

type PhotoKeyContext = {
  item: ItemView;
  here: PhotoView;
  picking: PhotoSelection;
  arrange: ArrangeCommands;
  open: (photoId: string) => void;
};

export const movePickedPhotos = (
  { item, picking, arrange }: Omit<PhotoKeyContext, 'here' | 'open'>,
  ids: string[],
  by: 1 | -1,
): void => arrange.setOrder(item.itemId, shiftPickedPhotos(picking.order, new Set(ids), by));

/**
 * If the focused photo is selected, the actions apply to all selected photos; otherwise they apply only to the focused
 * photo.
 */
const getPhotoKeyActions = (given: PhotoKeyContext): Readonly<Record<string, () => void>> => {
  const { item, here, picking, arrange, open } = given;
  const photos = picking.has(here.photoId) ? picking.selected : [here];
  const ids = photos.map(({ photoId }) => photoId);
  const removePhotos = (): void => arrange.remove(ids);
  return {
    m: () => arrange.setOrder(item.itemId, ids),
    r: () => arrange.turn(ids, 1),
    s: () => arrange.split(ids),
    a: () =>
      arrange.setAside(
        ids,
        photos.some(({ state }) => state !== 'aside'),
      ),
    Delete: removePhotos,
    Backspace: removePhotos,
    Enter: () => open(here.photoId),
    ' ': () => picking.pick(here.photoId, 'toggle'),
    'alt+ArrowLeft': () => movePickedPhotos(given, ids, -1),
    'alt+ArrowRight': () => movePickedPhotos(given, ids, 1),
    'mod+a': picking.all,
    ...(picking.selected.length > 0 && { Escape: picking.clear }),
  };
};

const countGridColumns = (list: HTMLElement): number => getComputedStyle(list).gridTemplateColumns.split(' ').length;

const findTileInDirection = (list: HTMLElement, here: string, key: string): HTMLElement | undefined => {
  const tiles = [...list.querySelectorAll<HTMLElement>('[data-tile]')];
  const at = tiles.findIndex((tile) => tile.dataset.tile === here);
  const columns = countGridColumns(list);
  const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[key];
  if (by !== undefined) return tiles[at + by];
  return { Home: tiles[0], End: tiles.at(-1) }[key];
};

type TileKeyContext = { here: string; picking: PhotoSelection; actions: Readonly<Record<string, () => void>> };

/** Moves the focus between the tiles or runs the action of the key. Returns false if the key has no meaning here. */
export const handleTileKey = (
  event: KeyboardEvent<HTMLElement>,
  { here, picking, actions }: TileKeyContext,
): boolean => {
  const beside = event.altKey ? undefined : findTileInDirection(event.currentTarget, here, event.key);
  if (beside) {
    beside.focus();
    const { tile } = beside.dataset;
    if (event.shiftKey && tile) picking.pick(tile, 'upTo');
    return true;
  }
  const mod = event.ctrlKey || event.metaKey ? 'mod+' : '';
  const act = actions[`${mod}${event.altKey ? 'alt+' : ''}${event.key}`];
  // A key that is held down repeats the navigation, but no action.
  if (!event.repeat) act?.();
  return act !== undefined;
};

export const handlePhotoKey = (event: KeyboardEvent<HTMLElement>, given: PhotoKeyContext): boolean =>
  handleTileKey(event, { here: given.here.photoId, picking: given.picking, actions: getPhotoKeyActions(given) });
