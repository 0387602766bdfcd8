import { useSyncExternalStore } from 'react';
import { shownCeremony } from '../../api/ceremony.ts';
import { createLazyComponent } from '../../components/createLazyComponent.tsx';

const CeremonyDialog = createLazyComponent(async () => (await import('./CeremonyDialog.tsx')).CeremonyDialog);

/** The one place of the window that shows ceremonies. */
export const CeremonyHost = () => {
  const ceremony = useSyncExternalStore(shownCeremony.subscribe, shownCeremony.get);
  return ceremony && <CeremonyDialog key={ceremony.begun.token} ceremony={ceremony} />;
};
