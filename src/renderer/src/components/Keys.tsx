import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { createStore } from '../api/createStore.ts';
import styles from './keyCap.module.css';

/** Shows the key of a button. Screen readers hear it from `aria-keyshortcuts` of the button. */
export const KeyCap = ({ children }: { children: string }) => (
  <kbd className={styles.cap} aria-hidden>
    {children}
  </kbd>
);

/** Returns a handler of Escape for a part of a screen. The screen itself does not receive the key. */
export const createEscapeHandler =
  (leave: () => void) =>
  (event: ReactKeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    leave();
  };

/** The browser clicks these elements repeatedly while Enter is held down. */
const pressableSelector = 'button, a, summary, [role=button]';

/** The first handler stores whether a dialog was open, because the dialog might close before a later handler runs. */
let dialogStateAtKey: { event: KeyboardEvent | null; wasOpen: boolean } = { event: null, wasOpen: false };

const wasDialogOpen = (event: KeyboardEvent): boolean => {
  if (dialogStateAtKey.event !== event) {
    dialogStateAtKey = { event, wasOpen: document.querySelector('[role=dialog], [role=menu]') !== null };
  }
  return dialogStateAtKey.wasOpen;
};

/** Holding Enter down clicks the focused element only once. */
export const usePressHeldKeyOnce = (): void =>
  // Dialogs listen from an effect, so a layout effect registers this listener before them.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      wasDialogOpen(event);
      const isPress =
        event.key === 'Enter' && event.target instanceof Element && event.target.matches(pressableSelector);
      if (event.repeat && isPress) event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, []);

type KeyHandlers = Readonly<Record<string, (event: KeyboardEvent) => void>>;

export const isEditingField = (element: Element | null = document.activeElement): boolean =>
  element instanceof HTMLElement &&
  (element.isContentEditable ||
    element.matches('textarea, select, input:not([type=file], [type=button], [type=checkbox], [type=radio])'));

/**
 * These elements handle Enter themselves. The links of the item list are excluded, because the list handles their Enter
 * key.
 */
const pressedByEnter = 'button, a:not([data-item]), summary, input, select';

/** In `data-own-keys`, an element lists the keys that it handles. Radio buttons handle the arrow keys. */
const isKeyUsedByFocusedElement = (key: string): boolean =>
  (key === 'Enter' && (document.activeElement?.matches(pressedByEnter) ?? false)) ||
  (key.startsWith('Arrow') && (document.activeElement?.matches('[type=radio]') ?? false)) ||
  (document.activeElement?.closest<HTMLElement>('[data-own-keys]')?.dataset.ownKeys?.split(' ').includes(key) ?? false);

/** These keys repeat while they are held down. All other keys act once per press. */
const repeatableKeys = /^([jk]|Arrow(Up|Down|Left|Right))$/;

const ownOfFields = ['mod+z', 'mod+a'];

/** A key with `mod` also works in a field, except undo and select all. With `last`, other handlers run first. */
export const useScreenKeys = (keys: KeyHandlers, { last = false } = {}): void => {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const mod = event.ctrlKey || event.metaKey;
      const name = mod ? `mod+${event.key.toLowerCase()}` : event.key;
      const act = latest.current[name];
      if (!act || event.altKey || event.defaultPrevented) return;
      if (wasDialogOpen(event)) return;
      // Fields have their own undo and selection.
      if (isEditingField() && (!mod || ownOfFields.includes(name))) return;
      if (isKeyUsedByFocusedElement(name)) return;
      event.preventDefault();
      if (event.repeat && !repeatableKeys.test(name)) return;
      act(event);
    };
    window.addEventListener('keydown', onKeyDown, { capture: !last });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: !last });
  }, [last]);
};

export const openDialogs = createStore(0);

/** The last element outside of all dialogs that had the focus. */
let last: HTMLElement | null = null;

export const useFocusMemory = (): void =>
  useEffect(() => {
    const onFocusIn = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLElement && !target.closest('[role=dialog]')) last = target;
    };
    window.addEventListener('focusin', onFocusIn);
    return () => window.removeEventListener('focusin', onFocusIn);
  }, []);

/** Focuses an element of the screen. While a dialog is open, the element gets the focus after the dialog closes. */
export const focusOnScreen = (element: HTMLElement): void => {
  if (document.querySelector('[role=dialog]') === null) element.focus();
  else last = element;
};

const restoreFocus = (): void => {
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body) return;
  const below = [...document.querySelectorAll<HTMLElement>('[role=dialog]')].at(-1);
  if (below) return (below.querySelector<HTMLElement>('[data-autofocus]:not(:disabled)') ?? below).focus();
  const to = last?.isConnected ? last : document.querySelector<HTMLElement>('main');
  to?.focus({ preventScroll: true });
};

/**
 * Restores the focus after a dialog closes. If the previous element is gone, the dialog below or the screen gets the
 * focus.
 */
export const useFocusRestore = (): void =>
  useEffect(() => {
    openDialogs.set(openDialogs.get() + 1);
    return () => {
      openDialogs.set(openDialogs.get() - 1);
      // Waits for one frame, because the dialog keeps the focus until it is removed.
      requestAnimationFrame(restoreFocus);
    };
  }, []);
