import type { KeyboardEvent } from 'react';
import type { ItemView, PhotoView } from '../../../api/types.ts';
import { shifted, type PhotoSelection } from './photoSelection.ts';
import type { Arrange } from './useArrange.ts';

type Given = {
  item: ItemView;
  /** The photo with the focus. */
  here: PhotoView;
  picking: PhotoSelection;
  arrange: Arrange;
  open: (photoId: string) => void;
};

/** Puts the photos one place earlier or later. */
export const shift = ({ item, picking, arrange }: Omit<Given, 'here' | 'open'>, ids: string[], by: 1 | -1): void =>
  arrange.first(item.itemId, shifted(picking.order, new Set(ids), by));

/** What the keys do to the photos that are picked, or to the one with the focus. */
const actsOf = (given: Given): Readonly<Record<string, () => void>> => {
  const { item, here, picking, arrange, open } = given;
  const photos = picking.has(here.photoId) ? picking.selected : [here];
  const ids = photos.map(({ photoId }) => photoId);
  const remove = (): void => arrange.remove(ids);
  return {
    m: () => arrange.first(item.itemId, ids),
    r: () => photos.forEach((photo) => arrange.turn(photo, 1)),
    s: () => arrange.split(ids),
    a: () =>
      arrange.aside(
        ids,
        photos.some(({ state }) => state !== 'aside'),
      ),
    Delete: remove,
    Backspace: remove,
    Enter: () => open(here.photoId),
    ' ': () => picking.pick(here.photoId, 'toggle'),
    'alt+ArrowLeft': () => shift(given, ids, -1),
    'alt+ArrowRight': () => shift(given, ids, 1),
    'mod+a': picking.all,
    ...(picking.selected.length > 0 && { Escape: picking.clear }),
  };
};

const columnsOf = (list: HTMLElement): number => getComputedStyle(list).gridTemplateColumns.split(' ').length;

/** The photo that an arrow leads to from here. */
const besideOf = (list: HTMLElement, here: string, key: string): HTMLElement | undefined => {
  const tiles = [...list.querySelectorAll<HTMLElement>('[data-tile]')];
  const at = tiles.findIndex((tile) => tile.dataset.tile === here);
  const columns = columnsOf(list);
  const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[key];
  if (by !== undefined) return tiles[at + by];
  return { Home: tiles[0], End: tiles.at(-1) }[key];
};

/** Hears a key on a photo; true when it was one of the photos' own. */
export const hearKey = (event: KeyboardEvent<HTMLElement>, given: Given): boolean => {
  const beside = event.altKey ? undefined : besideOf(event.currentTarget, given.here.photoId, event.key);
  if (beside) {
    beside.focus();
    const { tile } = beside.dataset;
    if (event.shiftKey && tile) given.picking.pick(tile, 'upTo');
    return true;
  }
  const mod = event.ctrlKey || event.metaKey ? 'mod+' : '';
  const act = actsOf(given)[`${mod}${event.altKey ? 'alt+' : ''}${event.key}`];
  act?.();
  return act !== undefined;
};
