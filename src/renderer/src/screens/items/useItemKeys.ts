import { useLocation } from 'wouter';
import type { ItemView } from '../../api/types.ts';
import { useKeys } from '../../parts/useKeys.ts';

const rowOf = (itemId: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-item="${CSS.escape(itemId)}"]`);

const focusedItem = (): string | null => {
  const row = document.activeElement?.closest('li')?.querySelector<HTMLElement>('[data-item]');
  return row?.dataset.item ?? null;
};

/**
 * J, K and arrows go through the list; while an item is open, the next one opens in its place. Esc first clears what is
 * selected, then closes the item.
 */
export const useItemKeys = (items: readonly ItemView[], openId: string | null, clear: (() => void) | null): void => {
  const [, go] = useLocation();
  const move = (by: number) => {
    const from = openId ?? focusedItem();
    const at = items.findIndex((item) => item.itemId === from);
    const next = items[at === -1 ? (by > 0 ? 0 : items.length - 1) : at + by];
    if (!next) return;
    if (openId !== null) go(`/items/${encodeURIComponent(next.itemId)}`);
    const row = rowOf(next.itemId);
    row?.focus();
    row?.scrollIntoView({ block: 'nearest' });
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Escape: () => {
      if (clear) return clear();
      if (openId === null) return;
      go('/');
      rowOf(openId)?.focus();
    },
  });
};
