import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { createStore } from '../api/createStore.ts';

/** Escape, for what is open inside a screen: the screen itself hears nothing of it. */
export const onEscape =
  (leave: () => void) =>
  (event: ReactKeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    leave();
  };

/** What a held Enter would press again and again. */
const pressed = 'button, a, summary, [role=button]';

/** Whether a dialog or a menu was open when the key came: by the time others hear of it, it may have closed one. */
let dialogAt: { event: KeyboardEvent | null; wasOpen: boolean } = { event: null, wasOpen: false };

const wasDialogOpen = (event: KeyboardEvent): boolean => {
  if (dialogAt.event !== event) {
    dialogAt = { event, wasOpen: document.querySelector('[role=dialog], [role=menu]') !== null };
  }
  return dialogAt.wasOpen;
};

/** A key that is held presses once what has the focus, in every dialog and on every screen. */
export const usePressOnce = (): void =>
  // Hears every key before the dialogs do, which listen from an effect on.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      wasDialogOpen(event);
      const isPress = event.key === 'Enter' && event.target instanceof Element && event.target.matches(pressed);
      if (event.repeat && isPress) event.preventDefault();
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, []);

type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** Whether the person is in the middle of writing or choosing something. */
export const isEditing = (element: Element | null = document.activeElement): boolean =>
  element instanceof HTMLElement &&
  (element.isContentEditable ||
    element.matches('textarea, select, input:not([type=file], [type=button], [type=checkbox], [type=radio])'));

/** What Enter presses itself; the rows of the items are pressed by their screen. */
const pressedByEnter = 'button, a:not([data-item]), summary, input, select';

/** Whether what has the focus keeps this key for itself: `data-own-keys` names them, and radios go by the arrows. */
const isKept = (key: string): boolean =>
  (key === 'Enter' && (document.activeElement?.matches(pressedByEnter) ?? false)) ||
  (key.startsWith('Arrow') && (document.activeElement?.matches('[type=radio]') ?? false)) ||
  (document.activeElement?.closest<HTMLElement>('[data-own-keys]')?.dataset.ownKeys?.split(' ').includes(key) ?? false);

/** A key that is held goes on for these alone: an act is done once a press. */
const moving = /^([jk]|Arrow(Up|Down|Left|Right))$/;

const ownOfFields = ['mod+z', 'mod+a'];

/**
 * Single keys of a screen, by `event.key`; quiet while a field has the focus or a dialog is open. `mod+k` works anywhere.
 * `last` leaves a key to whoever else on the screen has an act for it.
 */
export const useKeys = (keys: Keys, { last = false } = {}): void => {
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
      if (wasDialogOpen(event)) return;
      // Writing has an undo and a selection of its own.
      if (isEditing() && (!mod || ownOfFields.includes(name))) return;
      if (isKept(name)) return;
      event.preventDefault();
      if (event.repeat && !moving.test(name)) return;
      act(event);
    };
    window.addEventListener('keydown', onKey, { capture: !last });
    return () => window.removeEventListener('keydown', onKey, { capture: !last });
  }, [last]);
};

/** How many dialogs lie over the screens; see `useFocusBack`. */
export const openDialogs = createStore(0);

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
  useEffect(() => {
    openDialogs.set(openDialogs.get() + 1);
    return () => {
      openDialogs.set(openDialogs.get() - 1);
      // The dialog keeps the focus until it is gone.
      requestAnimationFrame(giveBack);
    };
  }, []);
