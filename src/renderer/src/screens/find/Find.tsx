import { useRef, useState } from 'react';
import { useKeys } from '../../components/Keys.tsx';
import { lazyComponent } from '../../components/lazyComponent.tsx';

const FindDialog = lazyComponent(async () => (await import('./FindDialog.tsx')).FindDialog);

/** Finds and does anything, on Ctrl-K or ⌘K; left with Esc, the focus is where it was. */
export const Find = () => {
  const [open, setOpen] = useState(false);
  const before = useRef<Element | null>(null);
  useKeys({
    'mod+k': () => {
      before.current = document.activeElement;
      setOpen(true);
    },
  });
  if (!open) return null;
  return (
    <FindDialog
      onClose={() => {
        setOpen(false);
        // The dialog keeps the focus until it is gone.
        requestAnimationFrame(() => before.current instanceof HTMLElement && before.current.focus());
      }}
      onRun={(run) => {
        setOpen(false);
        run();
      }}
    />
  );
};
