import { useState } from 'react';
import { useKeys } from '../../components/Keys.tsx';
import { lazyComponent } from '../../components/lazyComponent.tsx';

const FindDialog = lazyComponent(async () => (await import('./FindDialog.tsx')).FindDialog);

/** Opens the find dialog on Ctrl-K or ⌘K. */
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
