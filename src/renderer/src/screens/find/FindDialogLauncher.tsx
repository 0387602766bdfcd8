import { useSyncExternalStore } from 'react';
import { createStore } from '../../api/createStore.ts';
import { useScreenKeys } from '../../components/Keys.tsx';
import { createLazyComponent } from '../../components/createLazyComponent.tsx';

/** The first query of the open Find dialog; null while it is closed. */
export const findQuery = createStore<string | null>(null);

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
