import { useEffect, useRef } from 'react';

type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** Whether the person is in the middle of writing or choosing something. */
export const isEditing = (element: Element | null = document.activeElement): boolean =>
  element instanceof HTMLElement &&
  (element.isContentEditable ||
    element.matches('textarea, select, input:not([type=file], [type=button], [type=checkbox], [type=radio])'));

/** Single keys of a screen, by `event.key`; quiet while a field has the focus or a dialog is open. `mod+k` works anywhere. */
export const useKeys = (keys: Keys): void => {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const mod = event.ctrlKey || event.metaKey;
      const name = mod ? `mod+${event.key.toLowerCase()}` : event.key;
      const act = latest.current[name];
      if (!act || event.altKey || event.defaultPrevented) return;
      if (document.querySelector('[role=dialog], [role=menu]')) return;
      if (!mod && isEditing()) return;
      event.preventDefault();
      act(event);
    };
    // Before others: a dialog that closes on this very key must still count as open.
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, []);
};
