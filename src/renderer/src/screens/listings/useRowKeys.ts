import { useLocation } from 'wouter';
import { useKeys } from '../../parts/useKeys.ts';

const links = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-listing]')];

/** J, K and arrows go through the rows, X selects the one that has the focus, Esc leaves what is open. */
export const useRowKeys = (openId: string | null, clear: (() => void) | null): void => {
  const [, go] = useLocation();
  const move = (by: number): void => {
    if (openId !== null) return;
    const all = links();
    const at = all.findIndex((link) => link === document.activeElement);
    const next = all[at === -1 ? 0 : at + by];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    x: () => {
      const here = document.activeElement?.closest('[role=row], li');
      here?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();
    },
    Escape: () => {
      if (openId !== null) return go('/listings');
      clear?.();
    },
  });
};
