import { useState } from 'react';
import { useScreenKeys } from '../../components/Keys.tsx';
import { createLazyComponent } from '../../components/createLazyComponent.tsx';

const FindDialog = createLazyComponent(async () => (await import('./FindDialog.tsx')).FindDialog);

export const FindDialogLauncher = () => {
  const [open, setOpen] = useState(false);
  useScreenKeys({ 'mod+k': () => setOpen(true) });
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
