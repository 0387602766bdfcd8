import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { createStore } from '../api/createStore.ts';

/** Handles Escape for an element that is open inside a screen, without passing the key to the screen. */
export const handleEscapeKey =
  (leave: () => void) =>
  (event: ReactKeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    leave();
  };

/** Elements that the browser would click repeatedly while Enter is held down. */
const pressableSelector = 'button, a, summary, [role=button]';

/** Whether a dialog or menu was open when the key event began. A later handler may run after the dialog has closed. */
let dialogStateAtKey: { event: KeyboardEvent | null; wasOpen: boolean } = { event: null, wasOpen: false };

const wasDialogOpen = (event: KeyboardEvent): boolean => {
  if (dialogStateAtKey.event !== event) {
    dialogStateAtKey = { event, wasOpen: document.querySelector('[role=dialog], [role=menu]') !== null };
  }
  return dialogStateAtKey.wasOpen;
};

/** Makes a held key click the focused element only once, in every dialog and on every screen. */
export const usePressKeyOnce = (): void =>
  // A layout effect registers before the dialogs, which listen from an effect.
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

/** Whether the focused element is a field in which the person types or chooses. */
export const isEditingField = (element: Element | null = document.activeElement): boolean =>
  element instanceof HTMLElement &&
  (element.isContentEditable ||
    element.matches('textarea, select, input:not([type=file], [type=button], [type=checkbox], [type=radio])'));

/** Elements that the browser clicks on Enter; the rows of items are handled by their screen. */
const pressedByEnter = 'button, a:not([data-item]), summary, input, select';

/** Whether the focused element uses this key: `data-own-keys` lists such keys; radio buttons use arrow keys. */
const isKeyUsedByFocus = (key: string): boolean =>
  (key === 'Enter' && (document.activeElement?.matches(pressedByEnter) ?? false)) ||
  (key.startsWith('Arrow') && (document.activeElement?.matches('[type=radio]') ?? false)) ||
  (document.activeElement?.closest<HTMLElement>('[data-own-keys]')?.dataset.ownKeys?.split(' ').includes(key) ?? false);

/** The keys that repeat while they are held down; all others act once per press. */
const repeatableKeys = /^([jk]|Arrow(Up|Down|Left|Right))$/;

const ownOfFields = ['mod+z', 'mod+a'];

/**
 * Registers the keys of a screen, by `event.key`; they are ignored while a field has the focus or a dialog is open.
 * `mod+k` works in fields, too. With `last`, other handlers on the screen take precedence.
 */
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
      if (isKeyUsedByFocus(name)) return;
      event.preventDefault();
      if (event.repeat && !repeatableKeys.test(name)) return;
      act(event);
    };
    window.addEventListener('keydown', onKeyDown, { capture: !last });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: !last });
  }, [last]);
};

/** The number of dialogs that are open above the screens; see `useFocusRestore`. */
export const openDialogs = createStore(0);

/** The element outside of all dialogs that last had the focus. */
let last: HTMLElement | null = null;

/** Remembers the focused element outside of dialogs. */
export const useFocusMemory = (): void =>
  useEffect(() => {
    const onFocusIn = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLElement && !target.closest('[role=dialog]')) last = target;
    };
    window.addEventListener('focusin', onFocusIn);
    return () => window.removeEventListener('focusin', onFocusIn);
  }, []);

const restoreFocus = (): void => {
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body) return;
  if (document.querySelector('[role=dialog]')) return;
  const to = last?.isConnected ? last : document.querySelector<HTMLElement>('main');
  to?.focus({ preventScroll: true });
};

/**
 * Restores the focus after a dialog that is mounted only while it is open: to the previous element, or to the screen if
 * that is gone. An element that has the focus by then keeps it.
 */
export const useFocusRestore = (): void =>
  useEffect(() => {
    openDialogs.set(openDialogs.get() + 1);
    return () => {
      openDialogs.set(openDialogs.get() - 1);
      // The dialog keeps the focus until it is removed.
      requestAnimationFrame(restoreFocus);
    };
  }, []);
