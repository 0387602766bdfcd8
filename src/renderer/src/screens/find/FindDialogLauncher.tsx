import { useSyncExternalStore } from 'react';
import { useScreenKeys } from '../../components/Keys.tsx';
import { createLazyComponent } from '../../components/createLazyComponent.tsx';
import { findQuery } from './findQuery.ts';

const FindDialog = createLazyComponent(async () => (await import('./FindDialog.tsx')).FindDialog);

export const FindDialogLauncher = () => {
  const query = useSyncExternalStore(findQuery.subscribe, findQuery.get);
  useScreenKeys({ 'mod+k': () => findQuery.set('') });
  if (query === null) return null;
  const closeDialog = (): void => findQuery.set(null);
  return (
    <FindDialog
      query={query}
      onClose={closeDialog}
      onRun={(run) => {
        closeDialog();
        run();
      }}
    />
  );
};
