import { useLocation } from 'wouter';
import { notifications } from '@mantine/notifications';
import type { ItemView } from '../../api/types.ts';
import { useKeys } from '../../parts/useKeys.ts';
import { nextToReview } from './review/nextToReview.ts';
import { useReadAhead } from './review/useReadAhead.ts';
import { t } from '../../i18n/t.ts';

const rowOf = (itemId: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-item="${CSS.escape(itemId)}"]`);

const lookAt = (itemId: string): void => {
  const row = rowOf(itemId);
  row?.focus();
  row?.scrollIntoView({ block: 'nearest' });
};

const focusedItem = (): string | null => {
  const row = document.activeElement?.closest('li')?.querySelector<HTMLElement>('[data-item]');
  return row?.dataset.item ?? null;
};

/**
 * J, K and arrows go through the list; while an item is open, the next one opens in its place. N opens the next one that
 * waits to be looked over. Esc first clears what is selected, then closes the item. Answers the way to that next one.
 */
export const useItemKeys = (items: readonly ItemView[], openId: string | null, clear: (() => void) | null) => {
  const [, go] = useLocation();
  const move = (by: number) => {
    const from = openId ?? focusedItem();
    const at = items.findIndex((item) => item.itemId === from);
    const next = items[at === -1 ? (by > 0 ? 0 : items.length - 1) : at + by];
    if (!next) return;
    if (openId !== null) go(`/items/${encodeURIComponent(next.itemId)}`);
    lookAt(next.itemId);
  };
  const open = (item: ItemView): void => {
    go(`/items/${encodeURIComponent(item.itemId)}`);
    lookAt(item.itemId);
  };
  const next = openId === null ? null : nextToReview(items, openId);
  useReadAhead(next);
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    n: () => {
      const waiting = nextToReview(items, openId ?? focusedItem());
      if (waiting) open(waiting);
      else notifications.show({ message: t('review.noNext') });
    },
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Escape: () => {
      if (clear) return clear();
      if (openId === null) return;
      go('/');
      rowOf(openId)?.focus();
    },
  });
  return next && (() => open(next));
};
