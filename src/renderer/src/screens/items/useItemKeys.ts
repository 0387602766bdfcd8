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

/** Reads the item that is looked over next, its listing and its first photo, so that it stands there at once. */
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

/** An item and its place in the list; null when the list leaves it out. */
type Place = { itemId: string; at: number | null };
/** Brings the row at a place into sight. */
export type ScrollTo = (at: number) => void;

const rowOf = (itemId: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-item="${CSS.escape(itemId)}"]`);

const focusedItem = (): string | null => {
  const row = document.activeElement?.closest('li')?.querySelector<HTMLElement>('[data-item]');
  return row?.dataset.item ?? null;
};

/** A row that was out of sight is there after this many frames at the latest, or is not looked for any more. */
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

/** The item beside another: at once where its row is here, else as the core knows it. */
const besideIn = async (shown: ShownItems | null, find: string, from: string | null, by: 1 | -1) => {
  const here = from === null ? null : (shown?.placeOf(from) ?? null);
  const at = from === null && by === 1 ? 0 : here === null ? null : here + by;
  const row = at === null ? undefined : shown?.row(at);
  if (row) return { itemId: row.itemId, at };
  return call('items.beside', { ...itemFilter(find), itemId: from, way: by === 1 ? 'down' : 'up' });
};

/** The first field of the open item that something is said about. */
const toFix = (): HTMLElement | null => document.querySelector('main [aria-invalid=true]');

/** Whether the fields of the open item are in sight: nothing is looked over before. */
const isShown = (): boolean => document.getElementById('review-title') !== null;

/** The listing of an item as it stands before the person at this moment. */
const listingInSight = (client: QueryClient, itemId: string): Listing | null => {
  const listingId = client.getQueryData<ItemView>(itemQuery(itemId).queryKey)?.listingId ?? null;
  if (listingId === null || !isShown()) return null;
  const kept = client.getQueryData<Listing | null>(keptListingKey(listingId));
  const shown = kept ?? client.getQueryData<Listing>(listingReading(client, listingId).queryKey);
  return shown ? withHeldEdits(shown) : null;
};

/**
 * Marks the open item as looked over, as it is seen when the key is pressed, and opens the next one once the mark holds;
 * where something is in the way of it, that is shown instead.
 */
const useLooksRight = (find: string, open: (place: Place) => void) => {
  const client = useQueryClient();
  const marking = useRef(false);
  const mark = async (itemId: string, seen: Listing): Promise<void> => {
    // What was typed is seen as well: it is sent before.
    await editsSent(seen.listingId);
    // Asked for before the mark: that takes the item to another place in the list.
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

/** What goes on from the item that is open. */
export type ToNext = {
  /** To the next one that waits to be looked over; null where there is none. */
  next: (() => void) | null;
  /** The open one is right: it is marked so, and the next one opens. */
  looksRight: (() => void) | null;
};

/**
 * J, K and arrows go through the list; while an item is open, the next one opens in its place. Enter opens the row that has
 * the focus, and on the open item says that it looks right, which opens the next one that waits to be looked over; N opens
 * that one without a word. X selects. Esc first clears what is selected, then closes the item.
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
