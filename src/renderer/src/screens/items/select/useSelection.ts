import { useMemo, useRef, useState } from 'react';
import type { CallAnswer } from '../../../../../ipc/calls.ts';
import { call } from '../../../api/call.ts';
import { itemFilter, useChosenItems, useReadyItems } from '../../../api/itemQueries.ts';
import type { ItemSummary } from '../../../api/types.ts';

/** One question takes no more than this. */
export const mostAtOnce = 200;

/** Whether it can be chosen at all: to be published, or to be put together with others. */
export const isPickable = (item: ItemSummary): boolean =>
  (item.step === 'review' && item.listingId !== null && item.stop === null) || item.arrangeable;

/** The items that are chosen, and how to choose. */
export type Selection = {
  /** Those in the list that can be published: how many, and as many ids as one question takes. */
  ready: CallAnswer<'items.ready'>;
  /** The chosen ones that can be published. */
  selected: CallAnswer<'items.chosen'>['ready'];
  /** The chosen ones whose photos can still be arranged. */
  groups: CallAnswer<'items.chosen'>['arrangeable'];
  /** Whether anything is chosen. */
  some: boolean;
  has: (itemId: string) => boolean;
  /** Chooses an item or takes it out; with `range`, all from the last one to this. */
  toggle: (itemId: string, range: boolean) => void;
  /** Chooses all that can be published, up to what one question takes. */
  all: () => void;
  clear: () => void;
};

const none = { total: 0, itemIds: [] };

/** Which items are chosen, to be published together or to be put together. What is no longer ready is no longer chosen. */
export const useSelection = (find: string): Selection => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | null>(null);
  const { ready = none, read } = useReadyItems(find);
  const now = useChosenItems(useMemo(() => [...chosen], [chosen]));
  const isChosen = ({ itemId }: { itemId: string }): boolean => chosen.has(itemId);
  const selected = (now?.ready ?? []).filter(isChosen);
  const groups = (now?.arrangeable ?? []).filter(isChosen);
  const add = (itemIds: readonly string[]): void => setChosen((before) => new Set([...before, ...itemIds]));
  const toggle = (itemId: string, range: boolean): void => {
    const from = last.current;
    last.current = itemId;
    if (range && from !== null)
      void call('items.between', { ...itemFilter(find), from, to: itemId }).then(add, () => add([itemId]));
    else if (range || !chosen.has(itemId)) add([itemId]);
    else setChosen(new Set([...chosen].filter((id) => id !== itemId)));
  };
  return {
    ready,
    selected,
    groups,
    some: selected.length + groups.length > 0,
    has: (itemId: string): boolean => chosen.has(itemId),
    toggle,
    all: () =>
      void read().then(
        ({ itemIds }) => setChosen(new Set(itemIds)),
        () => undefined,
      ),
    clear: () => setChosen(new Set()),
  };
};
