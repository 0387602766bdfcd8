import { useState } from 'react';
import type { PhotoView } from '../../../api/types.ts';
import { nothingPicked, pick, type How } from './picking.ts';

/** Which photos are picked. One that has gone is no longer picked. */
export const usePicking = (photos: readonly PhotoView[]) => {
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

export type Picking = ReturnType<typeof usePicking>;
