import { notifyError } from '../../api/useCall.ts';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, type RefObject } from 'react';
import { resolveCoreAddress, callCore, type ItemView, type Listing } from '../../api/call.ts';
import {
  createItemQuery,
  createItemFilter,
  createNextReviewQuery,
  useNextItemToReview,
  type ShownItems,
} from '../../api/itemQueries.ts';
import { createLocalListingKey, createListingQuery } from '../../api/queries.ts';
import { useLocation } from 'wouter';
import { notifications } from '@mantine/notifications';
import { focusOnScreen, useScreenKeys } from '../../components/Keys.tsx';
import { useOfferedAction } from '../../components/acts/offeredActs.tsx';
import { t } from '../../i18n.ts';
import { readNextReviewItem, readNextWeakItem, type ItemSelection } from '../../api/itemSelection.ts';
import { isItemSelectable } from './SelectBar.tsx';
import { getReturnPath } from './sheet/sheetPlace.ts';
import { waitForSentEdits, applyQueuedEdits } from './review/QueuedEdits.tsx';

const isPhotoReady = ({ state, fullUrl }: ItemView['photos'][number]): boolean => state === 'ready' && fullUrl !== null;

const usePrefetchItem = (itemId: string | null): void => {
  const client = useQueryClient();
  useEffect(() => {
    if (itemId === null) return;
    const prefetchItem = async (): Promise<void> => {
      const { listingId, photos } = await client.fetchQuery(createItemQuery(itemId));
      const photoUrl = photos.find(isPhotoReady)?.fullUrl ?? null;
      if (photoUrl !== null) new Image().src = resolveCoreAddress(photoUrl);
      if (listingId !== null) await client.prefetchQuery(createListingQuery(client, listingId));
    };
    prefetchItem().catch(() => undefined);
  }, [client, itemId]);
};

type ItemPosition = { itemId: string; at: number | null };
export type ScrollToRow = (at: number) => void;

const findItemRow = (itemId: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-item="${CSS.escape(itemId)}"]`);

const findFocusedItemId = (): string | null => {
  const row = document.activeElement?.closest('li')?.querySelector<HTMLElement>('[data-item]');
  return row?.dataset.item ?? null;
};

/** The maximum number of frames to wait until a row that was out of view is rendered. */
const maxFrames = 60;

export const focusItemRow = ({ itemId, at }: ItemPosition, scrollTo: ScrollToRow | null): void => {
  const focusWhenRendered = (frames: number): void => {
    const row = findItemRow(itemId);
    if (row) focusOnScreen(row);
    row?.scrollIntoView({ block: 'nearest' });
    if (!row && frames > 0) requestAnimationFrame(() => focusWhenRendered(frames - 1));
  };
  const isFar = findItemRow(itemId) === null && at !== null && scrollTo !== null;
  if (isFar) scrollTo(at);
  focusWhenRendered(isFar ? maxFrames : 0);
};

type ItemKeysOptions = {
  shown: ShownItems | null;
  find: string;
  openId: string | null;
  /** The item that is shown while none is open. */
  firstId: string | null;
  selection: Pick<ItemSelection, 'some' | 'clear' | 'toggle' | 'all'>;
  scrollTo: RefObject<ScrollToRow | null>;
};

const findNeighbourItem = async (shown: ShownItems | null, find: string, from: string | null, by: 1 | -1) => {
  const here = from === null ? null : (shown?.placeOf(from) ?? null);
  const at = from === null && by === 1 ? 0 : here === null ? null : here + by;
  const row = at === null ? undefined : shown?.row(at);
  if (row) return { itemId: row.itemId, at };
  return callCore('items.beside', { ...createItemFilter(find), itemId: from, way: by === 1 ? 'down' : 'up' });
};

/** Waits until the lower fields of a review are rendered. Returns null if no field is invalid. */
const waitForInvalidField = async (): Promise<HTMLElement | null> => {
  while (document.querySelector('main [data-rendered-later]') !== null) await new Promise(requestAnimationFrame);
  return document.querySelector<HTMLElement>('main [aria-invalid=true]');
};

export const focusInvalidField = async (): Promise<void> => (await waitForInvalidField())?.focus();

/** An item can be marked as checked only while its fields are shown. */
const isReviewShown = (): boolean => document.getElementById('review-title') !== null;

/** Returns null if the listing is not shown. */
const findShownListing = (client: QueryClient, itemId: string): Listing | null => {
  const listingId = client.getQueryData<ItemView>(createItemQuery(itemId).queryKey)?.listingId ?? null;
  if (listingId === null || !isReviewShown()) return null;
  const kept = client.getQueryData<Listing | null>(createLocalListingKey(listingId));
  const shown = kept ?? client.getQueryData<Listing>(createListingQuery(client, listingId).queryKey);
  return shown ? applyQueuedEdits(shown) : null;
};

/**
 * Marks an item as checked, in the state that the person saw when they pressed the key. If a field is invalid, focuses
 * that field instead.
 */
const useMarkAsChecked = (find: string, open: (place: ItemPosition) => void) => {
  const client = useQueryClient();
  const marking = useRef(false);
  const markAsChecked = async (itemId: string, seen: Listing): Promise<void> => {
    await waitForSentEdits(seen.listingId);
    // The mark moves the item in the list, so the next item is read first.
    const next = await client.fetchQuery(createNextReviewQuery(find, itemId));
    const { checked } = await callCore('items.check', { itemId, seen });
    if (checked && next) open(next);
    else if (checked) notifications.show({ message: t('items.allChecked') });
  };
  return async (itemId: string): Promise<void> => {
    const seen = findShownListing(client, itemId);
    if (marking.current) return;
    marking.current = true;
    try {
      const fix = await waitForInvalidField();
      if (fix !== null) return fix.focus();
      if (seen === null) return;
      await markAsChecked(itemId, seen);
    } catch (error) {
      notifyError(error);
    } finally {
      marking.current = false;
    }
    await client.invalidateQueries({ queryKey: ['items'] });
  };
};

export type NextItemActions = {
  /** Null if there is no next item to review. */
  next: (() => void) | null;
  markAsChecked: (() => void) | null;
};

const ignoreRejection = (doing: Promise<void>): void => void doing.catch(() => undefined);

const useCloseItem = (openId: string | null) => {
  const [, go] = useLocation();
  return (): void => {
    if (openId === null) return;
    const back = getReturnPath();
    go(back.to, back.options);
    findItemRow(openId)?.focus();
  };
};

const useOfferedMoves = (createMoveHandler: ((by: 1 | -1) => () => void) | null): void => {
  useOfferedAction(
    createMoveHandler && { act: 'next', name: t('app.keys.next'), about: '', run: createMoveHandler(1) },
  );
  useOfferedAction(
    createMoveHandler && { act: 'before', name: t('app.keys.before'), about: '', run: createMoveHandler(-1) },
  );
};

/** Returns the same object until an action appears or disappears, so that rendering the list does not render the pane. */
const useStableActions = ({ next, markAsChecked }: NextItemActions): NextItemActions => {
  const latest = useRef({ next, markAsChecked });
  useEffect(() => {
    latest.current = { next, markAsChecked };
  });
  const hasNext = next !== null;
  const hasItem = markAsChecked !== null;
  return useMemo(
    () => ({
      next: hasNext ? () => latest.current.next?.() : null,
      markAsChecked: hasItem ? () => latest.current.markAsChecked?.() : null,
    }),
    [hasNext, hasItem],
  );
};

type ReadNextItem = (find: string, itemId: string | null) => Promise<ItemPosition | null>;

export const useItemKeys = ({
  shown,
  find,
  openId,
  firstId,
  selection,
  scrollTo,
}: ItemKeysOptions): NextItemActions => {
  const [, go] = useLocation();
  const openItem = (place: ItemPosition): void => {
    go(`/items/${encodeURIComponent(place.itemId)}`);
    focusItemRow(place, scrollTo.current);
  };
  const moveToNeighbour = async (by: 1 | -1): Promise<void> => {
    const place = await findNeighbourItem(shown, find, openId ?? findFocusedItemId(), by);
    if (place) (openId === null ? focusItemRow : openItem)(place, scrollTo.current);
  };
  const openNext = async (read: ReadNextItem, noneText: string): Promise<void> => {
    const place = await read(find, openId ?? findFocusedItemId());
    if (place) openItem(place);
    else notifications.show({ message: noneText });
  };
  const createMoveHandler = (by: 1 | -1) => () => ignoreRejection(moveToNeighbour(by));
  const shownId = openId ?? firstId;
  const next = useNextItemToReview(find, shownId);
  usePrefetchItem(next?.itemId ?? null);
  const markItemAsChecked = useMarkAsChecked(find, openItem);
  const markAsChecked = shownId === null ? null : () => ignoreRejection(markItemAsChecked(shownId));
  const selectFocusedItem = (range: boolean): void => {
    const itemId = findFocusedItemId() ?? openId;
    const row = itemId === null ? undefined : shown?.row(shown.placeOf(itemId) ?? -1);
    if (row && isItemSelectable(row)) selection.toggle(row.itemId, range);
  };
  const closeItem = useCloseItem(openId);
  const openOrMarkItem = (): void => {
    const focusedId = findFocusedItemId();
    const itemId = focusedId ?? shownId;
    if (itemId === null) return;
    if (itemId === openId || focusedId === null) markAsChecked?.();
    else openItem({ itemId, at: null });
  };
  useScreenKeys({
    Enter: openOrMarkItem,
    x: () => selectFocusedItem(false),
    X: () => selectFocusedItem(true),
    'mod+a': selection.all,
    j: createMoveHandler(1),
    k: createMoveHandler(-1),
    n: () => ignoreRejection(openNext(readNextReviewItem, t('review.noNext'))),
    w: () => ignoreRejection(openNext(readNextWeakItem, t('items.noWeak'))),
    ArrowDown: createMoveHandler(1),
    ArrowUp: createMoveHandler(-1),
    Escape: () => {
      if (selection.some) selection.clear();
      else closeItem();
    },
  });
  useOfferedMoves(openId === null ? null : createMoveHandler);
  return useStableActions({ next: next && (() => openItem(next)), markAsChecked });
};
