import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef, type RefObject } from 'react';
import { addressOf, call, sentenceOf, type ItemView, type Listing } from '../../api/call.ts';
import { itemQuery, itemFilter, nextToReviewQuery, useNextToReview, type ShownItems } from '../../api/itemQueries.ts';
import { keptListingKey, listingReading } from '../../api/queries.ts';
import { useLocation } from 'wouter';
import { notifications } from '@mantine/notifications';
import { useKeys } from '../../components/Keys.tsx';
import { useOffer } from '../../components/acts/offeredActs.tsx';
import { t } from '../../i18n.ts';
import { isPickable, type Selection } from './SelectBar.tsx';
import { wayBack } from './sheet/sheetPlace.ts';
import { editsSent, withHeldEdits } from './review/HeldEdits.tsx';

const isUsed = ({ state, fullUrl }: ItemView['photos'][number]): boolean => state === 'ready' && fullUrl !== null;

/** Prefetches the next item to review, its listing and its first photo. */
const useReadAhead = (itemId: string | null): void => {
  const client = useQueryClient();
  useEffect(() => {
    if (itemId === null) return;
    const ahead = async (): Promise<void> => {
      const { listingId, photos } = await client.fetchQuery(itemQuery(itemId));
      const photoUrl = photos.find(isUsed)?.fullUrl ?? null;
      if (photoUrl !== null) new Image().src = addressOf(photoUrl);
      if (listingId !== null) await client.prefetchQuery(listingReading(client, listingId));
    };
    ahead().catch(() => undefined);
  }, [client, itemId]);
};

/** An item and its index in the list; null if the list does not contain it. */
type Place = { itemId: string; at: number | null };
export type ScrollTo = (at: number) => void;

const rowOf = (itemId: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-item="${CSS.escape(itemId)}"]`);

const focusedItem = (): string | null => {
  const row = document.activeElement?.closest('li')?.querySelector<HTMLElement>('[data-item]');
  return row?.dataset.item ?? null;
};

/** How many frames to wait until a row that was out of view is rendered. */
const mostFrames = 60;

const lookAt = ({ itemId, at }: Place, scrollTo: ScrollTo | null): void => {
  const look = (frames: number): void => {
    const row = rowOf(itemId);
    row?.focus();
    row?.scrollIntoView({ block: 'nearest' });
    if (!row && frames > 0) requestAnimationFrame(() => look(frames - 1));
  };
  const isFar = rowOf(itemId) === null && at !== null && scrollTo !== null;
  if (isFar) scrollTo(at);
  look(isFar ? mostFrames : 0);
};

type Given = {
  shown: ShownItems | null;
  find: string;
  openId: string | null;
  selection: Pick<Selection, 'some' | 'clear' | 'toggle' | 'all'>;
  scrollTo: RefObject<ScrollTo | null>;
};

/** Returns the item next to another one: from the loaded rows if possible, otherwise from the core. */
const besideIn = async (shown: ShownItems | null, find: string, from: string | null, by: 1 | -1) => {
  const here = from === null ? null : (shown?.placeOf(from) ?? null);
  const at = from === null && by === 1 ? 0 : here === null ? null : here + by;
  const row = at === null ? undefined : shown?.row(at);
  if (row) return { itemId: row.itemId, at };
  return call('items.beside', { ...itemFilter(find), itemId: from, way: by === 1 ? 'down' : 'up' });
};

const toFix = (): HTMLElement | null => document.querySelector('main [aria-invalid=true]');

/** Whether the fields of the open item are shown; otherwise it cannot be marked as checked. */
const isShown = (): boolean => document.getElementById('review-title') !== null;

/** Returns the listing exactly as it is shown now; null if it is not shown. */
const listingInSight = (client: QueryClient, itemId: string): Listing | null => {
  const listingId = client.getQueryData<ItemView>(itemQuery(itemId).queryKey)?.listingId ?? null;
  if (listingId === null || !isShown()) return null;
  const kept = client.getQueryData<Listing | null>(keptListingKey(listingId));
  const shown = kept ?? client.getQueryData<Listing>(listingReading(client, listingId).queryKey);
  return shown ? withHeldEdits(shown) : null;
};

/**
 * Marks the open item as checked in the state shown when the key is pressed, then opens the next one. Focuses the first
 * invalid field instead if there is one.
 */
const useLooksRight = (find: string, open: (place: Place) => void) => {
  const client = useQueryClient();
  const marking = useRef(false);
  const mark = async (itemId: string, seen: Listing): Promise<void> => {
    // Send queued edits first: the person has seen them.
    await editsSent(seen.listingId);
    // Read before the mark, because the mark moves the item in the list.
    const next = await client.fetchQuery(nextToReviewQuery(find, itemId));
    const { checked } = await call('items.check', { itemId, seen });
    if (checked && next) open(next);
    else if (checked) notifications.show({ message: t('items.allChecked') });
  };
  return async (itemId: string): Promise<void> => {
    const fix = toFix();
    if (fix) return fix.focus();
    const seen = listingInSight(client, itemId);
    if (seen === null || marking.current) return;
    marking.current = true;
    try {
      await mark(itemId, seen);
    } catch (error) {
      notifications.show({ message: sentenceOf(error), color: 'amber' });
    } finally {
      marking.current = false;
    }
    await client.invalidateQueries({ queryKey: ['items'] });
  };
};

export type ToNext = {
  /** Opens the next item to review; null if there is none. */
  next: (() => void) | null;
  /** Marks the open item as checked, then opens the next one. */
  looksRight: (() => void) | null;
};

/**
 * The keys of the item list: J, K and arrows move; Enter opens the focused row, or marks the open item as checked and
 * opens the next one to review; N opens the next one without a mark; X selects. Esc clears the selection, then closes
 * the item.
 */
export const useItemKeys = ({ shown, find, openId, selection, scrollTo }: Given): ToNext => {
  const [, go] = useLocation();
  const open = (place: Place): void => {
    go(`/items/${encodeURIComponent(place.itemId)}`);
    lookAt(place, scrollTo.current);
  };
  const move = async (by: 1 | -1): Promise<void> => {
    const place = await besideIn(shown, find, openId ?? focusedItem(), by);
    if (place) (openId === null ? lookAt : open)(place, scrollTo.current);
  };
  const review = async (): Promise<void> => {
    const itemId = openId ?? focusedItem();
    const waiting = await call('items.beside', { ...itemFilter(find), itemId, way: 'review' });
    if (waiting) open(waiting);
    else notifications.show({ message: t('review.noNext') });
  };
  const act = (doing: Promise<void>): void => void doing.catch(() => undefined);
  const beside = (by: 1 | -1) => () => act(move(by));
  const next = useNextToReview(find, openId);
  useReadAhead(next?.itemId ?? null);
  const markRight = useLooksRight(find, open);
  const looksRight = openId === null ? null : () => act(markRight(openId));
  const select = (range: boolean): void => {
    const itemId = focusedItem() ?? openId;
    const row = itemId === null ? undefined : shown?.row(shown.placeOf(itemId) ?? -1);
    if (row && isPickable(row)) selection.toggle(row.itemId, range);
  };
  const enter = (): void => {
    const itemId = focusedItem() ?? openId;
    if (itemId === null) return;
    if (itemId === openId) looksRight?.();
    else open({ itemId, at: null });
  };
  useKeys({
    Enter: enter,
    x: () => select(false),
    X: () => select(true),
    'mod+a': selection.all,
    j: beside(1),
    k: beside(-1),
    n: () => act(review()),
    ArrowDown: beside(1),
    ArrowUp: beside(-1),
    Escape: () => {
      if (selection.some) return selection.clear();
      if (openId === null) return;
      const back = wayBack();
      go(back.to, back.options);
      rowOf(openId)?.focus();
    },
  });
  useOffer(openId === null ? null : { act: 'next', name: t('app.keys.next'), about: '', run: beside(1) });
  useOffer(openId === null ? null : { act: 'before', name: t('app.keys.before'), about: '', run: beside(-1) });
  return { next: next && (() => open(next)), looksRight };
};
