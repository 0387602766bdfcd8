import { useState } from 'react';
import { useKeys } from '../../components/Keys.tsx';
import { lazyComponent } from '../../components/lazyComponent.tsx';

const FindDialog = lazyComponent(async () => (await import('./FindDialog.tsx')).FindDialog);

/** Finds and does anything, on Ctrl-K or ⌘K; left with Esc, the focus is where it was. */
export const Find = () => {
  const [open, setOpen] = useState(false);
  useKeys({ 'mod+k': () => setOpen(true) });
  if (!open) return null;
  return (
    <FindDialog
      onClose={() => setOpen(false)}
      onRun={(run) => {
        setOpen(false);
        run();
      }}
    />
  );
};
