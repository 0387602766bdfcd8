import { useScreenKeys } from '../Keys.tsx';

/** Rows inside a folded group cannot receive the focus. */
const listVisibleRows = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('main [data-row]')].filter((row) => row.checkVisibility());

const moveFocus = (by: number): void => {
  const rows = listVisibleRows();
  const at = rows.findIndex((row) => row === document.activeElement);
  const next = rows[at === -1 ? 0 : at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
};

/** J, K and the arrow keys move the focus between the elements with `data-row`. */
export const useRowKeys = (): void =>
  useScreenKeys({
    j: () => moveFocus(1),
    k: () => moveFocus(-1),
    ArrowDown: () => moveFocus(1),
    ArrowUp: () => moveFocus(-1),
  });
