import { useState } from 'react';
import type { PhotoView } from '../../../api/types.ts';

/** What is picked, and where the last pick began: a range goes from there. */
export type Picked = { ids: ReadonlySet<string>; from: string | null };

export const nothingPicked: Picked = { ids: new Set(), from: null };

/** How a photo is picked: alone (a click), with or without it (Ctrl, Space), or all up to it (Shift). */
export type How = 'alone' | 'toggle' | 'upTo';

/** What is picked after one more; `order` is all there is, as it is shown. */
export const pick = (order: readonly string[], picked: Picked, id: string, how: How): Picked => {
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

/** The order with the picked ones one place earlier (-1) or later (1), together; the same when they are at the end. */
export const shifted = (order: readonly string[], ids: ReadonlySet<string>, by: 1 | -1): string[] => {
  const moving = order.filter((id) => ids.has(id));
  const rest = order.filter((id) => !ids.has(id));
  const first = order.findIndex((id) => ids.has(id));
  const before = order.slice(0, first).filter((id) => !ids.has(id)).length;
  const at = Math.min(rest.length, Math.max(0, before + by));
  return [...rest.slice(0, at), ...moving, ...rest.slice(at)];
};

/** The picked photos of an item, and the ways to pick others. */
export type PhotoSelection = {
  /** The ids of all photos, as they stand. */
  order: string[];
  selected: PhotoView[];
  has: (photoId: string) => boolean;
  pick: (photoId: string, how: How) => void;
  all: () => void;
  clear: () => void;
};

/** Which photos are picked. One that has gone is no longer picked. */
export const usePhotoSelection = (photos: readonly PhotoView[]): PhotoSelection => {
  const [picked, setPicked] = useState(nothingPicked);
  const order = photos.map(({ photoId }) => photoId);
  return {
    order,
    selected: photos.filter(({ photoId }) => picked.ids.has(photoId)),
    has: (photoId: string): boolean => picked.ids.has(photoId),
    pick: (photoId: string, how: How) => setPicked(pick(order, picked, photoId, how)),
    all: () => setPicked({ ids: new Set(order), from: order[0] ?? null }),
    clear: () => setPicked(nothingPicked),
  };
};
