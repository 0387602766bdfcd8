import { useKeys } from '../../parts/useKeys.ts';

const steps = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-news]')];

const move = (by: number): void => {
  const all = steps();
  const at = all.findIndex((one) => one === document.activeElement);
  const next = all[at === -1 ? 0 : at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
};

/** J, K and arrows go through what can be opened; Enter is the link's own. */
export const useNewsKeys = (): void =>
  useKeys({ j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1) });
