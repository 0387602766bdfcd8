import { useEffect } from 'react';

/** What last had the focus outside of all dialogs. */
let last: HTMLElement | null = null;

/** Remembers what has the focus on the screens below the dialogs. */
export const useFocusMemory = (): void =>
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLElement && !target.closest('[role=dialog]')) last = target;
    };
    window.addEventListener('focusin', onFocus);
    return () => window.removeEventListener('focusin', onFocus);
  }, []);

const giveBack = (): void => {
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body) return;
  if (document.querySelector('[role=dialog]')) return;
  const to = last?.isConnected ? last : document.querySelector<HTMLElement>('main');
  to?.focus({ preventScroll: true });
};

/**
 * For a dialog that is there only while it is open: once it is gone, the focus is where it was before, or on the screen
 * if that is gone too. Nothing is taken from what has it by then.
 */
export const useFocusBack = (): void =>
  useEffect(
    () => () => {
      // The dialog keeps the focus until it is gone.
      requestAnimationFrame(giveBack);
    },
    [],
  );
