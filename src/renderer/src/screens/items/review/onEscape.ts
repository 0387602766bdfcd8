import type { KeyboardEvent as ReactKeyboardEvent } from 'react';

/** Escape, for what is open inside a screen: the screen itself hears nothing of it. */
export const onEscape =
  (leave: () => void) =>
  (event: ReactKeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    leave();
  };
