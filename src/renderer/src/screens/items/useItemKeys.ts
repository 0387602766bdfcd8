import { useQueryClient } from '@tanstack/react-query';
import { useEffect, type RefObject } from 'react';
import { addressOf, read, call, type ItemView } from '../../api/call.ts';
import { itemQuery, itemFilter, useNextToReview, type ShownItems } from '../../api/itemQueries.ts';
import { useLocation } from 'wouter';
import { notifications } from '@mantine/notifications';
import { useKeys } from '../../components/Keys.tsx';
import { t } from '../../i18n.ts';

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
      if (listingId !== null)
        await client.prefetchQuery({
          queryKey: ['listings', listingId],
          queryFn: () => read('readListing', { params: { listingId } }),
        });
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
  clear: (() => void) | null;
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

/**
 * J, K and arrows go through the list; while an item is open, the next one opens in its place. N opens the next one that
 * waits to be looked over. Esc first clears what is selected, then closes the item. Answers the way to that next one.
 */
export const useItemKeys = ({ shown, find, openId, clear, scrollTo }: Given) => {
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
  const next = useNextToReview(find, openId);
  useReadAhead(next?.itemId ?? null);
  useKeys({
    j: () => act(move(1)),
    k: () => act(move(-1)),
    n: () => act(review()),
    ArrowDown: () => act(move(1)),
    ArrowUp: () => act(move(-1)),
    Escape: () => {
      if (clear) return clear();
      if (openId === null) return;
      go('/');
      rowOf(openId)?.focus();
    },
  });
  return next && (() => open(next));
};
