import { useState } from 'react';
import type { PhotoView } from '../../../api/types.ts';
import { nothingPicked, pick, type How } from './picking.ts';

/** The picked photos of an item, and the ways to pick others. */
export type Picking = {
  /** The ids of all photos, as they stand. */
  order: string[];
  selected: PhotoView[];
  has: (photoId: string) => boolean;
  pick: (photoId: string, how: How) => void;
  all: () => void;
  clear: () => void;
};

/** Which photos are picked. One that has gone is no longer picked. */
export const usePicking = (photos: readonly PhotoView[]): Picking => {
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
