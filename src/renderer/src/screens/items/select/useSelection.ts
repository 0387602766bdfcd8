import { useRef, useState } from 'react';
import type { ItemView } from '../../../api/types.ts';

/** One question takes no more than this. */
export const mostAtOnce = 200;

export type Ready = ItemView & { listingId: string };

/** Whether its listing is written and waits to be published. */
export const isReady = (item: ItemView): item is Ready =>
  item.step === 'review' && item.listingId !== null && item.stop === null;

/** Whether it can be chosen at all: to be published, or to be put together with others. */
export const isPickable = (item: ItemView): boolean => isReady(item) || item.arrangeable;

/** The items between two, both included, in the order of the list. */
export const between = (itemIds: readonly string[], from: string | null, to: string): readonly string[] => {
  const start = from === null ? -1 : itemIds.indexOf(from);
  const end = itemIds.indexOf(to);
  if (start === -1 || end === -1) return [to];
  return itemIds.slice(Math.min(start, end), Math.max(start, end) + 1);
};

/** Which items are chosen, to be published together or to be put together. What is no longer ready is no longer chosen. */
export const useSelection = (items: readonly ItemView[], shown: readonly ItemView[]) => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | null>(null);
  const ready = shown.filter(isReady);
  const selected = items.filter((item): item is Ready => isReady(item) && chosen.has(item.itemId));
  const groups = items.filter((item) => item.arrangeable && chosen.has(item.itemId));
  const toggle = (itemId: string, range: boolean): void => {
    const on = !chosen.has(itemId);
    const ids = range
      ? between(
          shown.filter(isPickable).map((item) => item.itemId),
          last.current,
          itemId,
        )
      : [itemId];
    last.current = itemId;
    const next = new Set(chosen);
    for (const id of ids)
      if (on || range) next.add(id);
      else next.delete(id);
    setChosen(next);
  };
  return {
    ready,
    selected,
    /** The chosen ones whose photos can still be arranged. */
    groups,
    some: selected.length + groups.length > 0,
    has: (itemId: string): boolean => chosen.has(itemId),
    toggle,
    all: () => setChosen(new Set(ready.slice(0, mostAtOnce).map((item) => item.itemId))),
    clear: () => setChosen(new Set()),
  };
};

export type Selection = ReturnType<typeof useSelection>;
